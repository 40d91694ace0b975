//! Symmetric, positive definite matrices: systems solved by conjugate gradients, and the square
//! root of an inverse by Cholesky's method. Rows lie one after the other, and inner loops run along them.

/// A square matrix.
#[derive(Clone, Debug)]
pub(crate) struct Square {
    n: usize,
    cells: Vec<f64>,
}

/// A matrix is not positive definite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotPositive;

impl Square {
    pub(crate) fn zero(n: usize) -> Square {
        Square { n, cells: vec![0.0; n * n] }
    }

    /// Adds to a cell and its mirror image.
    pub(crate) fn add(&mut self, row: usize, column: usize, it: f64) {
        self.cells[row * self.n + column] += it;
        if row != column {
            self.cells[column * self.n + row] += it;
        }
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.n..][..self.n]
    }

    /// Solves `self * x = right`, as nearly as conjugate gradients come within `2n + 50` steps.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; self.n];
        let mut rest = right.to_vec();
        let scale: Vec<f64> = (0..self.n).map(|it| 1.0 / self.cells[it * self.n + it]).collect();
        let scaled = |rest: &[f64]| rest.iter().zip(&scale).map(|(a, b)| a * b).collect::<Vec<_>>();
        let mut along = scaled(&rest);
        let mut size = dot(&rest, &along);
        let enough = size * 1e-24;
        for _ in 0..2 * self.n + 50 {
            if size <= enough {
                break;
            }
            let image: Vec<f64> = (0..self.n).map(|it| dot(self.row(it), &along)).collect();
            let step = size / dot(&along, &image);
            add_scaled(&mut x, step, &along);
            add_scaled(&mut rest, -step, &image);
            let next = scaled(&rest);
            let next_size = dot(&rest, &next);
            let keep = next_size / size;
            for (it, next) in along.iter_mut().zip(next) {
                *it = next + keep * *it;
            }
            size = next_size;
        }
        x
    }

    /// The lower triangular `M` with `transposed(M) * M` the inverse of this.
    pub(crate) fn inverse_root(mut self) -> Result<InverseRoot, NotPositive> {
        let n = self.n;
        for row in 0..n {
            let (above, own) = self.cells.split_at_mut(row * n);
            for column in 0..row {
                let other = &above[column * n..][..n];
                let sum = own[column] - dot(&own[..column], &other[..column]);
                own[column] = sum / other[column];
            }
            let square = own[row] - dot(&own[..row], &own[..row]);
            if square.is_nan() || square <= 0.0 {
                return Err(NotPositive);
            }
            own[row] = square.sqrt();
            own[row + 1..n].fill(0.0);
        }
        // Row by row the factor gives way to its inverse.
        for row in 0..n {
            let (above, own) = self.cells.split_at_mut(row * n);
            let mut inverse = vec![0.0; row + 1];
            for column in 0..row {
                add_scaled(&mut inverse[..=column], -own[column], &above[column * n..][..=column]);
            }
            inverse[row] = 1.0;
            let scale = 1.0 / own[row];
            for (own, inverse) in own.iter_mut().zip(inverse) {
                *own = inverse * scale;
            }
        }
        Ok(InverseRoot(self))
    }
}

/// A square root of the inverse of a matrix: of a covariance, where the matrix is information.
#[derive(Clone, Debug)]
pub(crate) struct InverseRoot(Square);

impl InverseRoot {
    /// The variance of `weights * x`, where `x` has this covariance.
    pub(crate) fn variance(&self, weights: &[f64]) -> f64 {
        self.image(weights).iter().map(|it| it * it).sum()
    }

    /// For each part of `x`, the variance of its difference from `weights * x`.
    pub(crate) fn variances_about(&self, weights: &[f64]) -> Vec<f64> {
        let mut variances = vec![0.0; self.0.n];
        for (row, centre) in self.image(weights).into_iter().enumerate() {
            for (it, cell) in variances.iter_mut().zip(self.0.row(row)) {
                *it += (cell - centre) * (cell - centre);
            }
        }
        variances
    }

    /// One `x` with this covariance, of independent parts with variance 1.
    pub(crate) fn draw(&self, parts: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; self.0.n];
        for (row, part) in parts.iter().enumerate() {
            add_scaled(&mut x[..=row], *part, &self.0.row(row)[..=row]);
        }
        x
    }

    fn image(&self, of: &[f64]) -> Vec<f64> {
        (0..self.0.n).map(|it| dot(&self.0.row(it)[..=it], &of[..=it])).collect()
    }
}

/// With eight sums side by side, which the processor forms at once.
fn dot(one: &[f64], two: &[f64]) -> f64 {
    let (heads, tails) = (one.chunks_exact(8), two.chunks_exact(8));
    let tail: f64 = heads.remainder().iter().zip(tails.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; 8];
    for (one, two) in heads.zip(tails) {
        for it in 0..8 {
            sums[it] += one[it] * two[it];
        }
    }
    sums.iter().sum::<f64>() + tail
}

fn add_scaled(to: &mut [f64], scale: f64, it: &[f64]) {
    for (to, it) in to.iter_mut().zip(it) {
        *to += scale * it;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;

    fn some(n: usize) -> Square {
        let mut chance = Chance::new(7);
        let mut it = Square::zero(n);
        for row in 0..n {
            for column in 0..row {
                it.add(row, column, chance.normal());
            }
            it.add(row, row, 4.0 * n as f64);
        }
        it
    }

    #[test]
    fn both_ways_to_a_solution_agree() {
        for n in [1, 2, 7, 8, 9, 40] {
            let matrix = some(n);
            let right: Vec<f64> = (0..n).map(|it| it as f64 - 3.5).collect();
            let solved = matrix.solve(&right);
            let root = matrix.clone().inverse_root().unwrap();
            let other = root.draw(&root.image(&right));
            for (one, two) in solved.iter().zip(&other) {
                assert!((one - two).abs() < 1e-10, "{n}: {solved:?} and {other:?}");
            }
            let quadratic: f64 = solved.iter().zip(&right).map(|(a, b)| a * b).sum();
            assert!((root.variance(&right) - quadratic).abs() < 1e-9 * quadratic.abs().max(1.0));
            let plain = root.variances_about(&vec![0.0; n]);
            let mut first = vec![0.0; n];
            first[0] = 1.0;
            assert!((plain[0] - root.variance(&first)).abs() < 1e-12);
        }
    }

    #[test]
    fn what_is_not_positive_is_refused() {
        let mut matrix = Square::zero(2);
        matrix.add(0, 0, 1.0);
        matrix.add(0, 1, 2.0);
        matrix.add(1, 1, 1.0);
        assert_eq!(matrix.inverse_root().err(), Some(NotPositive));
    }
}

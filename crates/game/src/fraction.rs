//! Exact numbers for results: two whole numbers, always reduced.

use alloc::{format, string::String};
use core::{cmp::Ordering, fmt, ops::Add};

use serde::{Deserialize, Serialize};

/// `num / den`, reduced, with `den > 0`. No result is ever rounded before it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "(i64, i64)", into = "(i64, i64)")]
pub struct Fraction {
    num: i64,
    den: i64,
}

impl Fraction {
    /// 0.
    pub const ZERO: Fraction = Fraction { num: 0, den: 1 };
    /// 1.
    pub const ONE: Fraction = Fraction { num: 1, den: 1 };

    /// `num / den`.
    ///
    /// # Panics
    ///
    /// Where `den` is 0, or a part is `i64::MIN`: rules never build one from what a bot said.
    pub const fn new(num: i64, den: i64) -> Fraction {
        match Fraction::checked_new(num, den) {
            Some(it) => it,
            None => panic!("the denominator of a fraction is not 0, and its parts have a negative"),
        }
    }

    const fn checked_new(num: i64, den: i64) -> Option<Fraction> {
        if den == 0 || num == i64::MIN || den == i64::MIN {
            return None;
        }
        let gcd = gcd(num.unsigned_abs(), den.unsigned_abs()) as i64;
        Some(Fraction { num: num * den.signum() / gcd, den: den.abs() / gcd })
    }

    /// Above the line.
    pub const fn num(self) -> i64 {
        self.num
    }

    /// Below the line, at least 1.
    pub const fn den(self) -> i64 {
        self.den
    }

    /// The nearest `f64`, for ratings and charts.
    pub fn to_f64(self) -> f64 {
        self.num as f64 / self.den as f64
    }

    /// As people write it: `101 5/7`.
    pub fn mixed(self) -> String {
        let (whole, part) = (self.num / self.den, (self.num % self.den).abs());
        let sign = if self.num < 0 { "-" } else { "" };
        match (whole.abs(), part) {
            (whole, 0) => format!("{sign}{whole}"),
            (0, part) => format!("{sign}{part}/{}", self.den),
            (whole, part) => format!("{sign}{whole} {part}/{}", self.den),
        }
    }

    /// The sum, or `None` where it does not fit.
    pub fn checked_add(self, other: Fraction) -> Option<Fraction> {
        let num = i128::from(self.num) * i128::from(other.den)
            + i128::from(other.num) * i128::from(self.den);
        let den = i128::from(self.den) * i128::from(other.den);
        let gcd = gcd_wide(num.unsigned_abs(), den.unsigned_abs()) as i128;
        Fraction::checked_new((num / gcd).try_into().ok()?, (den / gcd).try_into().ok()?)
    }
}

impl From<i64> for Fraction {
    /// A whole number.
    fn from(num: i64) -> Fraction {
        Fraction::new(num, 1)
    }
}

impl Add for Fraction {
    type Output = Fraction;
    /// # Panics
    ///
    /// Where the sum does not fit; [`Fraction::checked_add`] asks.
    fn add(self, other: Fraction) -> Fraction {
        self.checked_add(other).expect("a sum of results fits")
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        let left = i128::from(self.num) * i128::from(other.den);
        left.cmp(&(i128::from(other.num) * i128::from(self.den)))
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.den {
            1 => write!(f, "{}", self.num),
            den => write!(f, "{}/{den}", self.num),
        }
    }
}

impl From<Fraction> for (i64, i64) {
    fn from(it: Fraction) -> (i64, i64) {
        (it.num, it.den)
    }
}

impl TryFrom<(i64, i64)> for Fraction {
    type Error = &'static str;
    fn try_from((num, den): (i64, i64)) -> Result<Fraction, &'static str> {
        Fraction::checked_new(num, den).ok_or("a fraction is [num, den] with den not 0")
    }
}

const fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    if a == 0 { 1 } else { a }
}

fn gcd_wide(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_reduced_and_ordered() {
        let table = [((2, 4), (1, 2)), ((-2, -4), (1, 2)), ((3, -6), (-1, 2)), ((0, -7), (0, 1))];
        for ((num, den), reduced) in table {
            assert_eq!(<(i64, i64)>::from(Fraction::new(num, den)), reduced);
        }
        assert!(Fraction::new(1, 3) < Fraction::new(1, 2));
        assert!(Fraction::new(-1, 2) < Fraction::ZERO);
        assert_eq!(Fraction::new(1, 3) + Fraction::new(1, 6), Fraction::new(1, 2));
    }

    #[test]
    fn people_write_wholes_before_parts() {
        let table = [
            ((6, 2), "3"),
            ((0, 5), "0"),
            ((5, 7), "5/7"),
            ((712, 7), "101 5/7"),
            ((-7, 2), "-3 1/2"),
        ];
        for ((num, den), text) in table {
            assert_eq!(Fraction::new(num, den).mixed(), text);
        }
    }

    #[test]
    fn foreign_fractions_are_refused_not_divided_by() {
        assert!(Fraction::try_from((1, 0)).is_err());
        assert!(Fraction::try_from((i64::MIN, 1)).is_err());
        assert!(Fraction::try_from((1, i64::MIN)).is_err());
        assert_eq!(Fraction::new(i64::MAX, 1).checked_add(Fraction::ONE), None);
    }
}

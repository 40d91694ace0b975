//! How 100 points are shared out: the later the treasure, the more for the architect.

use crate::setup::Mode;

/// Points shared out between the two seats.
pub(crate) const POINTS_ALL: u32 = 100;

/// Rounds after which a match on a board of `size` ends without the treasure.
pub fn round_limit(size: u32, mode: Mode) -> u32 {
    match mode {
        Mode::Map => size * size,
        Mode::NoMap => 3 * size * size,
    }
}

/// Rounds that the adventurer needs at least on a board of `size`, and for which it gets all points.
pub fn par(size: u32) -> u32 {
    2 * size - 2
}

/// What the architect gets when the treasure is reached in round `t`; the adventurer gets the rest.
///
/// Grows by equal steps from 0 at [`par`] to 100 one round after the limit,
/// rounded down.
pub fn architect_points(size: u32, mode: Mode, t: u32) -> u32 {
    let (par, limit) = (par(size), round_limit(size, mode));
    POINTS_ALL * t.clamp(par, limit + 1).saturating_sub(par) / (limit + 1 - par)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_grow_evenly_from_par_to_one_round_after_the_limit() {
        let table = [
            (5, Mode::Map, 1, 0),
            (5, Mode::Map, 8, 0),
            (5, Mode::Map, 9, 5),
            (5, Mode::Map, 16, 44),
            (5, Mode::Map, 25, 94),
            (5, Mode::Map, 26, 100),
            (5, Mode::Map, 1000, 100),
            (25, Mode::NoMap, 48, 0),
            (25, Mode::NoMap, 67, 1),
            (25, Mode::NoMap, 1875, 99),
        ];
        for (size, mode, t, points) in table {
            assert_eq!(architect_points(size, mode, t), points, "{size} {mode:?} {t}");
        }
    }
}

//! Sums of results, exact however many there are: fractions of many matches have denominators that
//! no machine word holds.

use std::{collections::BTreeMap, fmt};

use game::Fraction;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use serde::{Serialize, Serializer};

/// Exact points, times or counts. Its text is what people read: `57`, `101 5/7`, `-3 1/2`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(BigRational);

/// Longest denominator that people read; what has a longer one is shown in decimals.
const DENOMINATOR_SHOWN_MAX: i64 = 999;

impl Amount {
    /// 0.
    pub fn zero() -> Amount {
        Amount(BigRational::zero())
    }

    /// The nearest `f64`, for charts.
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64().unwrap_or(f64::NAN)
    }

    /// Above, and below the line, in decimals.
    pub fn parts(&self) -> (String, String) {
        (self.0.numer().to_string(), self.0.denom().to_string())
    }

    pub(super) fn half(&self) -> Amount {
        Amount(&self.0 / BigRational::from_integer(2.into()))
    }

    /// So much of it as `part` says.
    pub(super) fn times(&self, part: Fraction) -> Amount {
        Amount(&self.0 * rational(part.num(), part.den()))
    }

    pub(super) fn add(&mut self, other: &Amount) {
        if !other.0.is_zero() {
            self.0 += &other.0;
        }
    }
}

impl From<Fraction> for Amount {
    fn from(it: Fraction) -> Amount {
        Amount(rational(it.num(), it.den()))
    }
}

impl From<u32> for Amount {
    fn from(it: u32) -> Amount {
        Amount(rational(it.into(), 1))
    }
}

fn rational(num: i64, den: i64) -> BigRational {
    BigRational::new(num.into(), den.into())
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self.0.denom() > DENOMINATOR_SHOWN_MAX.into() {
            return write!(f, "{:.3}", self.to_f64());
        }
        let sign = if self.0.is_negative() { "-" } else { "" };
        let (whole, part) = (self.0.abs().trunc().to_integer(), self.0.abs().fract());
        match (whole.is_zero(), part.is_zero()) {
            (_, true) => write!(f, "{sign}{whole}"),
            (true, false) => write!(f, "{sign}{part}"),
            (false, false) => write!(f, "{sign}{whole} {part}"),
        }
    }
}

/// As a text, exact: `712/7`.
impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// A sum as it grows: by denominators, so that adding is quick and nothing overflows.
#[derive(Clone, Debug, Default)]
pub(super) struct Sum(BTreeMap<i64, i128>);

impl Sum {
    pub(super) fn add(&mut self, it: Fraction) {
        *self.0.entry(it.den()).or_default() += i128::from(it.num());
    }

    pub(super) fn subtract(&mut self, it: Fraction) {
        *self.0.entry(it.den()).or_default() -= i128::from(it.num());
    }

    pub(super) fn total(&self) -> Amount {
        let parts = self.0.iter().filter(|it| *it.1 != 0);
        let parts = parts.map(|(den, num)| BigRational::new((*num).into(), (*den).into()));
        Amount(parts.fold(BigRational::zero(), |sum, it| sum + it))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact_beyond_any_machine_word() {
        let mut sum = Sum::default();
        // One of each prime below 500: their product has 195 digits.
        let is_prime = |n: &i64| (2..*n).all(|it| n % it != 0);
        let primes: Vec<i64> = (2..500).filter(is_prime).collect();
        primes.iter().for_each(|it| sum.add(Fraction::new(1, *it)));
        assert!(sum.total().parts().1.len() > 190);
        primes.iter().for_each(|it| sum.subtract(Fraction::new(1, *it)));
        assert_eq!(sum.total(), Amount::zero());
        (0..3).for_each(|_| sum.add(Fraction::new(1, 3)));
        assert_eq!(sum.total(), Amount::from(1));
    }

    #[test]
    fn people_read_wholes_before_parts() {
        let table = [((6, 2), "3"), ((0, 5), "0"), ((5, 7), "5/7"), ((712, 7), "101 5/7")];
        let more = [((-7, 2), "-3 1/2"), ((-1, 2), "-1/2"), ((1, 1000), "0.001")];
        for ((num, den), text) in table.into_iter().chain(more) {
            assert_eq!(Amount::from(Fraction::new(num, den)).to_string(), text);
        }
    }
}

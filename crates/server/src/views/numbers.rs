//! Numbers with their units. A rating is never shown without how sure it is.

use std::fmt;

use askama::filters::HtmlSafe;
use store::{Fitted, Standing};

/// A rating and its 95 % interval, as marked-up text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rated {
    pub(crate) rating: f64,
    pub(crate) deviation: f64,
}

impl Rated {
    /// Half the width of the 95 % interval.
    pub(crate) fn half_width(self) -> f64 {
        1.96 * self.deviation
    }
}

impl From<Standing> for Rated {
    fn from(it: Standing) -> Rated {
        Rated { rating: it.rating, deviation: it.deviation }
    }
}

impl From<(f64, f64)> for Rated {
    fn from((rating, deviation): (f64, f64)) -> Rated {
        Rated { rating, deviation }
    }
}

impl From<Fitted> for Rated {
    fn from(it: Fitted) -> Rated {
        Rated { rating: it.strength, deviation: it.deviation }
    }
}

/// By how much a rating has changed: `▲ 34`, `▼ 12`, `=`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Trend(pub(crate) f64);

impl fmt::Display for Trend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.round() {
            it if it > 0.0 => write!(f, "▲\u{a0}{it:.0}"),
            it if it < 0.0 => write!(f, "▼\u{a0}{:.0}", -it),
            _ => f.write_str("="),
        }
    }
}

/// A chance: `0.3 %`, `12 %`, `under 0.1 %`.
pub(crate) fn chance(part: f64) -> String {
    match part * 100.0 {
        it if it < 0.1 => "under 0.1\u{a0}%".to_owned(),
        it if it > 99.9 => "over 99.9\u{a0}%".to_owned(),
        it if !(1.0..=99.0).contains(&it) => format!("{it:.1}\u{a0}%"),
        it => format!("{it:.0}\u{a0}%"),
    }
}

impl HtmlSafe for Rated {}

impl fmt::Display for Rated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let half = self.half_width();
        write!(
            f,
            r#"<span class="rating"><b>{:.0}</b> <span>± {half:.0}</span></span>"#,
            self.rating
        )
    }
}

/// Whatever is counted or measured, as templates hand it over.
pub(crate) trait Amount {
    fn amount(&self) -> f64;
}

macro_rules! amounts {
    ($($type:ty),*) => {
        $(impl Amount for $type {
            fn amount(&self) -> f64 {
                *self as f64
            }
        })*
    };
}

amounts!(i32, i64, u32, u64, usize, f64);

impl<T: Amount> Amount for &T {
    fn amount(&self) -> f64 {
        T::amount(self)
    }
}

/// `1 234 567`, with thin spaces.
pub(crate) fn count(n: impl Amount) -> String {
    let n = n.amount() as i64;
    let digits = n.unsigned_abs().to_string();
    let mut out = if n < 0 { "−".to_owned() } else { String::new() };
    for (it, digit) in digits.chars().enumerate() {
        if it > 0 && (digits.len() - it).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

/// A size: `340 bytes`, `12.3 KiB`, `5 MiB`.
pub(crate) fn bytes(n: impl Amount) -> String {
    let n = n.amount() as u64;
    match n {
        1 => "1\u{a0}byte".to_owned(),
        0..1024 => format!("{n}\u{a0}bytes"),
        1024..1_048_576 => format!("{}\u{a0}KiB", trimmed(n as f64 / 1024.0)),
        1_048_576..1_073_741_824 => format!("{}\u{a0}MiB", trimmed(n as f64 / 1_048_576.0)),
        _ => format!("{}\u{a0}GiB", trimmed(n as f64 / 1_073_741_824.0)),
    }
}

/// A span of time: `0.4 ms`, `340 ms`, `12.3 s`, `3 min 20 s`, `2 h 5 min`.
pub(crate) fn duration_ms(ms: impl Amount) -> String {
    match ms.amount() {
        ms if ms < 0.05 => "under 0.1\u{a0}ms".to_owned(),
        ms if ms < 10.0 => format!("{}\u{a0}ms", trimmed(ms)),
        ms if ms < 1000.0 => format!("{ms:.0}\u{a0}ms"),
        ms if ms < 60_000.0 => format!("{}\u{a0}s", trimmed(ms / 1000.0)),
        ms if ms < 3_600_000.0 => {
            let s = (ms / 1000.0).round() as u64;
            in_two(s / 60, "min", s % 60, "s")
        }
        ms => {
            let min = (ms / 60_000.0).round() as u64;
            in_two(min / 60, "h", min % 60, "min")
        }
    }
}

fn in_two(large: u64, large_unit: &str, small: u64, small_unit: &str) -> String {
    match small {
        0 => format!("{large}\u{a0}{large_unit}"),
        small => format!("{large}\u{a0}{large_unit} {small}\u{a0}{small_unit}"),
    }
}

/// When something begins that nobody knows to the second: `within seconds`,
/// `in about 40 s`, `in about 3 min`, `in about 2 h`.
pub(crate) fn about_s(s: f64) -> String {
    match s {
        s if s < 5.0 => "within seconds".to_owned(),
        s if s < 57.5 => format!("in about {:.0}\u{a0}s", (s / 5.0).round() * 5.0),
        s if s < 3570.0 => format!("in about {:.0}\u{a0}min", (s / 60.0).round()),
        s => format!("in about {}\u{a0}h", trimmed(s / 3600.0)),
    }
}

/// A share of all: `12 %`.
pub(crate) fn percent(part: impl Amount, all: impl Amount) -> String {
    match all.amount() {
        0.0 => "–".to_owned(),
        all => format!("{:.0}\u{a0}%", 100.0 * part.amount() / all),
    }
}

fn trimmed(x: f64) -> String {
    let shown = format!("{x:.1}");
    shown.strip_suffix(".0").map_or(shown.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_carry_their_units() {
        let table = [
            (count(0), "0"),
            (count(-1234), "−1\u{202f}234"),
            (count(1_234_567), "1\u{202f}234\u{202f}567"),
            (bytes(1), "1\u{a0}byte"),
            (bytes(1023), "1023\u{a0}bytes"),
            (bytes(1536), "1.5\u{a0}KiB"),
            (bytes(1 << 20), "1\u{a0}MiB"),
            (bytes(3_u64 << 30), "3\u{a0}GiB"),
            (duration_ms(0.01), "under 0.1\u{a0}ms"),
            (duration_ms(0.43), "0.4\u{a0}ms"),
            (duration_ms(340.4), "340\u{a0}ms"),
            (duration_ms(12_300.0), "12.3\u{a0}s"),
            (duration_ms(200_000.0), "3\u{a0}min 20\u{a0}s"),
            (duration_ms(120_000.0), "2\u{a0}min"),
            (duration_ms(7_500_000.0), "2\u{a0}h 5\u{a0}min"),
            (about_s(0.0), "within seconds"),
            (about_s(42.0), "in about 40\u{a0}s"),
            (about_s(58.0), "in about 1\u{a0}min"),
            (about_s(3569.0), "in about 59\u{a0}min"),
            (about_s(5400.0), "in about 1.5\u{a0}h"),
            (percent(1, 8), "12\u{a0}%"),
            (percent(0, 0), "–"),
            (chance(0.0), "under 0.1\u{a0}%"),
            (chance(0.004), "0.4\u{a0}%"),
            (chance(0.5), "50\u{a0}%"),
            (chance(1.0), "over 99.9\u{a0}%"),
            (Trend(34.2).to_string(), "▲\u{a0}34"),
            (Trend(-12.0).to_string(), "▼\u{a0}12"),
            (Trend(0.3).to_string(), "="),
        ];
        for (shown, expected) in table {
            assert_eq!(shown, expected);
        }
        let rated = Rated { rating: 1512.4, deviation: 50.0 };
        assert_eq!(
            rated.to_string(),
            r#"<span class="rating"><b>1512</b> <span>± 98</span></span>"#
        );
    }
}

//! Numbers with their units. A rating is never shown without how sure it is.

use std::fmt;

use askama::filters::HtmlSafe;
use store::Standing;

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
        1 => "1 byte".to_owned(),
        0..1024 => format!("{n} bytes"),
        1024..1_048_576 => format!("{} KiB", trimmed(n as f64 / 1024.0)),
        1_048_576..1_073_741_824 => format!("{} MiB", trimmed(n as f64 / 1_048_576.0)),
        _ => format!("{} GiB", trimmed(n as f64 / 1_073_741_824.0)),
    }
}

/// A span of time: `0.4 ms`, `340 ms`, `12.3 s`, `3 min 20 s`, `2 h 5 min`.
pub(crate) fn duration_ms(ms: impl Amount) -> String {
    match ms.amount() {
        ms if ms < 0.05 => "under 0.1 ms".to_owned(),
        ms if ms < 10.0 => format!("{} ms", trimmed(ms)),
        ms if ms < 1000.0 => format!("{ms:.0} ms"),
        ms if ms < 60_000.0 => format!("{} s", trimmed(ms / 1000.0)),
        ms if ms < 3_600_000.0 => {
            let s = (ms / 1000.0).round() as u64;
            format!("{} min {} s", s / 60, s % 60)
        }
        ms => {
            let min = (ms / 60_000.0).round() as u64;
            format!("{} h {} min", min / 60, min % 60)
        }
    }
}

/// A share of all: `12 %`.
pub(crate) fn percent(part: impl Amount, all: impl Amount) -> String {
    match all.amount() {
        0.0 => "–".to_owned(),
        all => format!("{:.0} %", 100.0 * part.amount() / all),
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
            (bytes(1), "1 byte"),
            (bytes(1023), "1023 bytes"),
            (bytes(1536), "1.5 KiB"),
            (bytes(1 << 20), "1 MiB"),
            (bytes(3_u64 << 30), "3 GiB"),
            (duration_ms(0.01), "under 0.1 ms"),
            (duration_ms(0.43), "0.4 ms"),
            (duration_ms(340.4), "340 ms"),
            (duration_ms(12_300.0), "12.3 s"),
            (duration_ms(200_000.0), "3 min 20 s"),
            (duration_ms(7_500_000.0), "2 h 5 min"),
            (percent(1, 8), "12 %"),
            (percent(0, 0), "–"),
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

//! Small drawings, made here as SVG: no script, and never the only way to read a number.

use std::fmt;

use askama::filters::HtmlSafe;

use super::numbers::{Rated, count, duration_ms};

const WHISKER_WIDTH: f64 = 144.0;

/// What all intervals of one table are drawn on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WhiskerScale {
    from: f64,
    to: f64,
}

impl WhiskerScale {
    /// Wide enough for all of `ratings`, as far as they lie within 500 of each other's middle.
    pub(crate) fn over(ratings: impl Iterator<Item = Rated>) -> WhiskerScale {
        let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
        for it in ratings {
            let half = it.half_width().min(250.0);
            from = from.min(it.rating - half);
            to = to.max(it.rating + half);
        }
        match from < to {
            true => WhiskerScale { from, to },
            false => WhiskerScale { from: 1000.0, to: 2000.0 },
        }
    }

    /// One interval on it.
    pub(crate) fn draw(self, rated: Rated) -> Whisker {
        Whisker { scale: self, rated }
    }

    fn x(self, rating: f64) -> f64 {
        let part = ((rating - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        6.0 + part * (WHISKER_WIDTH - 12.0)
    }
}

/// A rating and its 95 % interval on a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whisker {
    scale: WhiskerScale,
    rated: Rated,
}

impl HtmlSafe for Whisker {}

impl fmt::Display for Whisker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rated { rating, .. } = self.rated;
        let half = self.rated.half_width();
        let [low, dot, high] = [rating - half, rating, rating + half].map(|it| self.scale.x(it));
        write!(
            f,
            concat!(
                r#"<svg class="whisker" viewBox="0 0 {w:.0} 18" aria-hidden="true">"#,
                r#"<line class="scale" x1="0" y1="9" x2="{w:.0}" y2="9"/>"#,
                r#"<line class="range" x1="{low:.1}" y1="9" x2="{high:.1}" y2="9"/>"#,
                r#"<circle class="dot" cx="{dot:.1}" cy="9" r="4.5"/></svg>"#
            ),
            w = WHISKER_WIDTH,
            low = low,
            high = high,
            dot = dot
        )
    }
}

/// How a result was shared out between two seats.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SplitBar {
    pub(crate) first: f64,
    pub(crate) tall: bool,
}

impl HtmlSafe for SplitBar {}

impl fmt::Display for SplitBar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = (self.first * 200.0).clamp(0.0, 200.0);
        let tall = if self.tall { " tall" } else { "" };
        write!(
            f,
            concat!(
                r#"<svg class="bar{tall}" viewBox="0 0 200 8" preserveAspectRatio="none" aria-hidden="true">"#,
                r#"<rect class="at-0" width="{first:.1}" height="8"/>"#,
                r#"<rect class="at-1" x="{first:.1}" width="{rest:.1}" height="8"/>"#,
                r#"<rect class="gap" x="{gap:.1}" width="1" height="8"/></svg>"#
            ),
            tall = tall,
            first = first,
            rest = 200.0 - first,
            // Where one seat has it all there is nothing to part.
            gap = if (1.0..=199.0).contains(&first) { first - 0.5 } else { -2.0 }
        )
    }
}

/// How long each answer of a match took: the first seat upwards, the second downwards.
#[derive(Clone, Debug)]
pub(crate) struct TurnTimes {
    /// For each of up to two seats, milliseconds charged, by question.
    seats: [Vec<f64>; 2],
}

impl TurnTimes {
    const BARS_MAX: usize = 240;

    pub(crate) fn new(seats: [Vec<f64>; 2]) -> Option<TurnTimes> {
        seats.iter().any(|it| !it.is_empty()).then_some(TurnTimes { seats })
    }

    /// The longest answer of all, in words.
    pub(crate) fn longest(&self) -> String {
        duration_ms(self.max())
    }

    fn max(&self) -> f64 {
        self.seats.iter().flatten().copied().fold(0.0, f64::max)
    }

    /// The longest answer of each of at most [`BARS_MAX`](Self::BARS_MAX) parts.
    fn bars(all: &[f64]) -> Vec<f64> {
        let each = all.len().div_ceil(Self::BARS_MAX).max(1);
        all.chunks(each).map(|it| it.iter().copied().fold(0.0, f64::max)).collect()
    }
}

impl HtmlSafe for TurnTimes {}

impl fmt::Display for TurnTimes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let max = self.max().max(0.001);
        let longest = self.longest();
        let ticks = [(4.0, longest.as_str()), (72.0, "0"), (140.0, longest.as_str())];
        // A chart of one seat alone has nothing below its line.
        let ticks = if self.seats[1].is_empty() { &ticks[..2] } else { &ticks[..] };
        write_plot(f, "chart", 144.0, ticks.iter().copied(), |f| {
            for (seat, all) in self.seats.iter().enumerate() {
                let bars = Self::bars(all);
                let width = 960.0 / bars.len().max(1) as f64;
                for (it, ms) in bars.iter().enumerate() {
                    // The least answer is still there to be seen.
                    let height = (ms / max * 68.0).max(1.0);
                    let y = if seat == 0 { 71.0 - height } else { 73.0 };
                    write!(
                        f,
                        r#"<rect class="at-{seat}" x="{x:.2}" y="{y:.2}" width="{w:.2}" height="{height:.2}"/>"#,
                        x = it as f64 * width,
                        w = (width * 0.8).max(0.5)
                    )?;
                }
            }
            f.write_str(r#"<line class="base" x1="0" y1="72" x2="960" y2="72"/>"#)
        })?;
        f.write_str(r#"<p class="axis"><span>first answer</span><span>last answer</span></p>"#)
    }
}

/// The rating of a bot over its matches, with its 95 % interval as a band.
#[derive(Clone, Debug)]
pub(crate) struct RatingCurve {
    ratings: Vec<Rated>,
}

impl RatingCurve {
    const HEIGHT: f64 = 132.0;
    /// Most lines across it.
    const TICKS_MAX: usize = 5;

    /// The oldest first; nothing to draw where there are fewer than two.
    pub(crate) fn new(ratings: Vec<Rated>) -> Option<RatingCurve> {
        (ratings.len() >= 2).then_some(RatingCurve { ratings })
    }

    /// What it shows, for those who do not see it.
    pub(crate) fn words(&self) -> String {
        let all = self.ratings.iter().map(|it| it.rating);
        let least = all.clone().fold(f64::INFINITY, f64::min);
        let most = all.fold(f64::NEG_INFINITY, f64::max);
        match self.ratings.as_slice() {
            [first, .., last] => format!(
                "Over {} rated matches it went from {:.0} to {:.0}, and was {least:.0} at the least and {most:.0} at the most.",
                count(self.ratings.len()),
                first.rating,
                last.rating,
            ),
            _ => String::new(),
        }
    }

    fn low(it: &Rated) -> f64 {
        it.rating - it.half_width().min(250.0)
    }

    fn high(it: &Rated) -> f64 {
        it.rating + it.half_width().min(250.0)
    }
}

impl HtmlSafe for RatingCurve {}

impl fmt::Display for RatingCurve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from = self.ratings.iter().map(Self::low).fold(f64::INFINITY, f64::min);
        let to = self.ratings.iter().map(Self::high).fold(f64::NEG_INFINITY, f64::max);
        let last = (self.ratings.len() - 1) as f64;
        let y = |rating: f64| {
            Self::HEIGHT - 6.0 - (rating - from) / (to - from).max(1.0) * (Self::HEIGHT - 12.0)
        };
        let point =
            |at: usize, rating: f64| format!("{:.1},{:.1}", at as f64 / last * 960.0, y(rating));
        let line = |of: fn(&Rated) -> f64| {
            self.ratings.iter().enumerate().map(move |(at, it)| point(at, of(it)))
        };
        let middle: Vec<String> = line(|it| it.rating).collect();
        let mut band: Vec<String> = line(Self::high).collect();
        let lower: Vec<String> = line(Self::low).collect();
        band.extend(lower.into_iter().rev());
        let round = round_numbers(from, to, Self::TICKS_MAX);
        let ticks: Vec<(f64, String)> = round.into_iter().map(|it| (y(it), count(it))).collect();
        let labels = ticks.iter().map(|(y, text)| (*y, text.as_str()));
        write_plot(f, "curve", Self::HEIGHT, labels, |f| {
            write!(f, r#"<polygon class="band" points="{}"/>"#, band.join(" "))?;
            for (y, _) in &ticks {
                write!(f, r#"<line class="grid" x1="0" y1="{y:.1}" x2="960" y2="{y:.1}"/>"#)?;
            }
            write!(f, r#"<polyline class="line" points="{}"/>"#, middle.join(" "))
        })?;
        let ago = match self.ratings.len() - 1 {
            1 => "1 rated match ago".to_owned(),
            n => format!("{} rated matches ago", count(n)),
        };
        write!(f, r#"<p class="axis"><span>{ago}</span><span>now</span></p>"#)
    }
}

/// A drawing as wide as its place, which is 960 to it, and beside it `labels`,
/// each at its height, which do not stretch with it.
fn write_plot<'a>(
    f: &mut fmt::Formatter<'_>,
    class: &str,
    height: f64,
    labels: impl Iterator<Item = (f64, &'a str)>,
    draw: impl FnOnce(&mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    write!(f, r#"<div class="plot {class}" aria-hidden="true"><svg class="ticks">"#)?;
    for (y, text) in labels {
        let y = y / height * 100.0;
        write!(f, r#"<text x="100%" y="{y:.2}%">{text}</text>"#)?;
    }
    write!(
        f,
        r#"</svg><svg class="drawn" viewBox="0 0 960 {height:.0}" preserveAspectRatio="none">"#
    )?;
    draw(f)?;
    f.write_str("</svg></div>")
}

/// Round numbers between `from` and `to`, evenly spaced, at most `n_max` of them.
fn round_numbers(from: f64, to: f64, n_max: usize) -> Vec<f64> {
    let inside = |step: f64| {
        let first = (from / step).ceil() as i64;
        let last = (to / step).floor() as i64;
        (first..=last).map(move |it| it as f64 * step)
    };
    let steps = [5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0];
    let step = steps.into_iter().find(|it| inside(*it).count() <= n_max);
    step.map_or(Vec::new(), |it| inside(it).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_beside_a_curve_are_round_and_few() {
        let table: [(f64, f64, &[f64]); 4] = [
            (1402.0, 1588.0, &[1450.0, 1500.0, 1550.0]),
            (1250.0, 1750.0, &[1300.0, 1400.0, 1500.0, 1600.0, 1700.0]),
            (1500.0, 1500.0, &[1500.0]),
            (-40.0, 70.0, &[0.0, 50.0]),
        ];
        for (from, to, expected) in table {
            assert_eq!(round_numbers(from, to, 5), expected, "{from} to {to}");
        }
    }

    #[test]
    fn a_curve_says_in_words_what_it_shows() {
        let rated = |rating| Rated { rating, deviation: 50.0 };
        let curve = RatingCurve::new([1500.0, 1420.0, 1610.0].map(rated).to_vec()).unwrap();
        assert_eq!(
            curve.words(),
            "Over 3 rated matches it went from 1500 to 1610, and was 1420 at the least and 1610 at the most."
        );
        let html = curve.to_string();
        assert!(
            html.contains("2 rated matches ago") && html.contains(">1\u{202f}500</text>"),
            "{html}"
        );
        assert!(RatingCurve::new(vec![rated(1500.0)]).is_none());
    }
}

//! Small drawings, made here as SVG: no script, and never the only way to read a number.

use std::fmt;

use askama::filters::HtmlSafe;

use super::numbers::{Rated, duration_ms};

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
        f.write_str(
            r#"<svg class="chart" viewBox="0 0 960 144" preserveAspectRatio="none" aria-hidden="true">"#,
        )?;
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
        f.write_str(r#"<line class="base" x1="0" y1="72" x2="960" y2="72"/></svg>"#)
    }
}

/// The rating of a bot over its matches, with its 95 % interval as a band.
#[derive(Clone, Debug)]
pub(crate) struct RatingCurve {
    ratings: Vec<Rated>,
}

impl RatingCurve {
    /// The oldest first; nothing to draw where there are fewer than two.
    pub(crate) fn new(ratings: Vec<Rated>) -> Option<RatingCurve> {
        (ratings.len() >= 2).then_some(RatingCurve { ratings })
    }
}

impl HtmlSafe for RatingCurve {}

impl fmt::Display for RatingCurve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let low = |it: &Rated| it.rating - it.half_width().min(250.0);
        let high = |it: &Rated| it.rating + it.half_width().min(250.0);
        let from = self.ratings.iter().map(low).fold(f64::INFINITY, f64::min);
        let to = self.ratings.iter().map(high).fold(f64::NEG_INFINITY, f64::max);
        let last = (self.ratings.len() - 1) as f64;
        let point = |it: usize, rating: f64| {
            let y = 116.0 - (rating - from) / (to - from).max(1.0) * 112.0;
            format!("{:.1},{y:.1}", it as f64 / last * 480.0)
        };
        let line = |of: fn(&Rated) -> f64| {
            self.ratings.iter().enumerate().map(move |(at, it)| point(at, of(it)))
        };
        let middle: Vec<String> = line(|it| it.rating).collect();
        let mut band: Vec<String> = line(|it| it.rating + it.half_width().min(250.0)).collect();
        let lower: Vec<String> = line(|it| it.rating - it.half_width().min(250.0)).collect();
        band.extend(lower.into_iter().rev());
        write!(
            f,
            concat!(
                r#"<svg class="curve" viewBox="0 0 480 120" preserveAspectRatio="none" aria-hidden="true">"#,
                r#"<polygon class="band" points="{}"/>"#,
                r#"<polyline class="line" points="{}"/></svg>"#
            ),
            band.join(" "),
            middle.join(" ")
        )
    }
}

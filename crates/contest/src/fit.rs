//! Strengths as they follow from all matches at once, whatever their order (Bradley and Terry).
//!
//! The log-odds of the first seat's score are the difference of two strengths, the advantage of
//! the seat, and what of the set-up makes it easier. Draws and shares of points are parts of a win.

mod design;
mod evidence;
mod matrix;
#[cfg(test)]
mod tests;

use std::f64::consts::LN_10;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use self::{
    design::{Design, Row},
    evidence::ONE,
    matrix::{InverseRoot, Square},
};
use crate::chance::Chance;

pub use self::evidence::Evidence;

/// Most strengths in a fit: a bot has one, and one more for its former versions.
pub const FIT_STRENGTHS_MAX: usize = 4_000;
/// A covariate with more values than this is left out.
pub const FIT_LEVELS_MAX: usize = 32;
/// Points for each unit of log-odds: 400 for each power of ten, as with Elo.
const POINTS: f64 = 400.0 / LN_10;
/// That results vary as coins do is taken as if so many matches had shown it: a few that all came
/// out as expected must not make everything look certain.
const DISPERSION_KNOWN: f64 = 30.0;
/// Steps of Newton's method; some ten are taken.
const STEPS_MAX: usize = 60;
/// Farthest that one step moves a strength, in log-odds.
const STEP_MAX: f64 = 2.0;

/// How a fit is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitOptions {
    /// How far strengths of one role lie apart before anything is known: one standard deviation,
    /// in points. Who has played little is drawn towards the mean by it.
    pub strength_deviation: f64,
    /// The same for what a seat, or a value of a covariate, may make out, in points.
    pub effect_deviation: f64,
    /// Whether sitting first may be an advantage.
    pub has_seat_effect: bool,
    /// Whether results vary as they do, or as won and lost games would.
    ///
    /// Shares of points vary by less than coins; games on few set-ups may vary by more. Then
    /// intervals follow what was seen, from 0.01 to 10 times that variance.
    pub is_dispersion_fitted: bool,
    /// The chance to be among this many best is told.
    pub top: usize,
    /// Draws that it is found by; its error is at most `0.5 / sqrt(draws)`, once in three times.
    pub draws: usize,
    /// What the draws follow from.
    pub seed: u64,
}

impl Default for FitOptions {
    fn default() -> FitOptions {
        FitOptions {
            strength_deviation: 350.0,
            effect_deviation: 200.0,
            has_seat_effect: true,
            is_dispersion_fitted: true,
            top: 3,
            draws: 2_000,
            seed: 1,
        }
    }
}

/// Strengths that explain all matches best.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// By role and then by bot.
    pub strengths: Vec<Strength>,
    /// What makes it easier for the first seat: the seat itself, and each value of a covariate.
    pub effects: Vec<Effect>,
    /// Covariates with more than [`FIT_LEVELS_MAX`] values, which are not in it.
    pub left_out: Vec<String>,
    /// Matches it rests on.
    pub matches: u64,
    /// The variance of results, in parts of that of won and lost games.
    pub dispersion: f64,
    /// Of how many best the chance is told.
    pub top: usize,
}

/// How strong a bot is with the version it plays with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// Which bot.
    pub bot: Uuid,
    /// The version that played last; matches of others before it count for a strength that is not
    /// told.
    pub version: Uuid,
    /// In which role.
    pub role: String,
    /// On Elo's scale; 1500 is the mean of the role.
    pub strength: f64,
    /// One standard deviation of its distance from that mean.
    pub deviation: f64,
    /// The chance that it is among the best of its role.
    pub top_chance: f64,
    /// Matches of the version.
    pub matches: u64,
}

/// By how much something makes it easier for the first seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// Which covariate, and which value of it; none: the seat itself.
    pub of: Option<(String, String)>,
    /// Points.
    pub points: f64,
    /// One standard deviation of that.
    pub deviation: f64,
}

/// Why there is no fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// Too many bots have played.
    #[error("{found} strengths are to be fitted; {FIT_STRENGTHS_MAX} can be")]
    TooMany {
        /// Strengths asked for.
        found: usize,
    },
    /// What is known is no number: deviations of the options are not above 0, or far apart.
    #[error("the fit has no solution in numbers of 64 bits; its deviations have to be above 0")]
    NoSolution,
}

/// The strengths that explain `evidence` best.
///
/// # Errors
///
/// Where there are more strengths than [`FIT_STRENGTHS_MAX`], or the options leave no solution.
pub fn fit(evidence: &Evidence, options: &FitOptions) -> Result<Fit, FitError> {
    let design = Design::new(evidence, options.has_seat_effect, FIT_LEVELS_MAX);
    let found = design.units.len();
    if found > FIT_STRENGTHS_MAX {
        return Err(FitError::TooMany { found });
    }
    let (at, root, dispersion) = solve(&design, options)?;
    Ok(Fit {
        strengths: strengths(&design, &at, &root, options),
        effects: effects(&design, &at, &root),
        matches: evidence.matches(),
        dispersion,
        top: options.top,
        left_out: design.left_out,
    })
}

/// The best values of all columns, in log-odds, and a root of their covariance.
fn solve(design: &Design, options: &FitOptions) -> Result<(Vec<f64>, InverseRoot, f64), FitError> {
    let n_units = design.units.len();
    let precision = |it: usize| {
        let deviation =
            if it < n_units { options.strength_deviation } else { options.effect_deviation };
        (POINTS / deviation).powi(2)
    };
    let precisions: Vec<f64> = (0..design.n_columns()).map(precision).collect();
    if precisions.iter().any(|it| !it.is_finite()) {
        return Err(FitError::NoSolution);
    }
    let mut at = vec![0.0; design.n_columns()];
    let mut dispersion = 1.0;
    climb(design, &precisions, dispersion, &mut at)?;
    if options.is_dispersion_fitted {
        // The two depend on each other, but hardly: after two rounds nothing moves any more.
        for _ in 0..2 {
            dispersion = dispersion_of(design, &at);
            climb(design, &precisions, dispersion, &mut at)?;
        }
    }
    let (information, _) = slope(design, &precisions, dispersion, &at);
    let root = information.inverse_root().map_err(|_| FitError::NoSolution)?;
    Ok((at, root, dispersion))
}

/// Newton's method: what is climbed is concave, and has one top.
fn climb(
    design: &Design,
    precisions: &[f64],
    dispersion: f64,
    at: &mut [f64],
) -> Result<(), FitError> {
    for _ in 0..STEPS_MAX {
        let (information, gradient) = slope(design, precisions, dispersion, at);
        let step = information.solve(&gradient);
        let farthest = step.iter().map(|it| it.abs()).fold(0.0, f64::max);
        if !farthest.is_finite() {
            return Err(FitError::NoSolution);
        }
        let scale = if farthest > STEP_MAX { STEP_MAX / farthest } else { 1.0 };
        for (at, step) in at.iter_mut().zip(step) {
            *at += step * scale;
        }
        if farthest < 1e-9 {
            break;
        }
    }
    Ok(())
}

/// Information and gradient of the penalised likelihood.
fn slope(design: &Design, precisions: &[f64], dispersion: f64, at: &[f64]) -> (Square, Vec<f64>) {
    let mut information = Square::zero(at.len());
    let mut gradient: Vec<f64> = at.iter().zip(precisions).map(|(at, it)| -at * it).collect();
    for (it, &precision) in precisions.iter().enumerate() {
        information.add(it, it, precision);
    }
    for row in &design.rows {
        let p = chance_of(row, at);
        let n = row.scores.n as f64;
        let weight = n * p * (1.0 - p) / dispersion;
        let pull = (row.scores.sum as f64 / ONE - n * p) / dispersion;
        let [first, second] = row.units;
        gradient[first] += pull;
        gradient[second] -= pull;
        // A bot's own versions may have met in what is not rated; then they are one column.
        if first != second {
            information.add(first, first, weight);
            information.add(second, second, weight);
            information.add(first, second, -weight);
        }
        for (place, &one) in row.others.iter().enumerate() {
            gradient[one] += pull;
            if first != second {
                information.add(one, first, weight);
                information.add(one, second, -weight);
            }
            for &two in &row.others[..=place] {
                information.add(one, two, weight);
            }
        }
    }
    (information, gradient)
}

fn chance_of(row: &Row, at: &[f64]) -> f64 {
    let others: f64 = row.others.iter().map(|&it| at[it]).sum();
    let log_odds = at[row.units[0]] - at[row.units[1]] + others;
    1.0 / (1.0 + (-log_odds).exp())
}

/// Pearson's: what results are off by, squared, in parts of what coins would be off by.
fn dispersion_of(design: &Design, at: &[f64]) -> f64 {
    let mut off = 0.0;
    let mut n_matches = 0.0;
    for row in &design.rows {
        let p = chance_of(row, at).clamp(1e-6, 1.0 - 1e-6);
        let (n, sum) = (row.scores.n as f64, row.scores.sum as f64 / ONE);
        let squares = row.scores.squares as f64 / ONE;
        off += (squares - 2.0 * p * sum + n * p * p) / (p * (1.0 - p));
        n_matches += n;
    }
    let n_free = (n_matches - design.n_columns() as f64).max(0.0);
    match n_free > 0.0 {
        true => ((off + DISPERSION_KNOWN) / (n_free + DISPERSION_KNOWN)).clamp(0.01, 10.0),
        false => 1.0,
    }
}

fn strengths(
    design: &Design,
    at: &[f64],
    root: &InverseRoot,
    options: &FitOptions,
) -> Vec<Strength> {
    let chances = top_chances(design, at, root, options);
    let mut strengths = Vec::new();
    for (role, name) in design.roles.iter().enumerate() {
        let now = playing(design, role);
        let mut weights = vec![0.0; at.len()];
        for &it in &now {
            weights[it] = 1.0 / now.len() as f64;
        }
        let mean: f64 = now.iter().map(|&it| at[it] * weights[it]).sum();
        let variances = root.variances_about(&weights);
        strengths.extend(now.into_iter().map(|it| Strength {
            bot: design.units[it].bot,
            version: design.versions[it].0,
            role: name.clone(),
            strength: 1500.0 + (at[it] - mean) * POINTS,
            deviation: variances[it].sqrt() * POINTS,
            top_chance: chances[it],
            matches: design.versions[it].1,
        }));
    }
    strengths
}

fn effects(design: &Design, at: &[f64], root: &InverseRoot) -> Vec<Effect> {
    let seat = design.has_seat.then_some(None).into_iter();
    let all = seat.chain(design.levels.iter().cloned().map(Some));
    let effect = |(place, of): (usize, Option<(String, String)>)| {
        let column = design.units.len() + place;
        let mut weights = vec![0.0; at.len()];
        weights[column] = 1.0;
        let deviation = root.variance(&weights).sqrt() * POINTS;
        Effect { of, points: at[column] * POINTS, deviation }
    };
    all.enumerate().map(effect).collect()
}

/// For each column, in what part of all draws it is among the best of its role.
fn top_chances(design: &Design, at: &[f64], root: &InverseRoot, options: &FitOptions) -> Vec<f64> {
    let mut chance = Chance::new(options.seed);
    let mut among = vec![0_u32; at.len()];
    let mut roles: Vec<Vec<usize>> =
        (0..design.roles.len()).map(|it| playing(design, it)).collect();
    let draws = options.draws.max(1);
    let mut parts = vec![0.0; at.len()];
    for _ in 0..draws {
        parts.fill_with(|| chance.normal());
        let off = root.draw(&parts);
        let drawn = |it: usize| at[it] + off[it];
        for role in &mut roles {
            let top = options.top.min(role.len());
            if top > 0 && top < role.len() {
                role.select_nth_unstable_by(top - 1, |&one, &two| {
                    drawn(two).total_cmp(&drawn(one)).then(one.cmp(&two))
                });
            }
            for &it in &role[..top] {
                among[it] += 1;
            }
        }
    }
    among.into_iter().map(|it| f64::from(it) / draws as f64).collect()
}

/// The columns of those who play in a role now.
fn playing(design: &Design, role: usize) -> Vec<usize> {
    let units = design.units.iter().enumerate();
    units.filter(|it| it.1.role == role && !it.1.is_former).map(|it| it.0).collect()
}

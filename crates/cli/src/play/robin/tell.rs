//! What a person, or a script, is told of a round robin.

use std::{fmt::Write as _, time::Duration};

use game::{Fraction, Seat};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value as Json, json};

use contest::{Settled, Tie};

use super::{
    boards::Met,
    tables::{Conduct, Done, Line, Placed, Stage, Table},
};
use crate::play::tell::{STDERR_LINES_MAX, Tell, last_lines, seat_summary};

/// How often the time left is reckoned anew.
const TICK: Duration = Duration::from_secs(1);

/// How far a stage is, on a terminal.
pub(in crate::play) struct Progress(ProgressBar);

impl Progress {
    pub(super) fn one_more(&self) {
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

impl Tell {
    /// Shown where standard error is a terminal, and gone when it is dropped.
    pub(super) fn progress(&self, stage: &'static str, n_matches: usize) -> Progress {
        // Hidden too where there is no terminal.
        let target = match self.is_quiet() {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr(),
        };
        let bar = ProgressBar::with_draw_target(Some(n_matches as u64), target);
        let style = "{msg}: {pos} of {len} matches [{bar:30}] {eta} left";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(stage);
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        Progress(bar)
    }

    pub(super) fn contest(&self, done: &Done) {
        if self.is_json() {
            crate::say::say!("{:#}", summary(done));
        } else if !self.is_quiet() {
            crate::say::out(format_args!("{}", words(done)));
        }
    }
}

fn summary(done: &Done) -> Json {
    let Done { contest, stages, n_boards, jail } = done;
    let bots = contest.entrants.iter().enumerate().map(|(bot, it)| {
        let Conduct { faults, matches, first, warnings } = done.conduct(bot);
        let first = first.map(|it| {
            json!({ "against": it.against, "ply": it.ply, "why": it.why, "stderr": it.stderr })
        });
        json!({
            "name": it.name,
            "program": it.program,
            "role": contest.role(it.role),
            "faults": faults,
            "matches_with_faults": matches,
            "first_fault": first,
            "warnings": warnings,
        })
    });
    let ranking = done.ranking().into_iter().map(|(role, placed)| {
        let placed = placed.iter().map(|Placed { rank, bot }| json!({ "rank": rank, "bot": bot }));
        json!({ "role": role, "ranking": placed.collect::<Vec<_>>() })
    });
    json!({
        "game": contest.game.id(),
        "rules": contest.game.rules(),
        "jail": jail,
        "at_once": n_boards,
        "bots": bots.collect::<Vec<_>>(),
        "stages": stages.iter().map(|it| stage_summary(done, it)).collect::<Vec<_>>(),
        "rankings": ranking.collect::<Vec<_>>(),
    })
}

fn stage_summary(done: &Done, stage: &Stage) -> Json {
    let measures = done.contest.game.measures();
    let line = |Line { row, measures: sums }: &Line| {
        let sums = measures.iter().zip(sums).map(|(it, sum)| (it.name.to_owned(), json!(sum)));
        let tie = row.tie.as_ref().map(|Tie { with, points, margin, settled }| {
            let settled = match settled {
                Settled::ByPoints => "points",
                Settled::ByMargin => "margin",
                Settled::NotAtAll => "shared",
            };
            json!({ "with": with, "points": points, "margin": margin, "settled_by": settled })
        });
        json!({
            "bot": row.entrant,
            "rank": row.rank,
            "points": row.points,
            "won": row.won,
            "drawn": row.drawn,
            "lost": row.lost,
            "measures": serde_json::Map::from_iter(sums),
            "tie": tie,
        })
    };
    let table = |it: &Table| {
        let rows = it.lines.iter().map(line).collect::<Vec<_>>();
        json!({ "role": it.role, "rows": rows })
    };
    let met = |it: &Met| {
        let seats = it.seats.iter().map(|(seat, report)| {
            let n = usize::from(seat.0);
            let role = done.contest.game.roles()[n];
            let program = &done.contest.entrants[it.bots[n]].program;
            seat_summary(role, program, (seat, &it.outcome), report)
        });
        json!({
            "bots": it.bots,
            "plies": it.plies,
            "attempts": it.attempts,
            "outcome": it.outcome,
            "seats": seats.collect::<Vec<_>>(),
            "record": it.record,
        })
    };
    json!({
        "stage": stage.name,
        "setup": stage.setup,
        "tables": stage.tables.iter().map(table).collect::<Vec<_>>(),
        "matches": stage.met.iter().map(met).collect::<Vec<_>>(),
    })
}

fn words(done: &Done) -> String {
    let mut text = String::new();
    for stage in &done.stages {
        for table in &stage.tables {
            let of = table.role.map(|it| format!(", {it}")).unwrap_or_default();
            let _ = writeln!(text, "{}{of}", stage.name);
            text += &aligned(&table_rows(done, table));
            text.push('\n');
        }
        text += &aligned(&meetings(done, stage));
        text.push('\n');
    }
    if done.stages.len() > 1 {
        for (role, placed) in done.ranking() {
            let of = role.map(|it| format!(", {it}")).unwrap_or_default();
            let _ = writeln!(text, "in the end{of}");
            let row = |it: &Placed| vec![it.rank.to_string(), name(done, it.bot).to_owned()];
            text += &aligned(&placed.iter().map(row).collect::<Vec<_>>());
            text.push('\n');
        }
    }
    for bot in 0..done.contest.entrants.len() {
        text += &conduct_words(done, bot);
    }
    while text.ends_with("\n\n") {
        text.pop();
    }
    text
}

/// The head, and a row for each bot.
fn table_rows(done: &Done, table: &Table) -> Vec<Vec<String>> {
    let mut head = ["rank", "bot", "points", "won", "drawn", "lost"].map(str::to_owned).to_vec();
    head.extend(done.contest.game.measures().iter().map(|it| it.label.to_lowercase()));
    let row = |Line { row, measures }: &Line| {
        let mut cells = vec![
            row.rank.to_string(),
            name(done, row.entrant).to_owned(),
            decimal(row.points),
            row.won.to_string(),
            row.drawn.to_string(),
            row.lost.to_string(),
        ];
        cells.extend(measures.iter().map(|it| it.mixed()));
        if let Some(tie) = &row.tie {
            cells.push(tie_words(tie));
        }
        cells
    };
    [head].into_iter().chain(table.lines.iter().map(row)).collect()
}

fn tie_words(Tie { with, points, margin, settled }: &Tie) -> String {
    // Who met has shared out some.
    if (*points, *margin, *settled) == (Fraction::ZERO, Fraction::ZERO, Settled::NotAtAll) {
        return format!("{} tied, who did not meet: shared", with.len() + 1);
    }
    let sign = if margin.num() > 0 { "+" } else { "" };
    let text = format!("among {} tied: points {}", with.len() + 1, decimal(*points));
    match settled {
        Settled::ByPoints => text,
        Settled::ByMargin => format!("{text}, margin {sign}{}", margin.mixed()),
        Settled::NotAtAll => format!("{text}, margin {sign}{}, shared", margin.mixed()),
    }
}

/// The head, and a row for each match: who beat whom, and by what.
fn meetings(done: &Done, stage: &Stage) -> Vec<Vec<String>> {
    let mut head = ["match", "", ""].map(str::to_owned).to_vec();
    head.extend(done.contest.game.measures().iter().map(|it| it.label.to_lowercase()));
    let row = |met: &Met| {
        let place = |it: usize| met.outcome.places[Seat(it as u8)];
        let (one, two) = if place(0) <= place(1) { (0, 1) } else { (1, 0) };
        let verb = if place(0) == place(1) { "drew with" } else { "beat" };
        let names = [one, two].map(|it| name(done, met.bots[it]));
        let mut cells = [names[0], verb, names[1]].map(str::to_owned).to_vec();
        cells.extend(met.outcome.measures.iter().map(|of| {
            let [one, two] = [one, two].map(|it| of[Seat(it as u8)].mixed());
            format!("{one} : {two}")
        }));
        cells
    };
    [head].into_iter().chain(stage.met.iter().map(row)).collect()
}

/// What one did that it should not; nothing where it did not.
fn conduct_words(done: &Done, bot: usize) -> String {
    let Conduct { faults, matches, first, warnings } = done.conduct(bot);
    let mut text = String::new();
    let name_of = |it| name(done, it);
    let of = |n: u32, one: &str, more: &str| match n {
        1 => format!("1 {one}"),
        n => format!("{n} {more}"),
    };
    if let Some(first) = first {
        let (faults, matches) = (of(faults, "fault", "faults"), of(matches, "match", "matches"));
        let (against, why) = (name_of(first.against), &first.why);
        let ply = first.ply;
        let _ = writeln!(
            text,
            "{}: {faults} in {matches}; the first against {against} at ply {ply}: {why}",
            name_of(bot)
        );
        for line in last_lines(&first.stderr, STDERR_LINES_MAX) {
            let _ = writeln!(text, "    | {}", line.escape_debug());
        }
    }
    if warnings > 0 {
        let _ = writeln!(text, "{}: {}", name_of(bot), of(warnings, "warning", "warnings"));
    }
    text
}

fn name(done: &Done, bot: usize) -> &str {
    &done.contest.entrants[bot].name
}

/// Whole where it is, and else to the second place.
fn decimal(it: Fraction) -> String {
    match it.den() {
        1 => it.num().to_string(),
        _ => format!("{:.2}", it.to_f64()),
    }
}

/// Columns under each other: what counts is a number on the right, all else on the left.
fn aligned(rows: &[Vec<String>]) -> String {
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|it| it.get(column)).map(|it| it.chars().count()).max().unwrap_or(0)
    };
    let is_number = |it: &String| it.chars().all(|it| it.is_ascii_digit() || " :./-".contains(it));
    let right = |column: usize| {
        rows.iter().skip(1).filter_map(|it| it.get(column)).all(is_number) && rows.len() > 1
    };
    let columns: Vec<(usize, bool)> = (0..n_columns).map(|it| (width(it), right(it))).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, (width, right)) in row.iter().zip(&columns) {
            match right {
                true => write!(line, "  {cell:>width$}"),
                false => write!(line, "  {cell:<width$}"),
            }
            .unwrap_or_default();
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

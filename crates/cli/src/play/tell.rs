//! What a person, or a script, is told of a match.

use std::fmt::Write as _;

use game::{Outcome, Seat};
use referee::{AnyPosition, Eyes};
use runner::{Batch, Played, SeatReport, causes};
use serde_json::{Value as Json, json};
use tokio::sync::mpsc;

use super::{Failure, Match, Options, robin::Unbuilt};

/// Last lines of a bot's complaints that are shown to a person.
pub(super) const STDERR_LINES_MAX: usize = 20;

/// Prints what was asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tell {
    rounds: bool,
    json: bool,
    quiet: bool,
    jail: bool,
}

impl Tell {
    pub(super) fn new(options: &Options) -> Tell {
        let Options { rounds, json, quiet, jail, .. } = *options;
        Tell { rounds, json, quiet, jail }
    }

    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.quiet
    }

    pub(super) fn wants_rounds(&self) -> bool {
        self.rounds
    }

    /// Honest about what `agon play` does not do.
    pub(super) fn warns_of_no_jail(&self) {
        if !self.quiet && !self.jail {
            crate::say::note!(
                "Bots run as you, without a jail: they may do what you may, memory has no limit, and \
                 their pause in the opponent's turn is a stop signal. The judge's own way: --jail."
            );
        }
    }

    pub(super) fn failure(&self, failure: &Failure) {
        let (kind, what) = match failure {
            Failure::Usage(why) => ("usage", why.clone()),
            Failure::Bot { seat, why, .. } => {
                ("bot", format!("the bot on seat {}: {why}", seat.0 + 1))
            }
            Failure::Bots(unbuilt) => {
                let each: Vec<_> =
                    unbuilt.iter().map(|it| format!("{}: {}", it.name, it.why)).collect();
                ("bot", each.join("; "))
            }
            Failure::Judge(why) => ("judge", format!("the match could not be played: {why}")),
            Failure::Interrupted => ("interrupted", "interrupted".to_owned()),
        };
        match failure {
            Failure::Bots(unbuilt) => {
                for Unbuilt { name, why, log } in unbuilt {
                    crate::say::note!("agon play: {name}: {why}");
                    crate::say::err(format_args!("{log}"));
                }
            }
            _ => crate::say::note!("agon play: {what}"),
        }
        if let Failure::Bot { log, .. } = failure {
            crate::say::err(format_args!("{log}"));
        }
        if self.json {
            let mut error = json!({ "kind": kind, "what": what });
            if let Failure::Bot { seat, log, .. } = failure {
                error["seat"] = json!(seat.0);
                error["log"] = json!(log);
            }
            if let Failure::Bots(unbuilt) = failure {
                let each = unbuilt
                    .iter()
                    .map(|it| json!({ "bot": it.name, "why": it.why, "log": it.log }));
                error["bots"] = each.collect();
            }
            crate::say::say!("{:#}", json!({ "error": error }));
        }
    }

    /// Prints plies as they come.
    pub(super) async fn rounds(
        &self,
        asked: &Match,
        mut batches: mpsc::Receiver<Batch>,
    ) -> Result<(), Failure> {
        let judge = |error: referee::ReplayError| Failure::Judge(causes(&error));
        let position = asked.game.position(&asked.setup, &asked.sitters()).map_err(judge)?;
        let mut plies = Plies { position, roles: asked.game.roles(), n_rounds: 0, seen: vec![] };
        while let Some(batch) = batches.recv().await {
            for frame in &batch.plies {
                let text = plies.text(frame.get()).map_err(judge)?;
                // With --json, standard output is for that alone.
                if self.json {
                    crate::say::err(format_args!("{text}"))
                } else {
                    crate::say::out(format_args!("{text}"))
                }
            }
        }
        Ok(())
    }

    pub(super) fn result(&self, asked: &Match, options: &Options, played: &Played) {
        if self.json {
            crate::say::say!("{:#}", summary(asked, options, played));
        } else if !self.quiet {
            crate::say::out(format_args!("{}", words(asked, played)));
        }
    }
}

/// Plies as text, numbered by rounds: one is over when a seat is asked that was asked in it.
struct Plies {
    position: Box<dyn AnyPosition>,
    roles: &'static [&'static str],
    n_rounds: u32,
    seen: Vec<usize>,
}

impl Plies {
    fn text(&mut self, frame: &str) -> Result<String, referee::ReplayError> {
        let frame = self.position.advance(frame, &Eyes::All)?;
        let ply: Vec<Json> =
            frame.ply.and_then(|it| serde_json::from_str(it.get()).ok()).unwrap_or_default();
        let mut text = String::new();
        let asked: Vec<usize> =
            ply.iter().enumerate().filter(|(_, it)| !it.is_null()).map(|(n, _)| n).collect();
        if self.n_rounds == 0 || asked.iter().any(|it| self.seen.contains(it)) {
            self.n_rounds += 1;
            self.seen.clear();
            let _ = writeln!(text, "round {}", self.n_rounds);
        }
        for remark in &frame.remarks {
            let role = self.roles[usize::from(remark.seat.0)];
            let kind = format!("{:?}", remark.kind).to_lowercase();
            let _ = writeln!(text, "    {role} ({kind}): {}", remark.text.escape_debug());
        }
        for &seat in &asked {
            let spent = frame.spent.as_ref().and_then(|it| *it.get(game::Seat(seat as u8))?);
            let spent = spent.and_then(|it| serde_json::to_value(it).ok()?["charged_ms"].as_f64());
            let (role, answer) = (self.roles[seat], answer(&ply[seat]));
            let _ =
                writeln!(text, "  {role:<12} {answer:<32} {:>9.1} ms", spent.unwrap_or_default());
        }
        for event in &frame.events {
            let _ = writeln!(text, "    {event}");
        }
        self.seen.extend(asked);
        Ok(text)
    }
}

/// `{"action": x}` as x, `{"fault": x}` with a word before it.
fn answer(answer: &Json) -> String {
    match (&answer["action"], &answer["fault"]) {
        (Json::Null, fault) => format!("fault {fault}"),
        (Json::String(action), _) => action.clone(),
        (action, _) => action.to_string(),
    }
}

/// What a bot did in a match, for scripts.
pub(super) fn seat_summary(
    role: &str,
    program: &str,
    (seat, outcome): (Seat, &Outcome),
    it: &SeatReport,
) -> Json {
    let ms = |it: std::time::Duration| it.as_micros() as f64 / 1000.0;
    let fault = it
        .fault
        .as_ref()
        .map(|(ply, fault)| json!({ "ply": ply, "fault": fault, "why": fault.to_string() }));
    json!({
        "role": role,
        "program": program,
        "place": outcome.places[seat],
        "score": outcome.score[seat].to_f64(),
        "fault": fault,
        "faults": it.faults,
        "answers": it.answers,
        "warnings": it.warnings,
        "charged_ms": ms(it.charged),
        "slowest_ms": ms(it.slowest),
        "cpu_ms": ms(it.cpu),
        "memory_peak_bytes": it.memory_peak_bytes,
        "stderr": it.stderr,
    })
}

fn summary(asked: &Match, options: &Options, played: &Played) -> Json {
    let seats = played.seats.iter().map(|(seat, it)| {
        let n = usize::from(seat.0);
        seat_summary(asked.game.roles()[n], &asked.seats[n], (seat, &played.outcome), it)
    });
    json!({
        "game": asked.game.id(),
        "rules": asked.game.rules(),
        "setup": asked.setup,
        "jail": options.jail,
        "plies": played.plies,
        "outcome": played.outcome,
        "seats": seats.collect::<Vec<_>>(),
        "record": options.record,
    })
}

fn words(asked: &Match, played: &Played) -> String {
    let mut text = format!("{}\n", played.outcome.why);
    for (n, measure) in asked.game.measures().iter().enumerate() {
        if let Some(values) = played.outcome.measures.get(n) {
            let values: Vec<String> = values.iter().map(|(_, it)| it.mixed()).collect();
            let _ = writeln!(text, "{}: {}", measure.label, values.join(" : "));
        }
    }
    for (seat, it) in played.seats.iter() {
        let n = usize::from(seat.0);
        let _ = writeln!(
            text,
            "{:<12} place {}   {} answers, {:.1} ms charged, slowest {:.1} ms, {} warnings   {}",
            asked.game.roles()[n],
            played.outcome.places[seat],
            it.answers,
            it.charged.as_secs_f64() * 1000.0,
            it.slowest.as_secs_f64() * 1000.0,
            it.warnings,
            asked.seats[n],
        );
        if let Some((ply, fault)) = &it.fault {
            let _ = writeln!(text, "    fault at ply {ply}: {fault}");
        }
        for line in last_lines(&it.stderr, STDERR_LINES_MAX) {
            let _ = writeln!(text, "    | {}", line.escape_debug());
        }
    }
    text
}

pub(super) fn last_lines(text: &str, n_max: usize) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(n_max)..].to_vec()
}

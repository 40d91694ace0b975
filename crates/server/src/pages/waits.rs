//! When a match that waits will begin, as far as anybody can say: from its
//! place in the queue, how long jobs took of late, and what workers can run.

use std::collections::HashMap;

use jobs::Hello;
use store::{MatchRow, MatchState, Pace, Waiting};
use uuid::Uuid;

use super::{Catalogue, Refusal, catalogue::awake};
use crate::{
    AppState,
    views::{MatchLine, about_s, count},
};

/// How the matches of a page wait, in words.
#[derive(Default)]
pub(crate) struct Waits(HashMap<Uuid, String>);

/// When a match begins.
#[derive(Clone, Debug, PartialEq)]
enum Start {
    /// Nobody is there to play it.
    NoWorker,
    /// None of those who are there can run all of its bots.
    NotRun,
    /// In about so many seconds.
    In(f64),
    /// Nothing was played yet that would say how long that takes.
    Unknown,
}

impl Waits {
    /// Asks about those of `rows` that wait.
    pub(crate) async fn of<'a>(
        state: &AppState,
        rows: impl IntoIterator<Item = &'a MatchRow>,
    ) -> Result<Waits, Refusal> {
        let queued = rows.into_iter().filter(|it| it.state == MatchState::Queued);
        let queued: Vec<Uuid> = queued.map(|it| it.id).collect();
        if queued.is_empty() {
            return Ok(Waits::default());
        }
        let waiting = state.store.waiting(&queued).await?;
        let pace = state.store.pace().await?;
        let workers = state.store.status().await?.workers;
        let workers: Vec<&Hello> = awake(&workers).collect();
        let words = waiting.into_iter().map(|(id, it)| {
            let start = start(&it, &pace, &workers);
            (id, words(&it, &start, &state.site.catalogue))
        });
        Ok(Waits(words.collect()))
    }

    /// How a match waits; none where it does not.
    pub(crate) fn words(&self, id: Uuid) -> Option<&str> {
        self.0.get(&id).map(String::as_str)
    }

    /// Tells each line how its match waits.
    pub(super) fn tell(&self, lines: &mut [MatchLine]) {
        for line in lines {
            line.wait = self.words(line.id).map(str::to_owned);
        }
    }
}

/// Slots take one job after the other: what is before a match, shared out among them.
fn start(waiting: &Waiting, pace: &Pace, workers: &[&Hello]) -> Start {
    if workers.is_empty() {
        return Start::NoWorker;
    }
    let runs = |worker: &Hello, language: &String| {
        worker.languages.iter().any(|it| it.id == *language && it.toolchain.is_ok())
    };
    let able = workers.iter().filter(|it| waiting.languages.iter().all(|of| runs(it, of)));
    let slots_of = |it: &&&Hello| if waiting.with_people { it.people_slots } else { it.slots };
    let slots: u32 = able.map(|it| slots_of(&it)).sum();
    if slots == 0 {
        return Start::NotRun;
    }
    if waiting.with_people {
        // How long people think, nobody knows.
        return if waiting.matches_ahead == 0 { Start::In(0.0) } else { Start::Unknown };
    }
    let slots = f64::from(slots);
    let running = (pace.builds_running_s.len() + pace.matches_running_s.len()) as f64;
    let ahead = (waiting.builds_ahead + waiting.matches_ahead) as f64;
    if running + ahead < slots {
        return Start::In(0.0);
    }
    let work = |mean_s: Option<f64>, ahead: i64, running_s: &[f64]| {
        if ahead == 0 && running_s.is_empty() {
            return Some(0.0);
        }
        let mean_s = mean_s?;
        // What has run for longer than most runs, most often, for as long again.
        let left = |it: &f64| if *it <= mean_s { mean_s - it } else { *it };
        let left_s: f64 = running_s.iter().map(left).sum();
        Some(left_s + mean_s * ahead as f64)
    };
    let builds_s = work(pace.build_s, waiting.builds_ahead, &pace.builds_running_s);
    let matches_s = work(pace.match_s, waiting.matches_ahead, &pace.matches_running_s);
    match builds_s.zip(matches_s) {
        Some((builds_s, matches_s)) => Start::In((builds_s + matches_s) / slots),
        None => Start::Unknown,
    }
}

fn words(waiting: &Waiting, start: &Start, catalogue: &Catalogue) -> String {
    let place = match waiting.builds_ahead + waiting.matches_ahead {
        0 => "Next in the queue".to_owned(),
        ahead => format!("Number {} in the queue", count(ahead + 1)),
    };
    match start {
        Start::In(s) => format!("{place}; should begin {}.", about_s(*s)),
        Start::Unknown => {
            format!("{place}; nothing was played yet that would say how long that takes.")
        }
        Start::NoWorker => format!("{place}; no worker is connected, so it waits for one."),
        Start::NotRun => {
            let labels = waiting.languages.iter().map(|it| catalogue.language_label(it));
            let labels = labels.collect::<Vec<_>>().join(" and ");
            format!("{place}; no worker that is connected can run {labels}, so it waits for one.")
        }
    }
}

#[cfg(test)]
mod tests {
    use jobs::Language;

    use super::*;

    fn worker(slots: u32, languages: &[&str]) -> Hello {
        let language = |id: &&str| Language { id: (*id).into(), toolchain: Ok("1".into()) };
        Hello {
            version: "test".into(),
            start: Uuid::nil(),
            slots,
            people_slots: 1,
            languages: languages.iter().map(language).collect(),
            jail: Default::default(),
        }
    }

    #[test]
    fn a_start_is_what_the_queue_and_its_pace_say() {
        let busy = |n: usize, s: f64| vec![s; n];
        let two = [worker(1, &["cpp", "java"]), worker(1, &["cpp"])];
        // Builds and matches ahead, how long those under way have been, workers, and the start.
        type Row<'a> = (i64, i64, Vec<f64>, Vec<f64>, &'a [Hello], &'a str, Start);
        let table: [Row; 9] = [
            (0, 0, vec![], vec![], &[], "cpp", Start::NoWorker),
            (0, 0, vec![], vec![], &two, "rust", Start::NotRun),
            (0, 0, vec![], busy(1, 5.0), &two, "cpp", Start::In(0.0)),
            (0, 0, vec![], busy(2, 5.0), &two, "cpp", Start::In(5.0)),
            (0, 4, vec![], busy(2, 10.0), &two, "cpp", Start::In(20.0)),
            (0, 4, vec![], busy(2, 30.0), &two, "cpp", Start::In(50.0)),
            (2, 0, busy(1, 2.0), busy(1, 10.0), &two, "cpp", Start::In(2.0)),
            // One slot is left to it, and both that are taken count against it.
            (0, 1, vec![], busy(2, 10.0), &two, "java", Start::In(10.0)),
            (0, 0, busy(1, 1.0), vec![], &two[1..], "cpp", Start::In(1.0)),
        ];
        for (builds_ahead, matches_ahead, builds, matches, workers, language, expected) in table {
            let languages = vec![language.into()];
            let waiting = Waiting { builds_ahead, matches_ahead, languages, with_people: false };
            let pace = Pace {
                build_s: Some(2.0),
                match_s: Some(10.0),
                builds_running_s: builds,
                matches_running_s: matches,
            };
            let workers: Vec<&Hello> = workers.iter().collect();
            assert_eq!(start(&waiting, &pace, &workers), expected, "{waiting:?} {pace:?}");
        }
        let languages = vec!["cpp".into()];
        let waiting = Waiting { builds_ahead: 0, matches_ahead: 3, languages, with_people: false };
        let start = start(&waiting, &Pace::default(), &[&two[0]]);
        assert_eq!(start, Start::Unknown, "nothing was played yet");
    }
}

//! The laws, one function each.

use std::time::Duration;

use game::{
    Answer, Dialect, End, Fault, FieldKind, Fraction, Game, Outcome, PerSeat, Place, Ply, Remark,
    RemarkKind, Seat, Sitter, Turn,
};
use proptest::{prelude::*, test_runner::TestRunner};
use referee::{
    AnyGame, AnyPosition, AnyTools, Entry, Eyes, Frame, Record, Referee, Spent, judge, replay,
};
use serde_json::{Map, Value as Json};

use crate::{Kit, Step, simulate, simulation};

/// Random matches a law is tried on, for each set-up.
const MATCHES: u32 = 200;
const SECOND: Duration = Duration::from_secs(1);

pub(crate) fn names_and_fields_are_well_formed<G: Game>(kit: &Kit<G>) {
    let word = |it: &str, more: char| {
        !it.is_empty()
            && it.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == more)
    };
    assert!(word(G::ID, '-'), "`{}` is no game id: a-z, 0-9 and - are", G::ID);
    assert!(G::ROLES.iter().all(|it| word(it, '-')), "roles are words: {:?}", G::ROLES);
    assert!(!G::ROLES.is_empty() && G::ROLES.len() <= 16, "a game has 1 to 16 seats");
    assert!(G::MEASURES.iter().all(|it| word(it.name, '_')), "measures are words");
    for setup in &kit.setups {
        let json = serde_json::to_value(setup).expect("a set-up is plain data");
        for secret in G::SECRETS {
            assert!(json.get(secret).is_some(), "secret `{secret}` is not in {json}");
        }
        let back: G::Setup = serde_json::from_value(json.clone()).expect("a set-up is read back");
        assert_eq!(serde_json::to_value(back).expect("a set-up is plain data"), json);
    }
}

/// Every value that a form lets through makes a match that is worth playing.
pub(crate) fn filled_forms_make_set_ups<G: Game, D: Dialect<G>>() {
    let entry = Entry::<G, D>::NEW;
    let set_up = |filled: &Map<String, Json>| {
        let setup = entry.set_up(filled).unwrap_or_else(|why| panic!("{filled:?}: {why}"));
        entry.inspect_setup(&setup).unwrap_or_else(|why| panic!("{filled:?}: {why}"));
        assert_eq!(entry.set_up(filled).as_ref(), Ok(&setup), "the same is filled in twice");
    };
    set_up(&Map::new());
    for field in G::FIELDS {
        let (allowed, refused): (Vec<Json>, Vec<Json>) = match field.kind {
            FieldKind::Whole { min, max, default } => (
                vec![min.into(), max.into(), default.into(), default.to_string().into()],
                vec![(i64::from(min) - 1).into(), (u64::from(max) + 1).into(), 0.5.into()],
            ),
            FieldKind::Choice { options } => {
                (options.iter().map(|it| it.0.into()).collect(), vec!["?".into(), 1.into()])
            }
        };
        for value in allowed {
            set_up(&Map::from_iter([(field.name.to_owned(), value)]));
        }
        for value in refused.into_iter().chain([Json::Null, Json::from(vec![1])]) {
            let found = Map::from_iter([(field.name.to_owned(), value)]);
            let Err(why) = entry.set_up(&found) else { panic!("{found:?} passed") };
            assert!(why.0.starts_with(field.name), "{found:?}: {why} names no field");
        }
    }
    let unknown = Map::from_iter([("no such field".to_owned(), Json::from(1))]);
    assert!(entry.set_up(&unknown).is_err());
}

/// Nothing passes inspection that the rules refuse; and a flaw of one field says which.
pub(crate) fn what_cannot_be_started_is_flawed<G: Game + Send, D: Dialect<G> + Send>(kit: &Kit<G>)
where
    G::Setup: Send,
    G::Action: Send,
{
    let entry = Entry::<G, D>::NEW;
    let bots = PerSeat::new(G::ROLES.len(), |_| Sitter::Bot);
    for setup in kit.setups.iter().map(json) {
        let keys = setup.as_object().into_iter().flat_map(Map::keys);
        let wrong = [Json::Null, (-1).into(), u32::MAX.into(), "?".into(), Json::Array(Vec::new())];
        for (key, value) in keys.flat_map(|key| wrong.iter().map(move |it| (key, it))) {
            let mut damaged = setup.clone();
            damaged[key] = value.clone();
            let refused = entry.check_setup(&damaged, &bots).is_err();
            match entry.inspect_setup(&damaged) {
                Ok(_) => assert!(!refused, "{damaged} passes inspection, and starts no match"),
                Err(flaw) => {
                    assert!(!flaw.why.0.is_empty(), "{damaged} is flawed without a reason");
                    if let Some(Place::Field(name)) = &flaw.at {
                        assert!(flaw.why.0.starts_with(name), "{flaw:?} is not of {name}");
                    }
                }
            }
        }
        assert!(entry.inspect_setup(&Json::Null).is_err());
    }
}

/// Files of others hold all of a set-up, and of a match all that decides it.
pub(crate) fn files_of_others_lose_nothing<G: Game, D: Dialect<G>>(kit: &Kit<G>) {
    let entry = Entry::<G, D>::NEW;
    for format in entry.setup_formats() {
        for setup in kit.setups.iter().map(json) {
            let file = entry.write_setup(format.name, &setup).expect("a legal set-up");
            assert_eq!(entry.read_setup(format.name, &file), Ok(setup), "as {}", format.name);
        }
        assert!(entry.read_setup(format.name, b"").is_err());
    }
    let names = PerSeat::new(G::ROLES.len(), |it| format!("player {}", it.0));
    for format in entry.record_formats() {
        each::<G, D>(kit, |_, referee| {
            let record = serde_json::to_vec(referee.record()).expect("a record is plain data");
            let files = entry.write_record(format.name, &record, &names).expect("a whole match");
            let files: Vec<_> = files.iter().map(Vec::as_slice).collect();
            let read = entry.read_record(format.name, &files);
            let (read, read_names) = read.map_err(|why| TestCaseError::fail(why.to_string()))?;
            prop_assert_eq!(&read_names, &names);
            let read: Record<G> = serde_json::from_slice(&read).expect("a record");
            prop_assert_eq!(read.plies.len(), referee.record().plies.len());
            let last = replay(&read).expect("a record").last().expect("the start at least");
            let [told, known] = [&last.expect("a record").0, referee.game()].map(outcome_of);
            let measures = |it: Option<Outcome>| it.map(|it| (it.places, it.score, it.measures));
            prop_assert_eq!(measures(told), measures(known));
            Ok(())
        });
        assert!(entry.read_record(format.name, &[]).is_err());
        assert!(entry.read_record(format.name, &[b"{}"]).is_err());
    }
}

pub(crate) fn any_bytes_end_in_a_result_that_replays<G: Game, D: Dialect<G>>(kit: &Kit<G>) {
    each::<G, D>(kit, |_, referee| {
        let outcome = outcome_of(referee.game()).expect("a simulated match is over");
        well_formed::<G>(&outcome)?;
        let text = serde_json::to_string(referee.record()).expect("a record is plain data");
        let record: Record<G> = serde_json::from_str(&text).expect("a record is read back");
        let last = replay(&record).expect("our own record").last().expect("the start at least");
        let (last, _) = last.expect("our own plies");
        let replayed = outcome_of(&last);
        prop_assert_eq!(replayed.as_ref(), Some(&outcome), "the replay ends otherwise");
        let verdict = judge(&record, &mut || true).expect("our own record");
        prop_assert_eq!(verdict.outcome, Some(outcome), "it is judged otherwise");
        let answers = record.plies.iter().flat_map(PerSeat::iter);
        let n_faults = answers.filter(|it| matches!(it.1, Some(Answer::Fault(_)))).count() as u32;
        prop_assert_eq!(verdict.faults.iter().map(|it| it.1.n).sum::<u32>(), n_faults);
        let frames = referee.record().plies.len() as u32;
        prop_assert!(frames == 0 || referee.frame(frames - 1).is_some());
        prop_assert!(referee.frame(frames).is_none());
        Ok(())
    });
}

/// The same bytes at the same times, cut otherwise, make the same plies.
pub(crate) fn chunks_do_not_matter<G: Game, D: Dialect<G>>(kit: &Kit<G>) {
    each::<G, D>(kit, |(setup, steps), whole| {
        for chunk_bytes in [1, 7] {
            let cut = simulate::<G, D>(setup, steps, chunk_bytes);
            prop_assert_eq!(json(&cut.record().plies), json(&whole.record().plies));
        }
        Ok(())
    });
}

pub(crate) fn seats_do_not_see_what_is_hidden<G, D>(kit: &Kit<G>)
where
    G: Game + Send,
    G::Setup: Send,
    G::Action: Send,
    D: Dialect<G> + Send,
{
    each::<G, D>(kit, |_, referee| {
        let record = serde_json::to_vec(referee.record()).expect("a record is plain data");
        for seat in (0..G::ROLES.len() as u8).map(Seat) {
            let told = Entry::<G, D>::NEW.replay(&record, Some(seat)).expect("our own record");
            let positions = replay(referee.record()).expect("our own record");
            for (position, frame) in positions.zip(&told.frames) {
                let (game, _) = position.expect("our own plies");
                let known = |it: &&str| told.setup.get(it).is_some();
                prop_assert_eq!(G::SECRETS.iter().copied().find(|it| known(it)), None);
                let leak = (kit.leak)(&game, seat, &json(frame));
                prop_assert_eq!(leak, None, "seat {} sees too much", seat.0);
            }
        }
        Ok(())
    });
}

/// Whoever watches a match as it is played is told what its replay tells the same eyes.
pub(crate) fn live_and_replay_tell_the_same<G, D>(kit: &Kit<G>)
where
    G: Game + Send,
    G::Setup: Send,
    G::Action: Send,
    D: Dialect<G> + Send,
{
    each::<G, D>(kit, |(setup, _), referee| {
        let record = serde_json::to_vec(referee.record()).expect("a record is plain data");
        for eye in (0..G::ROLES.len() as u8).map(Seat).map(Some).chain([None]) {
            let replay = Entry::<G, D>::NEW.replay(&record, eye).expect("our own record");
            let mut live = first_position::<G, D>(setup, Sitter::Bot);
            for (ply_no, replayed) in replay.frames.iter().skip(1).enumerate() {
                let frame = json(&referee.frame(ply_no as u32)).to_string();
                let told = live.advance(&frame, &eye.into()).expect("our own frame");
                prop_assert_eq!(json(&told), json(replayed), "ply {} for {:?}", ply_no, eye);
            }
            prop_assert_eq!(live.outcome(), replay.outcome);
        }
        Ok(())
    });
}

/// Others answer, spend and say something else: where that makes no difference
/// to what a seat sees and hears, it makes none to all that the seat is told.
pub(crate) fn what_seats_neither_see_nor_hear_they_are_not_told<G, D>(kit: &Kit<G>)
where
    G: Game + Send,
    G::Setup: Send,
    G::Action: Send,
    D: Dialect<G> + Send,
{
    each::<G, D>(kit, |(setup, _), referee| {
        let n_plies = referee.record().plies.len() as u32;
        let frames: Vec<_> = (0..n_plies).filter_map(|it| referee.frame(it)).collect();
        for seat in (0..G::ROLES.len() as u8).map(Seat) {
            let eyes = Eyes::Of(seat);
            // From the start they are soon told apart, from later on there is more to tell.
            for changed_from in [0, frames.len() / 3, frames.len() * 2 / 3] {
                let [mut one, mut other] =
                    [(); 2].map(|()| first_position::<G, D>(setup, Sitter::Bot));
                for (ply_no, frame) in frames.iter().enumerate() {
                    let changed = match ply_no < changed_from {
                        true => frame.clone(),
                        false => changed_for_others(seat, frame, &frames[ply_no / 2]),
                    };
                    let told = one.advance(&json(frame).to_string(), &eyes);
                    let told = json(&told.expect("our own frame"));
                    // Who is asked next may have changed already, where nobody could see it yet.
                    let Ok(told_other) = other.advance(&json(&changed).to_string(), &eyes) else {
                        break;
                    };
                    let told_other = json(&told_other);
                    let same = |part: &str| told[part] == told_other[part];
                    if !same("view") || !same("events") {
                        break;
                    }
                    prop_assert_eq!(told, told_other, "seat {} is told of others", seat.0);
                }
            }
        }
        Ok(())
    });
}

/// The position of a match before its first ply, with such a sitter on every seat.
pub(crate) fn first_position<G, D>(setup: &G::Setup, sitter: Sitter) -> Box<dyn AnyPosition>
where
    G: Game + Send,
    G::Setup: Send,
    G::Action: Send,
    D: Dialect<G> + Send,
{
    let sitters = PerSeat::new(G::ROLES.len(), |_| sitter);
    Entry::<G, D>::NEW.position(&json(setup), &sitters).expect("a legal set-up")
}

/// `frame` with other answers, costs and remarks of all seats but `seat`; the
/// answers are those of `like`, or none in time.
fn changed_for_others<A: Clone + PartialEq>(
    seat: Seat,
    frame: &Frame<A>,
    like: &Frame<A>,
) -> Frame<A> {
    let mut changed = frame.clone();
    for (of, answer) in changed.ply.iter_mut().filter(|(of, _)| *of != seat) {
        let Some(answer) = answer else { continue };
        *answer = match &like.ply[of] {
            Some(other) if other != answer => other.clone(),
            _ => Answer::Fault(Fault::Late),
        };
    }
    for (_, spent) in changed.spent.iter_mut().filter(|(of, _)| *of != seat) {
        *spent = spent.map(|it| Spent { charged: it.charged + SECOND, ..it });
    }
    changed.remarks.retain(|it| it.seat == seat);
    let ply = frame.remarks.first().map_or(0, |it| it.ply);
    let others = changed.ply.seats().filter(|of| *of != seat);
    changed.remarks.extend(others.map(|seat| Remark {
        ply,
        seat,
        kind: RemarkKind::Log,
        text: "secret".into(),
    }));
    changed
}

/// Answers of the wrong seat, none at all, and actions out of their time.
pub(crate) fn play_takes_any_answer<G: Game, D: Dialect<G>>(kit: &Kit<G>) {
    each::<G, D>(kit, |(setup, _), referee| {
        let n_seats = G::ROLES.len();
        let actions: Vec<Answer<G::Action>> = referee
            .record()
            .plies
            .iter()
            .flat_map(|it| it.iter())
            .filter_map(|(_, it)| it.clone())
            .collect();
        let faults = [
            Answer::Fault(Fault::Late),
            Answer::Fault(Fault::LateTotal),
            Answer::Fault(Fault::Gone(End::Exited(1))),
            Answer::Fault(Fault::Garbled("noise".into())),
        ];
        let any: Vec<_> = actions.into_iter().chain(faults).map(Some).chain([None]).collect();
        let sitters = PerSeat::new(n_seats, |_| Sitter::Bot);
        let mut game = G::start(setup, &sitters, &mut Vec::new()).expect("a legal set-up");
        let mut over = None;
        for turn_no in 0..300 {
            let ply: Ply<G::Action> = PerSeat::new(n_seats, |seat| {
                any[(turn_no * 7 + usize::from(seat.0) * 3) % any.len()].clone()
            });
            game.play(&ply, &mut Vec::new());
            json(&game.view(None));
            over = match (over, outcome_of(&game)) {
                (Some(before), now) => {
                    prop_assert_eq!(Some(&before), now.as_ref(), "an end is the end");
                    Some(before)
                }
                (None, now) => now,
            };
        }
        // Fewer answers than seats must not break anything either.
        game.play(&PerSeat::new(0, |_| None), &mut Vec::new());
        Ok(())
    });
}

pub(crate) fn damaged_records_are_refused<G: Game, D: Dialect<G>>(kit: &Kit<G>) {
    each::<G, D>(kit, |_, referee| {
        let good = json(referee.record());
        let mut bad = Vec::new();
        for (key, value) in [
            ("game", Json::from("chess")),
            ("rules", Json::from(G::RULES + 1)),
            ("sitters", serde_json::json!([])),
            ("plies", serde_json::json!([[]])),
        ] {
            let mut it = good.clone();
            it[key] = value;
            bad.push((key, it));
        }
        let mut longer = good.clone();
        if let Some(plies) = longer["plies"].as_array_mut() {
            let last = plies.last().cloned();
            plies.extend(last);
            bad.push(("a ply past the end", longer));
        }
        for (what, record) in bad {
            let Ok(record) = serde_json::from_value::<Record<G>>(record) else { continue };
            let refused = replay(&record).map_or(true, |mut it| it.any(|it| it.is_err()));
            prop_assert_eq!(judge(&record, &mut || true).is_err(), refused);
            prop_assert!(refused, "a record with a wrong {} was replayed", what);
        }
        Ok(())
    });
}

/// Tries `law` on random matches of every set-up.
pub(crate) fn each<G: Game, D: Dialect<G>>(
    kit: &Kit<G>,
    law: impl Fn((&G::Setup, &[Step]), &Referee<G, D>) -> Result<(), TestCaseError>,
) {
    for setup in &kit.setups {
        let config = ProptestConfig { cases: MATCHES, failure_persistence: None, ..<_>::default() };
        let mut runner = TestRunner::new(config);
        let result = runner.run(&simulation::steps(G::ROLES.len(), &kit.words), |steps| {
            law((setup, &steps), &simulate::<G, D>(setup, &steps, usize::MAX))
        });
        if let Err(err) = result {
            panic!("{} with {setup:?}: {err}", G::ID);
        }
    }
}

fn well_formed<G: Game>(outcome: &Outcome) -> Result<(), TestCaseError> {
    let n_seats = G::ROLES.len();
    prop_assert_eq!(outcome.places.n_seats(), n_seats);
    prop_assert_eq!(outcome.score.n_seats(), n_seats);
    prop_assert_eq!(outcome.measures.len(), G::MEASURES.len());
    prop_assert!(outcome.measures.iter().all(|it| it.n_seats() == n_seats));
    let in_range = |it: Fraction| Fraction::ZERO <= it && it <= Fraction::ONE;
    prop_assert!(outcome.score.iter().all(|(_, it)| in_range(*it)), "{:?}", outcome.score);
    for (seat, place) in outcome.places.iter() {
        let better = outcome.places.iter().filter(|(_, it)| *it < place).count();
        prop_assert_eq!(usize::from(*place), better + 1, "place of seat {}", seat.0);
    }
    prop_assert!(!outcome.why.is_empty(), "an outcome says how it came about");
    Ok(())
}

fn outcome_of<G: Game>(game: &G) -> Option<Outcome> {
    match game.turn() {
        Turn::Over(outcome) => Some(outcome),
        Turn::Ask(_) => None,
    }
}

pub(crate) fn json(value: &impl serde::Serialize) -> Json {
    serde_json::to_value(value).expect("views, events and records are plain data")
}

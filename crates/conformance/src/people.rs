//! Laws of matches in which people play: what others see meanwhile, what people may do, and how a
//! match goes on that was broken off.

use std::time::Duration;

use game::{Answer, Dialect, Fault, Game, Lifetime, PerSeat, Seat, Sitter};
use proptest::prelude::*;
use referee::{AnyGame, AnyPosition, Effect, Entry, Eyes, Frame, Input, Referee, replay};

use crate::{
    Kit,
    laws::{each, first_position, json},
    simulation,
};

/// Plies of a match between people that are looked at.
const PLIES_MAX: usize = 60;
/// Actions in a row that people try before their time is let pass.
const TRIES_MAX: usize = 4;

/// Where people play, others see nothing that one of them may not.
pub(crate) fn watchers_see_no_more_than_all_who_play<G, D>(kit: &Kit<G>)
where
    G: Game + Send,
    G::Setup: Send,
    G::Action: Send,
    D: Dialect<G> + Send,
{
    let people: Vec<Seat> = (0..G::ROLES.len() as u8).map(Seat).collect();
    let Some(eyes) = Entry::<G, D>::NEW.eyes_of_watchers(&people) else { return };
    each::<G, D>(kit, |(setup, _), referee| {
        let mut live = first_position::<G, D>(setup, Sitter::Bot);
        let mut told = live.frame(&eyes);
        for (ply_no, position) in replay(referee.record()).expect("our own record").enumerate() {
            let (game, _) = position.expect("our own plies");
            for seat in people.iter().copied() {
                let leak = (kit.leak)(&game, seat, &json(&told));
                prop_assert_eq!(leak, None, "seat {} would see too much elsewhere", seat.0);
            }
            let Some(frame) = referee.frame(ply_no as u32) else { break };
            let frame = json(&frame).to_string();
            told = live.advance(&frame, &eyes).expect("our own frame");
        }
        Ok(())
    });
}

/// What a page says that a person may do is what the judge lets them do, with the same words
/// where it does not, and in the same time; the console says the same as the board.
pub(crate) fn people_are_judged_alike_everywhere<G, D>(kit: &Kit<G>)
where
    G: Game + Send,
    G::Setup: Send,
    G::Action: Send,
    D: Dialect<G> + Send,
{
    each::<G, D>(kit, |(setup, _), babbled| {
        let said = babbled.record().plies.iter().flat_map(PerSeat::iter);
        let actions: Vec<G::Action> = said
            .filter_map(|(_, it)| match it {
                Some(Answer::Action(action)) => Some(action.clone()),
                _ => None,
            })
            .collect();
        let people = PerSeat::new(G::ROLES.len(), |_| Sitter::Person);
        let mut referee = Referee::<G, D>::new(setup, people).expect("a legal set-up");
        let mut live = first_position::<G, D>(setup, Sitter::Person);
        let (mut now, mut n_tried) = (Duration::ZERO, 0);
        for _ in 0..PLIES_MAX {
            let n_plies = referee.record().plies.len();
            while referee.poll().is_some() {}
            if live.outcome().is_some() {
                prop_assert_eq!(referee.poll_timeout(), None, "an end is the end");
                break;
            }
            for seat in referee.record().sitters.seats() {
                prop_assert_eq!(live.asked(seat), referee.left(seat), "the time of {}", seat.0);
            }
            console_is_fair(kit, &*live)?;
            // Whoever is asked tries what others have done, until something is taken.
            for _ in 0..TRIES_MAX {
                let mut seats = referee.record().sitters.seats();
                let asked = seats.find(|it| referee.left(*it).is_some());
                let (Some(seat), false) = (asked, actions.is_empty()) else { break };
                let action = actions[n_tried * 7 % actions.len()].clone();
                n_tried += 1;
                let told = live.check(seat, &json(&action));
                referee.handle(now, Input::Act { seat, action: action.clone(), log: Vec::new() });
                let refused = match referee.poll() {
                    Some(Effect::Refuse(_, why)) => Some(why),
                    _ => None,
                };
                prop_assert_eq!(told.clone().err(), refused, "{:?}", action);
                prop_assert!(told.is_err() || told == Ok(json(&action)));
                if referee.record().plies.len() > n_plies {
                    break;
                }
            }
            if referee.record().plies.len() == n_plies {
                now = referee.poll_timeout().expect("somebody is asked");
                referee.handle(now, Input::Tick);
            }
            for ply_no in n_plies..referee.record().plies.len() {
                let frame = json(&referee.frame(ply_no as u32)).to_string();
                live.advance(&frame, &Eyes::All).expect("our own frame");
            }
        }
        Ok(())
    });
}

/// An action that comes of words may be done, and comes of the same words in pieces.
fn console_is_fair<G: Game>(kit: &Kit<G>, live: &dyn AnyPosition) -> Result<(), TestCaseError> {
    let text = |it: &[u8]| String::from_utf8_lossy(it).into_owned();
    for seat in (0..G::ROLES.len() as u8).map(Seat) {
        if live.asked(seat).is_none() {
            prop_assert!(live.hear(seat, "", "").is_err(), "who is not asked is not heard");
            continue;
        }
        for words in kit.words.windows(2) {
            let (first, second) = (text(words[0]), text(words[1]));
            let heard = live.hear(seat, "", &first).expect("it is asked");
            if let Some(action) = &heard.action {
                prop_assert_eq!(live.check(seat, action), Ok(action.clone()), "{:?}", first);
            }
            if heard.action.is_some() || heard.refused.is_some() {
                continue;
            }
            let at_once = live.hear(seat, "", &format!("{first}{second}")).expect("it is asked");
            let in_pieces = live.hear(seat, &first, &second).expect("it is asked");
            prop_assert_eq!(at_once.action, in_pieces.action, "{:?} {:?}", first, second);
            prop_assert_eq!(at_once.refused, in_pieces.refused, "{:?} {:?}", first, second);
            let replies = heard.replies + &in_pieces.replies;
            prop_assert_eq!(at_once.replies, replies, "{:?} {:?}", first, second);
            prop_assert_eq!(at_once.log, in_pieces.log, "{:?} {:?}", first, second);
        }
    }
    Ok(())
}

/// What was played stays as it was, whatever the new processes of bots say of it.
pub(crate) fn a_match_that_was_broken_off_goes_on<G: Game, D: Dialect<G>>(kit: &Kit<G>) {
    each::<G, D>(kit, |(setup, steps), whole| {
        let n_plies = whole.record().plies.len();
        let frames: Vec<Frame<G::Action>> =
            (0..n_plies).filter_map(|it| whole.frame(it as u32)).collect();
        let is_fault = |it: &Option<_>| matches!(it, Some(Answer::Fault(_)));
        for n_played in [0, 1, n_plies / 2, n_plies - 1, n_plies] {
            let played = frames[..n_played].to_vec();
            let faultless = played.iter().all(|it| it.ply.iter().all(|(_, it)| !is_fault(it)));
            let sitters = PerSeat::new(G::ROLES.len(), |_| Sitter::Bot);
            for steps in [&[][..], steps] {
                let resumed = Referee::<G, D>::resume(setup, sitters.clone(), played.clone());
                let resumed = simulation::go_on(resumed.expect("our own plies"), steps, usize::MAX);
                for (ply_no, frame) in played.iter().enumerate() {
                    let again = resumed.frame(ply_no as u32);
                    prop_assert_eq!(json(&again), json(frame), "ply {} of {}", ply_no, n_played);
                }
                // Bots that say the same again play the same match.
                let same = n_played == n_plies
                    || (D::LIFETIME == Lifetime::Match && faultless && !steps.is_empty());
                if same {
                    prop_assert_eq!(json(resumed.record()), json(whole.record()));
                }
            }
        }
        let mut stray = frames.clone();
        stray.extend(frames.last().cloned());
        let sitters = PerSeat::new(G::ROLES.len(), |_| Sitter::Bot);
        prop_assert!(Referee::<G, D>::resume(setup, sitters, stray).is_err(), "past the end");
        Ok(())
    });
    // People are asked nothing twice: their time runs anew for the question that is open alone.
    each::<G, D>(kit, |(setup, _), _| {
        let people = PerSeat::new(G::ROLES.len(), |_| Sitter::Person);
        let mut first = Referee::<G, D>::new(setup, people.clone()).expect("a legal set-up");
        while first.poll().is_some() {}
        let due = first.poll_timeout().expect("somebody is asked");
        first.handle(due, Input::Tick);
        let Some(frame) = first.frame(0) else { return Ok(()) };
        let late = |it: &Option<_>| matches!(it, Some(Answer::Fault(Fault::Late)));
        prop_assert!(frame.ply.iter().any(|(_, it)| late(it)));
        let again = Referee::<G, D>::resume(setup, people, vec![frame]).expect("our own ply");
        prop_assert_eq!(json(again.record()), json(first.record()));
        for seat in again.record().sitters.seats() {
            prop_assert_eq!(again.left(seat), first.left(seat));
        }
        Ok(())
    });
}

//! The referee alone: effects out, inputs in, time as an argument.

use std::time::Duration;

use conformance::toys::{duel, sprint};
use game::{
    Ahead, Answer, Dialect, End, Fault, Game, Lifetime, PerSeat, Read, Seat, Sitter, Starts, Talk,
};
use referee::{
    Effect, Faults, Input, RECORD_BYTES_MAX, Referee, ReplayError, Spent, UNREAD_BYTES_MAX, judge,
    replay,
};

type Sprint = Referee<sprint::Sprint, sprint::Numbers>;
type Duel = Referee<duel::Duel, duel::Blocks>;

const A: Seat = Seat(0);
const B: Seat = Seat(1);

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn bots() -> PerSeat<Sitter> {
    PerSeat::new(2, |_| Sitter::Bot)
}

fn new_sprint(think_ms: u64) -> Sprint {
    Sprint::new(&sprint::Setup { length: 3, steps_max: 10, think_ms }, bots()).unwrap()
}

fn new_duel() -> Duel {
    Duel::new(&duel::Setup { fights: 1, turns: 3 }, bots()).unwrap()
}

fn spent(thought_ms: u64) -> Spent {
    Spent::charge(ms(thought_ms), Duration::ZERO, Duration::ZERO)
}

fn output<A>(seat: Seat, text: &str, thought_ms: u64) -> Input<A> {
    Input::Output { seat, bytes: text.as_bytes().to_vec(), spent: spent(thought_ms) }
}

fn rested<A>(seat: Seat, text: &str) -> Input<A> {
    Input::Rested { seat, bytes: text.as_bytes().to_vec() }
}

/// Takes all effects there are; bytes sent count as written.
fn effects<G: Game, D: Dialect<G>>(referee: &mut Referee<G, D>) -> Vec<Effect> {
    let mut effects = Vec::new();
    while let Some(effect) = referee.poll() {
        if let Effect::Send(seat, bytes) = &effect {
            referee.handle(ms(0), Input::Written { seat: *seat, n_bytes: bytes.len() });
        }
        effects.push(effect);
    }
    effects
}

fn sent(effects: &[Effect], to: Seat) -> String {
    let bytes = effects.iter().filter_map(|it| match it {
        Effect::Send(seat, bytes) if *seat == to => Some(bytes.clone()),
        _ => None,
    });
    String::from_utf8(bytes.collect::<Vec<_>>().concat()).unwrap()
}

/// Both say `text`, rest, and have said nothing more.
fn both_answer<G: Game, D: Dialect<G>>(
    referee: &mut Referee<G, D>,
    text: &str,
    thought_ms: u64,
) -> Vec<Effect> {
    for seat in [A, B] {
        referee.handle(ms(0), output(seat, text, thought_ms));
        referee.handle(ms(0), rested(seat, ""));
    }
    effects(referee)
}

#[test]
fn processes_start_are_told_and_asked_in_this_order() {
    let effects = effects(&mut new_sprint(1000));
    let hello = b"1000 10 3\n".to_vec();
    let want = [
        Effect::Start(A),
        Effect::Start(B),
        Effect::Send(A, hello.clone()),
        Effect::Send(B, hello),
        Effect::Wake(A, Starts::WhenWritten),
        Effect::Wake(B, Starts::WhenWritten),
    ];
    assert_eq!(effects, want);
}

#[test]
fn a_fresh_process_takes_the_seat_for_each_race_and_the_bank_is_full_again() {
    let mut referee = new_sprint(1000);
    effects(&mut referee);
    let asked = both_answer(&mut referee, "0\n", 10);
    assert_eq!(sent(&asked, A), "0 990 0 0\n", "the handshake is on the bank");
    both_answer(&mut referee, "1\n", 10);
    let last = both_answer(&mut referee, "1\n", 10);
    let anew = [Effect::Stop(A), Effect::Start(A), Effect::Stop(B), Effect::Start(B)];
    assert_eq!(last[last.len() - 8..][..4], anew, "{last:?}");
    let asked = both_answer(&mut referee, "0\n", 10);
    assert_eq!(sent(&asked, A), "0 990 1 0\n", "the starts are swapped");
}

#[test]
fn what_is_said_too_much_is_judged_once_and_with_the_answer() {
    let (flood, torrent) = ("1".repeat(1001), "1".repeat(70_000));
    let cases = [
        ("", None),
        (" \r\n \n", None),
        ("1\n", Some("1 more characters")),
        ("x", Some("1 more characters")),
        // How much of a flood comes before it is stopped is chance, and nothing to tell.
        (&flood, Some("over 1000 more characters")),
        (&torrent, Some("over 1000 more characters")),
    ];
    for (surplus, told) in cases {
        for early in [false, true] {
            let mut referee = new_sprint(1000);
            effects(&mut referee);
            let (said, drained) =
                if early { (format!("0\n{surplus}"), "") } else { ("0\n".to_owned(), surplus) };
            referee.handle(ms(0), output(A, &said, 1));
            assert_eq!(effects(&mut referee), [Effect::Rest(A)]);
            referee.handle(ms(0), rested(A, drained));
            referee.handle(ms(0), output(B, "0\n", 1));
            referee.handle(ms(0), rested(B, ""));
            let answer = referee.record().plies[0][A].clone();
            let garbled = match &answer {
                Some(Answer::Fault(Fault::Garbled(why))) => Some(why.as_ref()),
                _ => None,
            };
            let wanted = told.map(|it| format!("{it} than the answer needs"));
            assert_eq!(garbled, wanted.as_deref(), "{} early: {early}", surplus.len());
        }
    }
}

#[test]
fn a_late_process_lives_on_where_the_rules_forgive_and_its_late_lines_answer_nothing() {
    let mut referee = new_duel();
    effects(&mut referee);
    referee.handle(ms(0), output(B, "5\n5\n", 1));
    referee.handle(ms(0), rested(B, ""));
    // A line comes in time, the bell rings, the other line comes while it is paused.
    referee.handle(ms(0), output(A, "1\n", 900));
    referee.handle(ms(1001), Input::Waited { seat: A, spent: spent(1001) });
    assert!(effects(&mut referee).contains(&Effect::Rest(A)));
    referee.handle(ms(1001), rested(A, "1\n"));
    assert_eq!(referee.record().plies[0][A], Some(Answer::Fault(Fault::Late)));
    effects(&mut referee);

    referee.handle(ms(1002), output(A, "7\n8\n", 1));
    referee.handle(ms(1002), rested(A, ""));
    referee.handle(ms(1002), output(B, "5\n5\n", 1));
    referee.handle(ms(1002), rested(B, ""));
    let answer = referee.record().plies[1][A].clone();
    assert_eq!(answer, Some(Answer::Action(duel::Action([Some(7), Some(8)]))));
}

#[test]
fn what_a_late_process_says_beyond_what_it_owes_is_dropped() {
    let cases = [
        ("", ""),
        ("1\n", ""),
        ("1\n2", ""),
        ("1\n2\n", ""),
        ("1\n2\n\n", ""),
        ("1\n2\n7", "1 bytes more than the answer needs were dropped"),
        ("1\n2\n7\n8\n", "4 bytes more than the answer needs were dropped"),
    ];
    for (said, remark) in cases {
        let mut referee = new_duel();
        effects(&mut referee);
        referee.handle(ms(1001), Input::Waited { seat: A, spent: spent(1001) });
        referee.handle(ms(1001), rested(A, said));
        referee.handle(ms(1001), output(B, "5\n5\n", 1));
        referee.handle(ms(1001), rested(B, ""));
        effects(&mut referee);
        let remarks: Vec<_> = referee.record().remarks.iter().map(|it| &*it.text).collect();
        assert_eq!(remarks.concat(), remark, "{said:?}");
        // The rest of what is owed, and the answer.
        let owed = "2\n".repeat(2 - said.matches('\n').count().min(2));
        referee.handle(ms(1002), output(A, &format!("{owed}3\n4\n"), 1));
        let answer = referee.record().plies.get(1);
        assert!(answer.is_none(), "{said:?}: the other one is waited for");
        referee.handle(ms(1002), rested(A, ""));
        referee.handle(ms(1002), output(B, "5\n5\n", 1));
        referee.handle(ms(1002), rested(B, ""));
        let answer = referee.record().plies[1][A].clone();
        let wanted = Answer::Action(duel::Action([Some(3), Some(4)]));
        assert_eq!(answer, Some(wanted), "{said:?}");
    }
}

#[test]
fn a_late_turn_of_before_is_asked_again_and_owed_again() {
    let mut referee = new_duel();
    effects(&mut referee);
    referee.handle(ms(1001), Input::Waited { seat: A, spent: spent(1001) });
    referee.handle(ms(1001), rested(A, ""));
    referee.handle(ms(1001), output(B, "5\n5\n", 1));
    referee.handle(ms(1001), rested(B, ""));
    let frame = referee.frame(0).unwrap();

    let setup = duel::Setup { fights: 1, turns: 3 };
    let mut again = Duel::resume(&setup, bots(), vec![frame]).unwrap();
    let told = effects(&mut again);
    assert_eq!(sent(&told, A), "NEW FIGHT 0\nTURN 3 0\n");
    assert!(!told.contains(&Effect::Wake(A, Starts::WhenWritten)), "it is not waited for");
    again.handle(ms(0), output(B, "5\n5\n", 1));
    again.handle(ms(0), rested(B, ""));
    assert!(effects(&mut again).contains(&Effect::Wake(A, Starts::WhenWritten)));
    again.handle(ms(0), output(A, "1\n2\n3\n4\n", 1));
    again.handle(ms(0), rested(A, ""));
    again.handle(ms(0), output(B, "5\n5\n", 1));
    again.handle(ms(0), rested(B, ""));
    assert_eq!(again.record().plies[0], referee.record().plies[0]);
    let answer = again.record().plies[1][A].clone();
    assert_eq!(answer, Some(Answer::Action(duel::Action([Some(3), Some(4)]))));
}

#[test]
fn lateness_is_what_is_charged_not_what_the_wall_says() {
    let stalled = Spent::charge(ms(1500), ms(400), ms(800));
    assert_eq!(stalled.charged, ms(700));
    let busy = Spent::charge(ms(100), ms(400), ms(0));
    assert_eq!(busy.charged, ms(400), "threads cannot make time");

    let mut referee = new_duel();
    effects(&mut referee);
    referee.handle(ms(1500), Input::Waited { seat: A, spent: stalled });
    assert_eq!(effects(&mut referee), [], "the host stole the time");
    assert_eq!(referee.poll_timeout(), Some(ms(1000)), "B's clock");
    referee.handle(ms(1501), output(A, "1\n1\n", 701));
    assert_eq!(effects(&mut referee), [Effect::Rest(A)]);
}

#[test]
fn an_answer_on_the_last_microsecond_counts_and_one_after_it_does_not() {
    for (thought, late) in [(ms(1000), false), (ms(1000) + Duration::from_micros(1), true)] {
        let mut referee = new_duel();
        effects(&mut referee);
        let spent = Spent::charge(thought, Duration::ZERO, Duration::ZERO);
        referee.handle(thought, Input::Output { seat: A, bytes: b"1\n1\n".to_vec(), spent });
        referee.handle(thought, rested(A, ""));
        referee.handle(thought, output(B, "1\n1\n", 1));
        referee.handle(thought, rested(B, ""));
        let answer = referee.record().plies[0][A].clone();
        assert_eq!(answer == Some(Answer::Fault(Fault::Late)), late, "{thought:?}: {answer:?}");
    }
}

#[test]
fn the_account_of_the_match_runs_out_across_turns() {
    let setup = duel::Setup { fights: 100, turns: 1 };
    let mut referee = Duel::new(&setup, bots()).unwrap();
    effects(&mut referee);
    for _ in 0..61 {
        both_answer(&mut referee, "1\n1\n", 990);
    }
    let answer = referee.record().plies.last().unwrap()[A].clone();
    assert_eq!(answer, Some(Answer::Fault(Fault::LateTotal)), "60 s are gone after 60.6");
}

#[test]
fn an_answer_that_was_whole_before_the_end_of_its_process_counts() {
    let mut referee = new_duel();
    effects(&mut referee);
    referee.handle(ms(0), output(A, "1\n1\n", 1));
    referee.handle(ms(0), Input::Ended { seat: A, end: End::Exited(0), spent: spent(1) });
    referee.handle(ms(0), rested(A, ""));
    referee.handle(ms(0), output(B, "1\n1\n", 1));
    referee.handle(ms(0), rested(B, ""));
    effects(&mut referee);
    assert!(matches!(referee.record().plies[0][A], Some(Answer::Action(_))));
    referee.handle(ms(0), output(B, "1\n1\n", 1));
    referee.handle(ms(0), rested(B, ""));
    let gone = Some(Answer::Fault(Fault::Gone(End::Exited(0))));
    assert_eq!(referee.record().plies[1][A], gone);
}

/// Blocks, with 100 KiB more in every question.
#[derive(Default)]
struct Wordy(duel::Blocks);

impl Dialect<duel::Duel> for Wordy {
    const LIFETIME: Lifetime = Lifetime::Match;
    const AHEAD: Ahead = Ahead::Drop;
    fn tell(&mut self, me: Seat, event: &duel::Event, out: &mut Vec<u8>) {
        self.0.tell(me, event, out);
    }
    fn ask(&mut self, me: Seat, view: &duel::View, left: Duration, out: &mut Vec<u8>) {
        out.resize(out.len() + (100 << 10), b' ');
        self.0.ask(me, view, left, out);
    }
    fn read(&mut self, input: &[u8], talk: &mut Talk) -> Read<duel::Action> {
        self.0.read(input, talk)
    }
    fn missed(&mut self) {
        self.0.missed();
    }
}

#[test]
fn a_bot_that_never_reads_is_ended_when_too_much_waits_for_it() {
    let setup = duel::Setup { fights: 1, turns: 100 };
    let mut referee = Referee::<duel::Duel, Wordy>::new(&setup, bots()).unwrap();
    let mut waiting_bytes = 0;
    loop {
        // Nothing that is sent to A is ever written; it answers blindly.
        while let Some(effect) = referee.poll() {
            match effect {
                Effect::Send(A, bytes) => waiting_bytes += bytes.len(),
                Effect::Send(seat, bytes) => {
                    referee.handle(ms(0), Input::Written { seat, n_bytes: bytes.len() });
                }
                Effect::Stop(A) => {
                    assert!(waiting_bytes <= UNREAD_BYTES_MAX, "{waiting_bytes} bytes wait");
                    assert_eq!(referee.record().plies.len(), 10, "1 MiB is 10 questions");
                    return;
                }
                _ => (),
            }
        }
        for seat in [A, B] {
            referee.handle(ms(0), output(seat, "1\n1\n", 1));
            referee.handle(ms(0), rested(seat, ""));
        }
    }
}

#[test]
fn bytes_without_an_answer_are_bounded() {
    let mut referee = new_duel();
    effects(&mut referee);
    referee.handle(ms(0), output(A, &"9".repeat(101), 1));
    referee.handle(ms(0), output(B, "1\n1\n", 1));
    referee.handle(ms(0), rested(B, ""));
    assert!(matches!(referee.record().plies[0][A], Some(Answer::Fault(Fault::Garbled(_)))));
}

#[test]
fn after_the_stop_nothing_is_heard() {
    let mut referee = new_duel();
    effects(&mut referee);
    referee.handle(ms(0), Input::Ended { seat: A, end: End::Signalled(11), spent: spent(1) });
    assert_eq!(effects(&mut referee), [Effect::Stop(A)]);
    referee.handle(ms(0), output(A, "1\n1\n", 1));
    referee.handle(ms(0), rested(A, "1\n1\n"));
    referee.handle(ms(0), Input::Waited { seat: A, spent: spent(99_999) });
    referee.handle(ms(0), Input::Written { seat: A, n_bytes: 1 << 40 });
    assert_eq!(effects(&mut referee), []);
    referee.handle(ms(0), output(Seat(9), "1\n1\n", 1));
    assert_eq!(effects(&mut referee), [], "there is no such seat");
}

#[test]
fn a_person_may_try_again_and_is_late_by_the_wall() {
    let setup = sprint::Setup { length: 3, steps_max: 10, think_ms: 1000 };
    let sitters = PerSeat::new(2, |it| if it == A { Sitter::Person } else { Sitter::Bot });
    let mut referee = Sprint::new(&setup, sitters).unwrap();
    assert!(!effects(&mut referee).contains(&Effect::Start(A)));
    referee.handle(
        ms(10),
        Input::Act { seat: A, action: sprint::Action::Accelerate(1), log: vec!["no".into()] },
    );
    assert!(matches!(effects(&mut referee)[..], [Effect::Refuse(A, _)]));
    let log = vec!["here I go".to_owned()];
    referee.handle(ms(20), Input::Act { seat: A, action: sprint::Action::Ready, log });
    referee.handle(ms(20), output(B, "0\n", 1));
    referee.handle(ms(20), rested(B, ""));
    assert_eq!(referee.record().plies.len(), 1);
    assert_eq!(referee.record().spent[0][A].unwrap().charged, ms(20));
    let said: Vec<_> =
        referee.record().remarks.iter().map(|it| (it.ply, it.seat, &*it.text)).collect();
    assert_eq!(said, [(0, A, "here I go")], "what was said with what was refused is not kept");
    // 980 ms are left; B answers, A does not.
    referee.handle(ms(30), output(B, "1\n", 1));
    referee.handle(ms(30), rested(B, ""));
    let bell = referee.poll_timeout().unwrap();
    assert_eq!(bell, ms(1000));
    referee.handle(bell, Input::Tick);
    assert_eq!(referee.record().plies[1][A], Some(Answer::Fault(Fault::Late)));
}

#[test]
fn a_wrong_number_of_players_is_an_error() {
    let setup = sprint::Setup { length: 3, steps_max: 10, think_ms: 1000 };
    for n_seats in [0, 1, 3] {
        let sitters = PerSeat::new(n_seats, |_| Sitter::Bot);
        let why = Sprint::new(&setup, sitters).err().unwrap().to_string();
        assert!(why.contains(&n_seats.to_string()) && why.contains('2'), "{why}");
    }
}

#[test]
fn times_survive_the_record_and_frames_are_its_plies() {
    let mut referee = new_duel();
    effects(&mut referee);
    both_answer(&mut referee, "1\noops\n", 12);
    let frame = referee.frame(0).unwrap();
    assert_eq!(frame.spent[A], Some(spent(12)));
    assert_eq!(frame.remarks.len(), 2, "a warning for each of the bad lines");
    let text = serde_json::to_string(referee.record()).unwrap();
    let record = serde_json::from_str(&text).unwrap();
    let positions = replay::<duel::Duel>(&record).unwrap();
    assert_eq!(positions.count(), 2);
    assert_eq!(record.spent[0][A], Some(spent(12)));
    assert!(text.len() < RECORD_BYTES_MAX);
}

#[test]
fn a_match_is_judged_from_its_record_for_as_long_as_one_likes() {
    let mut referee = new_duel();
    effects(&mut referee);
    both_answer(&mut referee, "1\n1\n", 12);
    referee.handle(ms(20), Input::Ended { seat: A, end: End::Signalled(11), spent: spent(1) });
    effects(&mut referee);
    referee.handle(ms(20), output(B, "1\n1\n", 1));
    referee.handle(ms(20), rested(B, ""));
    let record = referee.record();
    let verdict = judge(record, &mut || true).unwrap();
    assert_eq!(verdict.plies as usize, record.plies.len());
    let crash = Fault::Gone(End::Signalled(11));
    assert_eq!(verdict.faults[A].first, Some((1, crash)));
    assert_eq!(verdict.faults[B], Faults::default());
    let mut left = 1;
    let stopped = judge(record, &mut || {
        left -= 1;
        left >= 0
    });
    assert_eq!(stopped, Err(ReplayError::Stopped { plies: 1 }));
}

#[test]
fn a_bot_that_is_slow_to_say_again_what_it_said_owes_nothing() {
    let setup = sprint::Setup { length: 9, steps_max: 10, think_ms: 1000 };
    let mut first = Sprint::new(&setup, bots()).unwrap();
    effects(&mut first);
    both_answer(&mut first, "0\n", 900);
    both_answer(&mut first, "1\n", 10);
    let frames = [0, 1].map(|it| first.frame(it).unwrap());
    let mut again = Sprint::resume(&setup, bots(), frames.to_vec()).unwrap();
    effects(&mut again);
    // More than it has; but how long it took is written down.
    again.handle(ms(0), Input::Waited { seat: A, spent: spent(1500) });
    assert_eq!(effects(&mut again), [], "it is waited for");
    both_answer(&mut again, "0\n", 1600);
    assert_eq!(json(&again.frame(0)), json(&first.frame(0)));
    both_answer(&mut again, "1\n", 10);
    // The first question that is open: what it answers now is the answer to this one.
    both_answer(&mut again, "2\n", 10);
    let Some(Answer::Action(action)) = &again.record().plies[2][A] else {
        panic!("{:?}", again.record().plies);
    };
    assert_eq!(*action, sprint::Action::Accelerate(2));
    assert_eq!(again.record().spent[2][A].unwrap().charged, ms(10));
}

fn json(value: &impl serde::Serialize) -> serde_json::Value {
    serde_json::to_value(value).unwrap()
}

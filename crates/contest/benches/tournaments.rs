//! What a server waits for while it holds a tournament's row: a Swiss round of 1,000 is paired in
//! less than 2 s, the table of a round robin of 200 is made in less than 50 ms.

use std::collections::BTreeMap;

use contest::tournament::{
    End, Entering, Field, Match, MatchKey, Memo, Plan, Played, Tournament, dry_run, unfold,
};
use divan::Bencher;
use game::Fraction;

const SEED: u64 = 7;

fn main() {
    divan::main();
}

/// The pairing of the 10th round, with nine of them remembered.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn pair_the_tenth_swiss_round_of_1000(bencher: Bencher) {
    let (plan, field) = (swiss(), Field::of(1000));
    let (played, memo) = played_rounds(&plan, &field, 9);
    bencher.with_inputs(|| memo.clone()).bench_values(|mut memo| {
        let all = unfold(&plan, &field, SEED, &played, &mut memo).expect("the plan fits");
        assert_eq!(all.due().count(), 500);
    });
}

/// All ten rounds, with nothing remembered.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn unfold_ten_swiss_rounds_of_1000_anew(bencher: Bencher) {
    let (plan, field) = (swiss(), Field::of(1000));
    let (played, _) = played_rounds(&plan, &field, 9);
    bencher.bench(|| {
        let all = unfold(&plan, &field, SEED, &played, &mut Memo::default());
        assert_eq!(all.expect("the plan fits").due().count(), 500);
    });
}

/// Matches, points, tie-breaks and places of 19,900 results.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn standings_of_a_round_robin_of_200(bencher: Bencher) {
    let plan = plan(
        r#"format = { kind = "round_robin" }
        tie_breaks = [
            { by = "met" },
            { by = "met_margin", measure = "fights_won" },
            { by = "sonneborn_berger" },
        ]"#,
    );
    let field = Field::of(200);
    let mut played = BTreeMap::new();
    let first = now(&plan, &field, &played, &mut Memo::default());
    play_due(&mut played, &first);
    bencher.bench(|| {
        let all = now(&plan, &field, &played, &mut Memo::default());
        assert!(all.is_over);
    });
}

/// The schedule of a Swiss tournament of 1,000 with 64 matches at once.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn dry_run_of_1000(bencher: Bencher) {
    let plan = swiss();
    let past: Vec<_> = (1..60).map(std::time::Duration::from_secs).collect();
    bencher.bench(|| dry_run(&plan, Entering::Any(1000), &past, 64, SEED).expect("the plan fits"));
}

fn plan(stage: &str) -> Plan {
    toml::from_str(&format!("[[stages]]\nname = \"Only\"\n{stage}\n")).expect("a plan")
}

fn swiss() -> Plan {
    plan(
        r#"format = { kind = "swiss", rounds = 10 }
        tie_breaks = [{ by = "buchholz" }, { by = "sonneborn_berger" }, { by = "lot" }]"#,
    )
}

fn now(
    plan: &Plan,
    field: &Field,
    played: &BTreeMap<MatchKey, Played>,
    memo: &mut Memo,
) -> Tournament {
    unfold(plan, field, SEED, played, memo).expect("the plan fits")
}

/// So many rounds, in which mostly the higher seed wins.
fn played_rounds(plan: &Plan, field: &Field, rounds: u16) -> (BTreeMap<MatchKey, Played>, Memo) {
    let (mut played, mut memo) = (BTreeMap::new(), Memo::default());
    for _ in 0..rounds {
        let round = now(plan, field, &played, &mut memo);
        play_due(&mut played, &round);
    }
    (played, memo)
}

fn play_due(played: &mut BTreeMap<MatchKey, Played>, all: &Tournament) {
    played.extend(all.due().map(|it| (it.key, result(it))));
}

fn result(it: &Match) -> Played {
    let [one, two] = it.seats.map(|it| it.0 as i64);
    let luck = (one * 7919 + two * 104_729 + i64::from(it.key.round) * 31) % 200 - 100;
    let won = (50 + (two - one + luck) / 8).clamp(0, 100);
    let places = match won.cmp(&50) {
        std::cmp::Ordering::Greater => [1, 2],
        std::cmp::Ordering::Equal => [1, 1],
        std::cmp::Ordering::Less => [2, 1],
    };
    let fights = [won, 100 - won].map(Fraction::from);
    let measures = BTreeMap::from([("fights_won".to_owned(), fights)]);
    Played { seats: it.seats, end: End::Result { places, measures } }
}

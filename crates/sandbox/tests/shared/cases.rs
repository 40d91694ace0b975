//! Runs cases one after the other, looks for what each has left behind, and sums up. Words are parts
//! of names of the cases to run. `--list` names them all, `--repeat=20` tries so often each whose
//! verdict must be the same every time, `--compile=FOLDER` only makes the programs, for a machine
//! that then runs with `AGON_TEST_PROGRAMS=FOLDER`, and `--omit=FILE` names cases that this kernel
//! cannot hold.

use std::{
    env, fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    process::ExitCode,
    time::Instant,
};

use serde::Deserialize;

use super::outside::Outside;

/// Where programs lie that were made before.
pub(crate) const MADE: &str = "AGON_TEST_PROGRAMS";
/// Says that this kernel is the tests' own, to be changed as they like.
pub(crate) const OWN_KERNEL: &str = "AGON_TEST_OWN_KERNEL";

/// How much slower this machine is than those that the tests were written on.
pub(crate) fn slowness() -> u32 {
    let said = env::var("AGON_TEST_SLOW");
    said.map_or(1, |it| it.parse().expect("AGON_TEST_SLOW is a number"))
}

/// A statement, and what shows it.
pub(crate) struct Case<K> {
    pub(crate) name: String,
    /// Whether its verdict is one of several that could come, and must be the same each time.
    pub(crate) has_verdict: bool,
    /// Why it cannot be tried here.
    pub(crate) omitted: Option<String>,
    /// Tells the verdict, where it has one.
    pub(crate) run: Box<dyn Fn(&mut K) -> String>,
}

/// What the cases are tried with.
pub(crate) trait Kit {
    fn outside(&self) -> &Outside;
    /// What the next cases find should be their own fault.
    fn restart(&mut self);
}

pub(crate) struct Arguments {
    words: Vec<String>,
    list: bool,
    repeat: u32,
    pub(crate) compile: Option<PathBuf>,
    omit: Vec<Omission>,
}

/// Cases that cannot be tried, and why.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Omission {
    why: String,
    /// Parts of their names.
    cases: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Omissions {
    omit: Vec<Omission>,
}

impl<K> Case<K> {
    pub(crate) fn plain(name: impl Into<String>, run: impl Fn(&mut K) + 'static) -> Case<K> {
        let run = Box::new(move |kit: &mut K| {
            run(kit);
            String::new()
        });
        Case { name: name.into(), has_verdict: false, omitted: None, run }
    }

    pub(crate) fn with_verdict(
        name: impl Into<String>,
        run: impl Fn(&mut K) -> String + 'static,
    ) -> Case<K> {
        Case { name: name.into(), has_verdict: true, omitted: None, run: Box::new(run) }
    }

    /// One that changes the kernel for everybody: only where that is nobody else's.
    pub(crate) fn on_own_kernel(mut self, changes: &str) -> Case<K> {
        self.omitted = env::var_os(OWN_KERNEL)
            .is_none()
            .then(|| format!("it would change the host's {changes}"));
        self
    }
}

impl Arguments {
    pub(crate) fn read() -> Arguments {
        let all: Vec<String> = env::args().skip(1).collect();
        let value = |name: &str| all.iter().find_map(|it| it.strip_prefix(name));
        let omit = value("--omit=").map(|file| {
            let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
            let all: Omissions = toml::from_str(&text).unwrap_or_else(|it| panic!("{file}: {it}"));
            all.omit
        });
        Arguments {
            words: all.iter().filter(|it| !it.starts_with('-')).cloned().collect(),
            list: all.iter().any(|it| it == "--list"),
            repeat: value("--repeat=").map_or(1, |it| it.parse().expect("--repeat=NUMBER")),
            compile: value("--compile=").map(PathBuf::from),
            omit: omit.unwrap_or_default(),
        }
    }

    /// Runs what is wanted of `cases`.
    pub(crate) fn run<K: Kit>(&self, mut cases: Vec<Case<K>>, kit: impl FnOnce() -> K) -> ExitCode {
        for Omission { why, cases: parts } in &self.omit {
            for part in parts {
                let mut named = cases.iter_mut().filter(|it| it.name.contains(part)).peekable();
                assert!(
                    named.peek().is_some(),
                    "no case is named {part:?}, which is to be omitted"
                );
                named.for_each(|it| it.omitted = Some(why.clone()));
            }
        }
        let is_wanted =
            |name: &str| self.words.is_empty() || self.words.iter().any(|it| name.contains(it));
        cases.retain(|it| is_wanted(&it.name));
        if self.list {
            cases.iter().for_each(|case| println!("{}: test", case.name));
            return ExitCode::SUCCESS;
        }
        if cases.is_empty() {
            println!("0 passed, 0 failed");
            return ExitCode::SUCCESS;
        }
        if !nix::unistd::geteuid().is_root() {
            println!(
                "FAILED: only root can make jails, and so only root can test them; run this as root (sudo ./test)"
            );
            return ExitCode::FAILURE;
        }
        let (mut failed, mut skipped) = (0, 0);
        let mut kit = kit();
        for case in &cases {
            match &case.omitted {
                Some(why) => {
                    println!("skip   {}: {why}", case.name);
                    skipped += 1;
                }
                None => failed += usize::from(!self.try_case(&mut kit, case)),
            }
        }
        println!("{} passed, {failed} failed, {skipped} skipped", cases.len() - failed - skipped);
        if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    fn try_case<K: Kit>(&self, kit: &mut K, case: &Case<K>) -> bool {
        let begun = Instant::now();
        let times = if case.has_verdict { self.repeat } else { 1 };
        let mut verdicts: Vec<Option<String>> = (0..times).map(|_| once(kit, case)).collect();
        let passed = verdicts.iter().all(Option::is_some);
        verdicts.sort();
        verdicts.dedup();
        let verdict = match (passed, verdicts.len()) {
            (true, 1) => "ok",
            (true, _) => "DIFFER",
            (false, _) => "FAILED",
        };
        println!("{verdict:6} {} ({} ms)", case.name, begun.elapsed().as_millis());
        if verdicts.len() > 1 {
            println!("       {times} times: {verdicts:?}");
        }
        verdict == "ok"
    }
}

/// The verdict, where all went as it should.
fn once<K: Kit>(kit: &mut K, case: &Case<K>) -> Option<String> {
    let before = kit.outside().quiet();
    let verdict = catch_unwind(AssertUnwindSafe(|| {
        let verdict = (case.run)(kit);
        kit.outside().assert_nothing_left(&before);
        verdict
    }));
    if verdict.is_err() {
        kit.restart();
    }
    verdict.ok()
}

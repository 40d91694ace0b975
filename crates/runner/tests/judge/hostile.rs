//! Every folder of `tests/hostile` is a case: a bot that means harm, or is only wrong, and what
//! must come of it: on every seat, against a bot of good manners, at the games it is set before.

use std::{
    collections::BTreeMap,
    fs,
    panic::resume_unwind,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use game::{End, Fault, PerSeat, Seat, Sitter};
use referee::AnyGame;
use runner::{Cache, JailedProgram, PlayError, Played, Program, Wires, build};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    Case,
    builds::{LOG_BYTES_MAX, alone, order},
    cases::slowness,
    kit::{Kit, block_on, patient, terms},
    shapes::{DUEL, SPRINT},
};

/// `expect.toml`: what must come of a bot.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expectation {
    /// The statement that is shown.
    that: String,
    /// Which of the known ways to do harm it tries.
    #[expect(dead_code, reason = "another test counts them")]
    rows: Vec<u8>,
    /// The language of the product that builds and runs it; else the tests compile it.
    language: Option<String>,
    /// What it is told as its argument, one match for each.
    #[serde(default)]
    each: Vec<String>,
    /// Memory of the jail, where it is not the tests' usual.
    memory_mib: Option<u64>,
    /// Whether it is held to a core, as where there are enough: another one for each seat.
    #[serde(default)]
    core: bool,
    labyrinth: Option<Verdict>,
    sprint: Option<Verdict>,
    duel: Option<Verdict>,
    build: Option<Build>,
}

/// What must come of a match.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Verdict {
    /// `none`, `late`, `exited N`, `signalled N`, `out of memory`, `closed output`, `unread`,
    /// `not started`, or `garbled` with a piece of the reason.
    fault: String,
    /// How many questions it answered.
    answers: Option<u32>,
    /// A piece of what the judge remarked on.
    warns: Option<String>,
    /// A piece of what it wrote to its standard error.
    stderr: Option<String>,
    /// Whether it is also played without a jail.
    #[serde(default)]
    plain: bool,
    /// Whether all the processor time it used is charged.
    #[serde(default)]
    pays: bool,
    /// The most that the whole match may take.
    within_ms: Option<u64>,
    /// Time for a turn of the labyrinth.
    turn_ms: Option<u64>,
}

/// What must come of a build.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Build {
    language: String,
    memory_mib: Option<u32>,
    /// A piece of why there is nothing to play; else there is.
    refused: Option<String>,
    /// A piece of the compiler's log.
    #[serde(default)]
    log: String,
    /// What must not be in it.
    lacks: Option<String>,
}

/// How often a match is played before it is void, as a server does.
pub(crate) const ATTEMPTS_MAX: u32 = 5;

pub(crate) fn cases() -> Vec<Case> {
    let entries = fs::read_dir(folder()).expect("hostile bots").flatten().map(|it| it.path());
    let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders.into_iter().map(case).collect()
}

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile")
}

fn case(folder: PathBuf) -> Case {
    let file = folder.join("expect.toml");
    let text = fs::read_to_string(&file).unwrap_or_else(|it| panic!("{}: {it}", file.display()));
    let expected: Expectation =
        toml::from_str(&text).unwrap_or_else(|it| panic!("{}: {it}", file.display()));
    let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
    let mut sources = fs::read_dir(&folder).expect("a folder").flatten().map(|it| it.path());
    let source = sources.find(|it| it.file_stem().is_some_and(|it| it == "bot"));
    let source = source.unwrap_or_else(|| panic!("{}: no bot", folder.display()));
    let named = format!("hostile/{name}: {}", expected.that);
    let run = move |kit: &mut Kit| match &expected.build {
        Some(wanted) => try_build(kit, &source, wanted),
        None => try_bot(kit, &source, &expected),
    };
    Case::with_verdict(named, run)
}

fn try_bot(kit: &Kit, source: &Path, expected: &Expectation) -> String {
    let words = match expected.each.as_slice() {
        [] => vec![None],
        each => each.iter().map(Some).collect(),
    };
    let mut verdicts = Vec::new();
    for word in words {
        verdicts.push(try_with(kit, source, expected, word.map(String::as_str)));
    }
    verdicts.dedup();
    verdicts.join("; ")
}

fn try_with(kit: &Kit, source: &Path, expected: &Expectation, word: Option<&str>) -> String {
    let Some(bot) = bot(kit, source, expected, word) else { return String::new() };
    let labyrinth = games::find("labyrinth").expect("a game");
    let tables: [(&str, &dyn AnyGame, _, &str); 3] = [
        ("labyrinth", labyrinth, &expected.labyrinth, "stays_put.c"),
        ("sprint", &SPRINT, &expected.sprint, "runs.c"),
        ("duel", &DUEL, &expected.duel, "duels.c"),
    ];
    let mut matches = Vec::new();
    for (name, game, wanted, good) in tables {
        let Some(wanted) = wanted else { continue };
        // It is compiled here, before several want it at once.
        drop(kit.jailed(good));
        if wanted.within_ms.is_some() {
            drop(kit.jailed_from(&exits()));
        }
        matches.extend([Seat(0), Seat(1)].map(|seat| (name, game, wanted, good, seat)));
    }
    // All at once, each on a thread of its own as the product has it: nobody's verdict may hang on
    // what others do. A slow machine takes the two seats of one game at a time.
    let at_once = if slowness() > 1 { 2 } else { matches.len().max(1) };
    let mut verdicts = Vec::new();
    for some in matches.chunks(at_once) {
        let one = |&(name, game, wanted, good, seat)| {
            let begun = Instant::now();
            let Seat(nth) = seat;
            let again = || {
                let mut bot = copy(&bot);
                let cores = kit.client.hello().expect("a report").cores;
                let core = cores.iter().cycle().nth(nth.into());
                bot.spec.core = core.copied().filter(|_| expected.core);
                bot.spec.env.push(("GAME".to_owned(), str::to_owned(name)));
                (bot, kit.jailed(good))
            };
            let played = sit(game, &setup(name, wanted), seat, again);
            let took = begun.elapsed();
            let verdict = check(game, name, seat, wanted, &played);
            in_time(wanted, took, || {
                let programs = || (kit.jailed_from(&exits()), kit.jailed(good));
                drop(sit(game, &setup(name, wanted), seat, programs));
            });
            verdict
        };
        verdicts.extend(thread::scope(|scope| {
            let all: Vec<_> = some.iter().map(|it| scope.spawn(move || one(it))).collect();
            let ends = all.into_iter().map(|it| it.join());
            ends.map(|it| it.unwrap_or_else(|panic| resume_unwind(panic))).collect::<Vec<_>>()
        }));
    }
    for (name, game, wanted, good) in tables {
        let Some(wanted) = wanted.as_ref().filter(|it| it.plain) else { continue };
        for seat in [Seat(0), Seat(1)] {
            let again = || {
                let mut bot = kit.plain_from(source);
                bot.env.insert("GAME".to_owned(), name.to_owned());
                (bot, kit.plain(good))
            };
            let played = sit(game, &setup(name, wanted), seat, again);
            verdicts.push(check(game, name, seat, wanted, &played));
        }
    }
    verdicts.sort();
    verdicts.dedup();
    verdicts.join(", ")
}

fn setup(game: &str, wanted: &Verdict) -> Value {
    match game {
        "sprint" => json!({ "length": 10, "steps_max": 50, "think_ms": patient(200) }),
        "duel" => json!({ "fights": 2, "turns": 3 }),
        _ => {
            let turn_ms = wanted.turn_ms.unwrap_or(patient(300));
            json!({ "size": 5, "mode": "map", "turn_ms": turn_ms, "total_ms": patient(60_000) })
        }
    }
}

/// Plays a match; again where the host was why an answer was late, as a server would have it.
pub(crate) fn sit<P: Program>(
    game: &dyn AnyGame,
    setup: &Value,
    seat: Seat,
    programs: impl Fn() -> (P, P),
) -> Played {
    for attempt in 1.. {
        let (bot, good) = programs();
        let mut both = vec![Some(bot), Some(good)];
        if seat == Seat(1) {
            both.reverse();
        }
        let programs = PerSeat::from(both);
        let referee = game.referee(setup, PerSeat::new(2, |_| Sitter::Bot)).expect("a set-up");
        match block_on(runner::play(referee, &programs, &terms(), Wires::default())) {
            Err(PlayError::Disturbed { .. }) if attempt < ATTEMPTS_MAX => {}
            // Where nobody counts how long one waited for a processor, the lateness of a bot of good
            // manners shows it.
            Ok(played) if slowness() > 1 && attempt < ATTEMPTS_MAX && is_late(&played, seat) => {}
            played => return played.unwrap_or_else(|error| panic!("{error}")),
        }
    }
    unreachable!("the last attempt returns or panics")
}

fn is_late(played: &Played, bad: Seat) -> bool {
    matches!(played.seats[Seat(1 - bad.0)].fault, Some((_, Fault::Late)))
}

/// Holds what came of a match against what must; tells the verdict.
fn check(game: &dyn AnyGame, name: &str, seat: Seat, wanted: &Verdict, played: &Played) -> String {
    let (report, other) = (&played.seats[seat], &played.seats[Seat(1 - seat.0)]);
    let fault = report.fault.as_ref().map(|(_, it)| it);
    let found = words(fault);
    let at = format!("{name}, seat {}: {found}", seat.0);
    let is_wanted = match wanted.fault.strip_prefix("garbled") {
        Some(piece) => found.starts_with("garbled") && found.contains(piece.trim()),
        None => found == wanted.fault,
    };
    assert!(is_wanted, "{at}, not {}: {report:?}", wanted.fault);
    if let Some(answers) = wanted.answers {
        assert_eq!(report.answers, answers, "{at}: {report:?}");
    }
    // The opponent loses nothing by it.
    assert_eq!((&other.fault, other.faults, other.warnings), (&None, 0, 0), "{at}: {other:?}");
    if wanted.fault != "none" {
        let places = &played.outcome.places;
        assert_eq!((places[seat], places[Seat(1 - seat.0)]), (2, 1), "{at}: {:?}", played.outcome);
    }
    let replay = game.replay(&played.record, None).expect("a record that can be replayed");
    let remarks = replay.frames.iter().flat_map(|it| &it.remarks);
    let remarks: String =
        remarks.filter(|it| it.seat == seat).map(|it| format!("{}\n", it.text)).collect();
    // What is stored may go to a database that has no such character.
    assert!(!remarks.contains('\0') && !report.stderr.contains('\0'), "{at}: {remarks:?}");
    for (wanted, found) in [(&wanted.warns, &remarks), (&wanted.stderr, &report.stderr)] {
        if let Some(wanted) = wanted {
            assert!(found.contains(wanted), "{at}: no {wanted:?} in {found:?}");
        }
    }
    if wanted.pays {
        // Only what came after its last answer is left to nobody.
        let unpaid = report.cpu.saturating_sub(report.charged);
        assert!(unpaid < Duration::from_millis(25), "{at}: {unpaid:?} are not paid: {report:?}");
    }
    format!("{name}: {found}")
}

/// Whether a match was over as soon as wanted. A busy host is given what it takes just now for a
/// match that is over at once.
fn in_time(wanted: &Verdict, took: Duration, over_at_once: impl Fn()) {
    let Some(most) = wanted.within_ms.map(|it| Duration::from_millis(patient(it))) else { return };
    if took >= most {
        let begun = Instant::now();
        over_at_once();
        let usual = begun.elapsed();
        assert!(took < most + 4 * usual, "only after {took:?}; to exit at once takes {usual:?}");
    }
}

/// A bot that ends as soon as it is asked.
fn exits() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile/exits/bot.c")
}

/// A fault as it is written in `expect.toml`.
pub(crate) fn words(fault: Option<&Fault>) -> String {
    match fault {
        None => "none".to_owned(),
        Some(Fault::Late) => "late".to_owned(),
        Some(Fault::LateTotal) => "late in all".to_owned(),
        Some(Fault::Garbled(why)) => format!("garbled {why}"),
        Some(Fault::Gone(end)) => match end {
            End::Exited(code) => format!("exited {code}"),
            End::Signalled(signal) => format!("signalled {signal}"),
            End::OutOfMemory => "out of memory".to_owned(),
            End::ClosedOutput => "closed output".to_owned(),
            End::Unread => "unread".to_owned(),
            End::NotStarted => "not started".to_owned(),
        },
    }
}

/// The bot; none where this machine lacks its language.
fn bot(
    kit: &Kit,
    source: &Path,
    expected: &Expectation,
    word: Option<&str>,
) -> Option<JailedProgram> {
    let mut bot = match &expected.language {
        None => kit.jailed_from(source),
        Some(id) => built(kit, id, source)?,
    };
    bot.spec.argv.extend(word.map(str::to_owned));
    if let Some(memory_mib) = expected.memory_mib {
        bot.spec.limits.memory_bytes_max = memory_mib << 20;
    }
    Some(bot)
}

/// From source to program, as the product's worker does it.
pub(crate) fn built(kit: &Kit, id: &str, source: &Path) -> Option<JailedProgram> {
    let language = kit.language(id);
    if let Err(why) = block_on(runner::version(&kit.client, language)) {
        println!("       skipped: {id}: {why}");
        return None;
    }
    let text = fs::read(source).unwrap_or_else(|it| panic!("{}: {it}", source.display()));
    let cache = Cache::open(&kit.scratch_folder("cache"), 1 << 30).expect("a cache");
    let built = block_on(build(&kit.client, &order(kit, id, &alone(&text)))).expect("a build");
    let pack =
        built.pack.unwrap_or_else(|why| panic!("{}: {why}\n{}", source.display(), built.log));
    let artefact = cache.put(&pack.digest, pack.file).expect("a pack");
    let spec = language.bot_spec(&artefact.entry, None);
    let folders = vec![("/bot".to_owned(), artefact.folder.clone())];
    Some(JailedProgram { client: kit.client.clone(), spec, folders })
}

pub(crate) fn copy(bot: &JailedProgram) -> JailedProgram {
    let JailedProgram { client, spec, folders } = bot;
    JailedProgram { client: client.clone(), spec: spec.clone(), folders: folders.clone() }
}

fn try_build(kit: &Kit, source: &Path, wanted: &Build) -> String {
    let Build { language: id, memory_mib, refused, log, lacks } = wanted;
    let mut language = kit.language(id).clone();
    if let Err(why) = block_on(runner::version(&kit.client, &language)) {
        println!("       skipped: {id}: {why}");
        return String::new();
    }
    let text = fs::read(source).unwrap_or_else(|it| panic!("{}: {it}", source.display()));
    // Hostile sources use up whatever they may, so here that is less.
    if refused.is_some() {
        let slower = slowness();
        (language.build.cpu_s, language.build.wall_s) = (3 * slower, 20 * slower);
    }
    language.build.memory_mib = memory_mib.unwrap_or(language.build.memory_mib);
    let upload = alone(&text);
    let order = runner::Order { language: &language, ..order(kit, id, &upload) };
    let built = block_on(build(&kit.client, &order)).expect("a build");
    let most = Duration::from_secs(u64::from(language.build.wall_s) + 5);
    assert!(built.took < most, "{:?}", built.took);
    assert!(built.log.contains(log) && built.log.len() <= LOG_BYTES_MAX, "no {log:?}: {built:?}");
    assert!(!built.log.contains("root:"), "a secret: {built:?}");
    if let Some(lacks) = lacks {
        assert!(!built.log.contains(lacks), "{built:?}");
    }
    let left: BTreeMap<_, _> = fs::read_dir(kit.scratch.path())
        .expect("a folder")
        .flatten()
        .map(|it| (it.file_name(), it.metadata().is_ok()))
        .collect();
    assert!(left.is_empty(), "something is left: {left:?}");
    match (refused, &built.pack) {
        (None, Ok(_)) => "built".to_owned(),
        (Some(piece), Err(why)) if why.contains(piece.as_str()) => format!("refused: {why}"),
        _ => panic!("{refused:?} is wanted: {built:?}"),
    }
}

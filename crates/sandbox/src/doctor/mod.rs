//! Tries every protection on a program in a jail, and tells which are in force.
//!
//! What a program meets in there is tried by [`try_inside`], which runs as that
//! program: whoever calls [`examine`] starts his own executable once more, with
//! [`COMMAND`] and the name of a trial, and hands both on.

mod inside;

use std::{
    fmt,
    fs::{self, File},
    io::{self, Read},
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::fs::PermissionsExt,
    },
    path::Path,
    thread,
    time::{Duration, Instant},
};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use serde::{Deserialize, Serialize};

use crate::{Client, Ending, HelloError, How, Jail, Limits, Report, Spec, Start};

pub use inside::try_inside;

/// The first argument of a program that is to try something; the second says what.
pub const COMMAND: &str = "probe";

/// How long each trial may take.
const TRIAL_WAIT_MAX: Duration = Duration::from_secs(10);
/// How long a paused program is watched.
const PAUSE: Duration = Duration::from_millis(60);
/// How long after a pause has begun the last of the time before may be booked.
const BOOKING: Duration = Duration::from_millis(20);
/// How often what takes time is tried.
const TIMED_TRIALS_MAX: u32 = 3;
/// Processor time that a paused program may have used.
const PAUSED_CPU_MAX: Duration = Duration::from_millis(1);
/// How long a kill may take.
const KILL_WAIT_MAX: Duration = Duration::from_secs(1);
/// Processor time that is used up on purpose, and by how much more the bill may be.
const BURNT: Duration = Duration::from_millis(50);
const BURNT_BESIDE_MAX: Duration = Duration::from_millis(250);
/// Most that a trial may say.
const SAID_BYTES_MAX: u64 = 16 << 10;
const MIB: u64 = 1 << 20;

/// One protection, and what came of trying it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// Its name.
    pub name: String,
    /// Whether it is in force.
    pub state: State,
    /// What was seen, or why it is not.
    pub found: String,
}

/// Whether a protection is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It was tried, and held.
    InForce,
    /// The kernel does not have it; what holds without it is in force.
    Lacking,
    /// It was tried, and did not hold.
    Broken,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::InForce => "in force",
            Self::Lacking => "lacking",
            Self::Broken => "BROKEN",
        })
    }
}

/// A program that tries things in a jail: a folder, and its name in there.
#[derive(Debug)]
pub struct Probe {
    folder: OwnedFd,
    name: String,
}

impl Probe {
    /// The program that calls this. Where the folder it lies in is not for
    /// everybody, a copy is made in `scratch`.
    pub fn this_program(scratch: &Path) -> io::Result<Self> {
        let program = std::env::current_exe()?;
        let name = program.file_name().and_then(|it| it.to_str()).unwrap_or("probe").to_owned();
        let folder = program.parent().unwrap_or(Path::new("/"));
        let open = |path: &Path| path.metadata().is_ok_and(|it| it.permissions().mode() & 5 == 5);
        if open(folder)
            && open(&program)
            && let Ok(folder) = File::open(folder)
        {
            return Ok(Self { folder: folder.into(), name });
        }
        let folder = scratch.join("probe");
        fs::create_dir_all(&folder)?;
        fs::copy("/proc/self/exe", folder.join(&name))?;
        for path in [&folder.join(&name), &folder] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
        }
        Ok(Self { folder: File::open(folder)?.into(), name })
    }
}

/// Tries everything there is, one jail after the other; takes about half a second.
///
/// # Errors
///
/// Where there is nothing to try, since no jail can be made.
pub fn examine(client: &Client, probe: &Probe) -> Result<Vec<Check>, HelloError> {
    let report = client.hello()?;
    let trials = Trials { client, probe, report: &report };
    let mut checks = vec![
        trials.memory(),
        trials.processes(),
        patiently(|| trials.pausing()),
        patiently(|| trials.killing()),
        patiently(|| trials.processor_time()),
        trials.stall(),
        trials.one_core(),
    ];
    checks.extend(inside::PLAIN.map(|(name, trial)| trials.plain(name, trial)));
    checks.extend([trials.second_layer(), trials.core_files(), swap()]);
    Ok(checks)
}

struct Trials<'a> {
    client: &'a Client,
    probe: &'a Probe,
    report: &'a Report,
}

impl Trials<'_> {
    /// One that tries it all by itself.
    fn plain(&self, name: &str, trial: &str) -> Check {
        check(name, self.run(trial, None).and_then(|run| run.held()))
    }

    fn memory(&self) -> Check {
        let run = self.run("memory", None);
        check(
            "memory",
            run.and_then(|run| match run.ending.how {
                How::OutOfMemory => Ok(format!(
                    "a program that took more than {} MiB was killed",
                    self.memory_bytes_max() >> 20
                )),
                _ => Err(format!("a program that took more than it may {}", run.told())),
            }),
        )
    }

    fn processes(&self) -> Check {
        let most = self.limits().processes_max;
        let run = self.run("processes", None).and_then(|run| run.held());
        check(
            "processes",
            run.and_then(|said| match said.split_once(' ').map(|(n, _)| n.parse::<u64>()) {
                Some(Ok(n)) if n < most => Ok(format!("{said}, where {most} may be")),
                _ => Err(format!("{said}, where {most} may be")),
            }),
        )
    }

    /// Threads and a child: with the first process alone, the rest would think on.
    fn pausing(&self) -> Check {
        let watch = || {
            let (jail, _stdout) = self.busy()?;
            jail.freeze().map_err(text)?;
            // The last of the time before the pause is booked a moment later.
            thread::sleep(BOOKING);
            let before = jail.cpu().map_err(text)?;
            thread::sleep(PAUSE);
            let used = jail.cpu().map_err(text)?.saturating_sub(before);
            if used > PAUSED_CPU_MAX {
                return Err(format!(
                    "a paused program used {used:?} of the processor in {PAUSE:?}"
                ));
            }
            jail.thaw().map_err(text)?;
            let until = Instant::now() + TRIAL_WAIT_MAX;
            while jail.cpu().map_err(text)? < before + PAUSED_CPU_MAX {
                if Instant::now() > until {
                    return Err("a program that was paused does not go on".to_owned());
                }
                thread::sleep(PAUSED_CPU_MAX);
            }
            Ok(format!(
                "threads and a child used {} us of the processor in {} ms of pause, and went on",
                used.as_micros(),
                PAUSE.as_millis()
            ))
        };
        check("pausing", watch())
    }

    fn killing(&self) -> Check {
        let kill = || {
            let (mut jail, _stdout) = self.busy()?;
            jail.freeze().map_err(text)?;
            let begun = Instant::now();
            jail.kill().map_err(text)?;
            let ending = await_end(&mut jail, KILL_WAIT_MAX)?;
            let took = begun.elapsed();
            match ending.how {
                How::Signalled(libc::SIGKILL) => {
                    Ok(format!("a paused program with a child was gone after {took:.1?}"))
                }
                how => Err(format!("it ended otherwise: {how:?}")),
            }
        };
        check("killing", kill())
    }

    fn processor_time(&self) -> Check {
        let run = self.run("burn", None);
        check(
            "processor time",
            run.and_then(|run| {
                let cpu = run.ending.cpu;
                let said = format!("{cpu:.1?} were counted where {BURNT:?} and a start were used");
                run.held()?;
                let right = BURNT * 9 / 10..BURNT + BURNT_BESIDE_MAX;
                if right.contains(&cpu) { Ok(said) } else { Err(said) }
            }),
        )
    }

    fn stall(&self) -> Check {
        let name = "waiting for a processor";
        let told =
            self.spawn("memory", Start::Frozen, None).and_then(|jail| jail.stall().map_err(text));
        match told {
            Ok(Some(_)) => check(name, Ok("the kernel tells it (cpu.pressure)".to_owned())),
            Ok(None) => Check {
                name: name.to_owned(),
                state: State::Lacking,
                found: "the kernel does not tell it (cpu.pressure): bots on a busy host are charged for it"
                    .to_owned(),
            },
            Err(why) => check(name, Err(why)),
        }
    }

    fn one_core(&self) -> Check {
        let core = self.report.cores.first().copied();
        check("one core", self.run("core", core).and_then(|run| run.held()))
    }

    fn second_layer(&self) -> Check {
        let name = "second layer (Landlock)";
        match crate::fence::abi() {
            Ok(abi) => {
                let run = self.run("fence", None).and_then(|run| run.held());
                check(name, run.map(|said| format!("{said}; version {abi}")))
            }
            Err(why) => Check { name: name.to_owned(), state: State::Lacking, found: why },
        }
    }

    fn core_files(&self) -> Check {
        let pattern = fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap_or_default();
        let run = self.run("abort", None);
        check(
            "core files",
            run.and_then(|run| match run.ending.how {
                How::Signalled(libc::SIGABRT) if pattern.starts_with('|') => Ok(format!(
                    "none is written; the host sends them to {:?}, which a limit of one byte prevents for bots",
                    pattern.trim_start_matches('|').trim()
                )),
                How::Signalled(libc::SIGABRT) => Ok("none is written, no helper is called".to_owned()),
                _ => Err(format!("a program that crashes {}", run.told())),
            }),
        )
    }

    /// A program that uses two threads and a child to the full.
    fn busy(&self) -> Result<(Jail, File), String> {
        let mut jail = self.spawn("busy", Start::Running, None)?;
        let stdout = File::from(jail.take_stdout().ok_or("it has no output")?);
        let until = Instant::now() + TRIAL_WAIT_MAX;
        await_readable(stdout.as_fd(), until)?;
        Ok((jail, stdout))
    }

    fn run(&self, trial: &str, core: Option<u32>) -> Result<Run, String> {
        let mut jail = self.spawn(trial, Start::Running, core)?;
        drop(jail.take_stdin());
        let stdout = File::from(jail.take_stdout().ok_or("it has no output")?);
        // No trial says more than its pipe takes, so none waits for us.
        let ending = await_end(&mut jail, TRIAL_WAIT_MAX)?;
        let mut said = String::new();
        // What is not text was not said by a trial of ours.
        let _ = stdout.take(SAID_BYTES_MAX).read_to_string(&mut said);
        Ok(Run { ending, said: said.trim().to_owned() })
    }

    fn spawn(&self, trial: &str, start: Start, core: Option<u32>) -> Result<Jail, String> {
        let spec = Spec {
            argv: vec![format!("/probe/{}", self.probe.name), COMMAND.to_owned(), trial.to_owned()],
            env: Vec::new(),
            cwd: "/".to_owned(),
            limits: self.limits(),
            core,
            start,
            build: None,
        };
        self.client.spawn(&spec, &[("/probe", self.probe.folder.as_fd())]).map_err(text)
    }

    /// Little, but not more than the launcher allows.
    fn limits(&self) -> Limits {
        let most = &self.report.ceilings;
        Limits {
            memory_bytes_max: self.memory_bytes_max(),
            processes_max: most.processes_max.min(12),
            cpu_percent_max: most.cpu_percent_max.min(100),
            descriptors_max: most.descriptors_max.min(64),
            file_bytes_max: most.file_bytes_max.min(8 * MIB),
            stack_bytes_max: most.stack_bytes_max.min(8 * MIB),
            tmp_bytes_max: most.tmp_bytes_max.min(MIB),
            tmp_files_max: most.tmp_files_max.min(64),
            shm_bytes_max: most.shm_bytes_max.min(MIB),
        }
    }

    fn memory_bytes_max(&self) -> u64 {
        self.report.ceilings.memory_bytes_max.min(96 * MIB)
    }
}

/// What came of a program that tried something.
struct Run {
    ending: Ending,
    said: String,
}

impl Run {
    /// A trial ends with 0 where the protection held, and says what it saw.
    fn held(self) -> Result<String, String> {
        match self.ending.how {
            How::Exited(0) => Ok(self.said),
            How::Exited(1) => Err(self.said),
            _ => Err(self.told()),
        }
    }

    fn told(&self) -> String {
        match &self.ending.how {
            How::Exited(code) => format!("ended with {code}: {}", self.said),
            How::Signalled(signal) => format!("was ended by signal {signal}: {}", self.said),
            How::OutOfMemory => "ran out of memory".to_owned(),
            How::NotStarted(why) => format!("could not be started: {why}"),
        }
    }
}

/// On a busy host what takes time can take too much of it once, but not each time.
fn patiently(trial: impl Fn() -> Check) -> Check {
    let mut check = trial();
    for _ in 1..TIMED_TRIALS_MAX {
        if check.state != State::Broken {
            break;
        }
        check = trial();
    }
    check
}

/// That nothing goes there is a limit of its own, which the launcher does not do without.
fn swap() -> Check {
    let swaps = fs::read_to_string("/proc/swaps").unwrap_or_default();
    // The first line is a heading.
    let found = match swaps.lines().count() {
        0 | 1 => "the host has none",
        _ => "the host has it, and a jail may use none of it",
    };
    check("swap", Ok(found.to_owned()))
}

fn check(name: &str, result: Result<String, String>) -> Check {
    let (state, found) = match result {
        Ok(found) => (State::InForce, found),
        Err(why) => (State::Broken, why),
    };
    Check { name: name.to_owned(), state, found }
}

fn await_end(jail: &mut Jail, patience: Duration) -> Result<Ending, String> {
    await_readable(jail.as_fd(), Instant::now() + patience)?;
    jail.wait().map_err(text)
}

fn await_readable(fd: BorrowedFd<'_>, until: Instant) -> Result<(), String> {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let timeout = PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX);
        match poll(&mut [PollFd::new(fd, PollFlags::POLLIN)], timeout) {
            Ok(0) if left.is_zero() => return Err("nothing came of it in time".to_owned()),
            Ok(0) | Err(nix::errno::Errno::EINTR) => {}
            Ok(_) => return Ok(()),
            Err(error) => return Err(text(error)),
        }
    }
}

fn text(error: impl fmt::Display) -> String {
    error.to_string()
}

//! One jail as its owner sees it: pipes, pausing, measuring, and the end.
//!
//! Pausing and measuring are reads and writes of the control group's files, which
//! the launcher has handed over. It keeps the group until this handle is dropped, so
//! the figures stay readable after the program has ended.

use std::{
    fs::File,
    io::{self, Write},
    os::{
        fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd},
        unix::fs::FileExt,
    },
    thread,
    time::{Duration, Instant},
};

use nix::{
    errno::Errno,
    poll::{PollFd, PollFlags, PollTimeout, poll},
};
use thiserror::Error;

use crate::{
    cgroup::{self, MemoryAlarm},
    protocol::{self, Ended, Handles, Received, Reply, Status},
};

/// How long the kernel may take to stop every thread of a jail. It takes tens of
/// microseconds. But a thread needs a processor to stand still: one that has just
/// used a lot of it, on a host that has little, waits for its turn like any other.
const FREEZE_WAIT_MAX: Duration = Duration::from_secs(10);
/// What a jail may compute after it was told to stand. Calls of the kernel that are under way are
/// brought to their end, and that may be seconds hence where a program has asked for it.
const FREEZE_CPU_MAX: Duration = Duration::from_secs(1);
/// How long a freeze is awaited without giving up the processor.
const FREEZE_SPIN_MAX: Duration = Duration::from_micros(500);

/// A program in its jail. Dropping it destroys the jail and all that is in it.
#[derive(Debug)]
pub struct Jail {
    control: OwnedFd,
    stdin: Option<OwnedFd>,
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
    freeze: File,
    events: File,
    kill: File,
    cpu: File,
    out_of_memory: File,
    peak: Option<File>,
    pressure: Option<File>,
    memory_alarm: Option<MemoryAlarm>,
    build: Option<OwnedFd>,
    ending: Option<Ending>,
}

/// How a program came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// It ended itself, with this code.
    Exited(i32),
    /// This signal ended it.
    Signalled(i32),
    /// The kernel killed it, or a part of it, at the memory limit.
    OutOfMemory,
    /// It could not be executed, for this reason: no such file, not executable.
    NotStarted(String),
}

/// How a program ended, and what it used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// How it came to its end.
    pub how: How,
    /// Processor time of the whole jail.
    pub cpu: Duration,
    /// Time from start to end, pauses included.
    pub wall: Duration,
    /// The most memory the jail has used at a time; none where the kernel does not say.
    pub memory_peak_bytes: Option<u64>,
}

/// What can fail about a jail; never the program's fault.
#[derive(Debug, Error)]
pub enum JailError {
    /// The launcher is gone, and the program with it.
    #[error("the launcher is gone, and the jail with it")]
    LauncherGone,
    /// A step of making the jail failed after the program was promised.
    #[error("the jail could not be finished: {step}: {why}")]
    Setup {
        /// What was being done.
        step: String,
        /// What the kernel said.
        why: String,
    },
    /// The kernel did not stop every thread in time.
    #[error("the jail was not frozen after {} ms", .0.as_millis())]
    NotFrozen(Duration),
    /// The host had no memory left, and the kernel killed a part of the jail.
    #[error("the host had no memory left, and the kernel killed a part of the jail")]
    HostMemory,
    /// A file of the control group could not be used.
    #[error("{file}: {error}")]
    Group {
        /// Which file.
        file: &'static str,
        /// What the kernel said.
        error: io::Error,
    },
    /// The launcher said something unexpected.
    #[error("the launcher has said something unexpected: {0}")]
    Confused(String),
    /// Waiting failed.
    #[error("waiting for the jail: {0}")]
    Wait(io::Error),
}

impl Jail {
    pub(crate) fn new(control: OwnedFd, handles: Handles, fds: Vec<OwnedFd>) -> Option<Self> {
        let mut fds = fds.into_iter();
        let jail = Self {
            control,
            stdin: Some(fds.next()?),
            stdout: Some(fds.next()?),
            stderr: Some(fds.next()?),
            freeze: fds.next()?.into(),
            events: fds.next()?.into(),
            kill: fds.next()?.into(),
            cpu: fds.next()?.into(),
            out_of_memory: fds.next()?.into(),
            peak: if handles.peak { Some(fds.next()?.into()) } else { None },
            pressure: if handles.pressure { Some(fds.next()?.into()) } else { None },
            memory_alarm: match handles.memory_alarm {
                true => Some(MemoryAlarm::new(&mut fds)?),
                false => None,
            },
            build: if handles.build { Some(fds.next()?) } else { None },
            ending: None,
        };
        fds.next().is_none().then_some(jail)
    }

    /// The end to write to the program; can be taken once.
    pub fn take_stdin(&mut self) -> Option<OwnedFd> {
        self.stdin.take()
    }

    /// The end to read the program's output from; can be taken once.
    pub fn take_stdout(&mut self) -> Option<OwnedFd> {
        self.stdout.take()
    }

    /// The end to read the program's complaints from; can be taken once. It
    /// wants to be emptied all the time: a full pipe stops the program.
    pub fn take_stderr(&mut self) -> Option<OwnedFd> {
        self.stderr.take()
    }

    /// The root of the writable folder, where the [`Spec`](crate::Spec) asked
    /// for one; can be taken once, and outlives the jail. What is in it was made
    /// by the program: read it with [`collect_artefacts`](crate::collect_artefacts).
    pub fn take_build(&mut self) -> Option<OwnedFd> {
        self.build.take()
    }

    /// Stops every thread of the jail, and returns when all of them stand. Tells whether they do:
    /// a jail that goes on using the processor is killed instead.
    pub fn freeze(&self) -> Result<bool, JailError> {
        write(&self.freeze, "cgroup.freeze", b"1")?;
        let (begun, mut cpu_before) = (Instant::now(), None);
        while !self.frozen()? {
            let waited = begun.elapsed();
            if waited > FREEZE_WAIT_MAX {
                return Err(JailError::NotFrozen(waited));
            }
            // To poll the file would be slower: the kernel tells of a change
            // at most every 10 ms.
            if waited <= FREEZE_SPIN_MAX {
                thread::yield_now();
                continue;
            }
            let cpu = self.cpu()?;
            if cpu.saturating_sub(*cpu_before.get_or_insert(cpu)) > FREEZE_CPU_MAX {
                return self.kill().map(|()| false);
            }
            thread::sleep(Duration::from_micros(100));
        }
        Ok(true)
    }

    /// Lets every thread run again.
    pub fn thaw(&self) -> Result<(), JailError> {
        write(&self.freeze, "cgroup.freeze", b"0")
    }

    /// Whether every thread stands still.
    pub fn frozen(&self) -> Result<bool, JailError> {
        Ok(number(&self.events, "cgroup.events", "frozen")? == 1)
    }

    /// Processor time that the whole jail has used so far.
    pub fn cpu(&self) -> Result<Duration, JailError> {
        number(&self.cpu, "cpu.stat", "usage_usec").map(Duration::from_micros)
    }

    /// How long all that was ready to run in the jail had no processor, because the host gave it
    /// to others; none where the kernel does not say. Threads that wait for each other do not
    /// count: a program could make as much of that as it likes.
    pub fn stall(&self) -> Result<Option<Duration>, JailError> {
        let Some(pressure) = &self.pressure else { return Ok(None) };
        // some avg10=0.00 avg60=0.00 avg300=0.00 total=4711
        // full avg10=0.00 avg60=0.00 avg300=0.00 total=4242
        let name = "cpu.pressure";
        let text = read(pressure, name)?;
        let total_us = text.split_once("full ").and_then(|(_, full)| find(full, "total"));
        let total_us = total_us.ok_or_else(|| lacking(name, "full"))?;
        Ok(Some(Duration::from_micros(total_us)))
    }

    /// The most memory the jail has used at a time; none where the kernel does not say.
    pub fn memory_peak_bytes(&self) -> Result<Option<u64>, JailError> {
        let Some(peak) = &self.peak else { return Ok(None) };
        number(peak, "memory peak", "").map(Some)
    }

    /// Whether the kernel has killed a part of the jail at the memory limit. An
    /// error where it was the host that had no memory left: not the program's fault.
    pub fn out_of_memory(&self) -> Result<bool, JailError> {
        if number(&self.out_of_memory, "memory events", "oom_kill")? == 0 {
            return Ok(false);
        }
        let own = cgroup::limit_was_hit(&self.out_of_memory, self.memory_alarm.as_ref())
            .map_err(|error| group("memory events", error))?;
        if own { Ok(true) } else { Err(JailError::HostMemory) }
    }

    /// Kills everything in the jail, frozen or not. Its end is then told as any other.
    pub fn kill(&self) -> Result<(), JailError> {
        write(&self.kill, "cgroup.kill", b"1")
    }

    /// How it ended, if it has. By then no process of the jail is left.
    pub fn try_wait(&mut self) -> Result<Option<Ending>, JailError> {
        if self.ending.is_none() {
            self.ending = match protocol::receive(self.control.as_fd()).map_err(JailError::Wait)? {
                Received::Empty => None,
                Received::HungUp => return Err(JailError::LauncherGone),
                Received::Message(Reply::Ended(ended), _) => Some(ended.into()),
                Received::Message(Reply::Failed { step, why }, _) => {
                    return Err(JailError::Setup { step, why });
                }
                Received::Message(other, _) => {
                    return Err(JailError::Confused(format!("{other:?}")));
                }
            };
        }
        Ok(self.ending.clone())
    }

    /// Waits for the end.
    pub fn wait(&mut self) -> Result<Ending, JailError> {
        loop {
            if let Some(ending) = self.try_wait()? {
                return Ok(ending);
            }
            match poll(
                &mut [PollFd::new(self.control.as_fd(), PollFlags::POLLIN)],
                PollTimeout::NONE,
            ) {
                Ok(_) | Err(Errno::EINTR) => {}
                Err(error) => return Err(JailError::Wait(error.into())),
            }
        }
    }
}

/// Becomes readable when the jail has ended, or the launcher is gone.
impl AsFd for Jail {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.control.as_fd()
    }
}

/// The same descriptor as [`AsFd`] gives.
impl AsRawFd for Jail {
    fn as_raw_fd(&self) -> RawFd {
        self.control.as_raw_fd()
    }
}

impl From<Ended> for Ending {
    fn from(ended: Ended) -> Self {
        let how = match ended.how {
            // A compiler's driver hides that its compiler was killed, and a
            // parent can outlive its children: the kernel's count does not lie.
            _ if ended.out_of_memory => How::OutOfMemory,
            Status::Exited(code) => How::Exited(code),
            Status::Signalled(signal) => How::Signalled(signal),
            Status::NotStarted(why) => How::NotStarted(why),
        };
        Self { how, cpu: ended.cpu, wall: ended.wall, memory_peak_bytes: ended.memory_peak_bytes }
    }
}

fn write(mut file: &File, name: &'static str, what: &[u8]) -> Result<(), JailError> {
    file.write_all(what).map_err(|error| group(name, error))
}

/// The number after `key` in a small file of the kernel's.
fn number(file: &File, name: &'static str, key: &str) -> Result<u64, JailError> {
    find(&read(file, name)?, key).ok_or_else(|| lacking(name, key))
}

fn read(file: &File, name: &'static str) -> Result<String, JailError> {
    let mut text = [0; 1024];
    let length = file.read_at(&mut text, 0).map_err(|error| group(name, error))?;
    Ok(String::from_utf8_lossy(&text[..length]).into_owned())
}

fn lacking(name: &'static str, key: &str) -> JailError {
    group(name, io::Error::new(io::ErrorKind::InvalidData, format!("no {key:?}")))
}

/// Without a key the text is the number itself; else it follows `key` and one
/// blank or `=`.
pub(crate) fn find(text: &str, key: &str) -> Option<u64> {
    if key.is_empty() {
        return text.trim().parse().ok();
    }
    text.split_ascii_whitespace().enumerate().find_map(|(at, word)| {
        let value = match word.strip_prefix(key)? {
            "" => text.split_ascii_whitespace().nth(at + 1)?,
            rest => rest.strip_prefix('=')?,
        };
        value.parse().ok()
    })
}

/// The group goes when the launcher goes, and only then.
fn group(file: &'static str, error: io::Error) -> JailError {
    match error.raw_os_error() {
        Some(libc::ENODEV) => JailError::LauncherGone,
        _ => JailError::Group { file, error },
    }
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn numbers_are_found_by_their_key() {
        for (text, key, number) in [
            ("123\n", "", Some(123)),
            ("populated 1\nfrozen 0\n", "frozen", Some(0)),
            ("oom_kill_disable 0\nunder_oom 0\noom_kill 3\n", "oom_kill", Some(3)),
            (
                "some avg10=0.00 avg60=0.00 avg300=0.00 total=4711\nfull total=9\n",
                "total",
                Some(4711),
            ),
            ("usage_usec", "usage_usec", None),
            ("", "", None),
        ] {
            assert_eq!(find(text, key), number, "{text:?} {key:?}");
        }
    }
}

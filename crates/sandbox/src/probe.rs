//! Tries what cannot be seen by looking: that a process can be paused, that it
//! can be killed while it is, and that its groups take their limits.

use std::{
    fs::File,
    io::{self, Read, Seek, Write},
    os::fd::AsFd,
    thread,
    time::{Duration, Instant},
};

use nix::{
    fcntl::OFlag,
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::wait::waitpid,
    unistd::{self, Pid, getppid, pipe2},
};

use crate::{
    Limits, Missing,
    cgroup::{Files, Groups, SlotGroups, missing},
    jail, sys,
};

/// How long each trial may take.
const TRIAL_WAIT_MAX: Duration = Duration::from_secs(2);

/// Makes a group, puts a process in it, and treats it as a program is treated.
/// Returns what works but could be better.
pub(crate) fn try_groups(groups: &Groups, limits: &Limits) -> Result<Vec<String>, Missing> {
    let trial = groups.slot("trial");
    let files =
        set_up(&trial, limits).map_err(|error| missing("limits by control groups", error))?;
    let birthplace = trial.birthplace().map_err(|error| missing("control groups", error))?;
    let fork = sys::Fork { group: Some(birthplace.as_fd()), ..sys::Fork::default() };
    let unborn = |error: io::Error| missing("processes that are born in a control group", error);
    let (ready, told) = pipe2(OFlag::O_CLOEXEC).map_err(|error| unborn(error.into()))?;
    let parent = Pid::this();
    let child = sys::fork_checked(&fork, || {
        // Whoever was killed before this stands for nobody's parent any more.
        let bound = sys::die_with_parent().is_ok() && getppid() == parent;
        let joined = bound && trial.join().is_ok() && unistd::write(&told, b"!").is_ok();
        if !joined {
            return 1;
        }
        loop {
            thread::sleep(Duration::from_secs(1));
        }
    });
    drop(told);
    let child = child.map_err(unborn)?;

    // Paused before it is bound to us, it would outlive us and keep our groups locked.
    let paused = await_word(&ready).and_then(|()| pause(&files));
    let killed = write(&files.kill, "1").and_then(|()| await_end(&child));
    if killed.is_err() {
        // The trial must not outlive its failure.
        let _ = sys::kill(child.pidfd.as_fd(), libc::SIGKILL);
    }
    let _ = waitpid(child.pid, None);
    let removed = trial.remove();

    paused.map_err(|error| missing("pausing by cgroup.freeze", error))?;
    killed.map_err(|error| missing("killing by cgroup.kill", error))?;
    removed.map_err(|error| missing("control groups that can be removed", error))?;
    let mut warnings = Vec::new();
    if files.pressure.is_none() {
        warnings.push(
            "the kernel does not tell how long a program waited for a processor (cpu.pressure)"
                .to_owned(),
        );
    }
    if files.peak.is_none() {
        warnings
            .push("the kernel does not tell the most memory a jail used (memory.peak)".to_owned());
    }
    Ok(warnings)
}

fn set_up(trial: &SlotGroups, limits: &Limits) -> io::Result<Files> {
    trial.make()?;
    trial.limit(limits)?;
    let files = trial.open()?;
    for (file, key) in
        [(&files.cpu, "usage_usec"), (&files.out_of_memory, "oom_kill"), (&files.events, "frozen")]
    {
        if number(file, key)?.is_none() {
            return Err(io::Error::other(format!("the kernel does not tell {key:?}")));
        }
    }
    Ok(files)
}

fn pause(files: &Files) -> io::Result<()> {
    write(&files.freeze, "1")?;
    let until = Instant::now() + TRIAL_WAIT_MAX;
    while number(&files.events, "frozen")? != Some(1) {
        if Instant::now() > until {
            return Err(io::Error::other(format!(
                "a process still ran after {} s",
                TRIAL_WAIT_MAX.as_secs()
            )));
        }
        thread::sleep(Duration::from_micros(100));
    }
    Ok(())
}

fn await_word(ready: &impl AsFd) -> io::Result<()> {
    let timeout = PollTimeout::try_from(TRIAL_WAIT_MAX).unwrap_or(PollTimeout::MAX);
    let mut said = [PollFd::new(ready.as_fd(), PollFlags::POLLIN)];
    let is_said = poll(&mut said, timeout)? == 1;
    match is_said && unistd::read(ready, &mut [0]).is_ok_and(|it| it == 1) {
        true => Ok(()),
        false => Err(io::Error::other("a process could not join its control groups")),
    }
}

fn await_end(child: &sys::Child) -> io::Result<()> {
    let timeout = PollTimeout::try_from(TRIAL_WAIT_MAX).unwrap_or(PollTimeout::MAX);
    match poll(&mut [PollFd::new(child.pidfd.as_fd(), PollFlags::POLLIN)], timeout)? {
        0 => Err(io::Error::other(format!(
            "a paused process lived on for {} s",
            TRIAL_WAIT_MAX.as_secs()
        ))),
        _ => Ok(()),
    }
}

fn number(mut file: &File, key: &str) -> io::Result<Option<u64>> {
    let mut text = String::new();
    file.rewind()?;
    file.read_to_string(&mut text)?;
    Ok(jail::find(&text, key))
}

fn write(mut file: &File, what: &str) -> io::Result<()> {
    file.write_all(what.as_bytes())
}

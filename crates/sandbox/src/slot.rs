//! One place for a jail: made ready before it is needed, used once, removed.
#![allow(unsafe_code, reason = "it forks")]

use std::{
    io::{self, Write},
    os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd},
    path::PathBuf,
    time::{Duration, Instant},
};

use nix::{
    fcntl::{OFlag, openat},
    sys::{stat::Mode, wait::waitpid},
    unistd::pipe2,
};

use crate::{
    Spec, Start,
    cgroup::{Files, Groups, MemoryAlarm, SlotGroups, number},
    init::{self, Notice, Plan},
    mounts,
    program::Order,
    protocol::{self, Ended, Handles, Received, Refusal, Reply, Status},
    seccomp::Program,
    sys::{self, Child, Fork},
};

/// A jail, or the place for one.
#[derive(Debug)]
pub(crate) struct Slot {
    groups: SlotGroups,
    uid: u32,
    made: Instant,
    /// The first process; none once it has ended.
    child: Option<Child>,
    /// Our end of the first process's socket; none once it has hung up.
    socket: Option<OwnedFd>,
    /// There as soon as the slot is ready.
    files: Option<Files>,
    /// Our end of the client's socket, once a program was asked for.
    control: Option<OwnedFd>,
    /// What the client gets when there is a process; none once it has it.
    promise: Option<Promise>,
    /// The last thing the first process said.
    notice: Option<Notice>,
    /// The jail has hit its limit of memory, and was killed for it.
    starved: bool,
    /// The jail was killed for memory, its own limit or not.
    alarm_heard: bool,
    /// Since when it is being removed.
    dying: Option<Instant>,
}

/// What all slots are made from.
#[derive(Debug)]
pub(crate) struct Mould {
    pub(crate) groups: Groups,
    pub(crate) toolchain: Vec<PathBuf>,
    /// The kernel has Landlock.
    pub(crate) fenced: bool,
    pub(crate) filter: Program,
    pub(crate) init_uid: u32,
}

/// A program that a client wants to be started, and that may be.
#[derive(Debug)]
pub(crate) struct Wish {
    pub(crate) spec: Spec,
    /// The whole environment, `NAME=value`.
    pub(crate) env: Vec<String>,
    pub(crate) dirs: Vec<(String, OwnedFd)>,
}

/// Where a slot stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Its first process builds the jail.
    Preparing,
    /// It waits for a program.
    Ready,
    /// A program is or was in it, and the client has not let go of it.
    Used,
    /// It is being removed.
    Dying,
}

/// A descriptor of a slot that has something to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    /// The first process speaks.
    Socket,
    /// The first process has ended.
    Child,
    /// The client has hung up.
    Control,
    /// The limit of memory was hit.
    Memory,
}

impl Slot {
    /// Starts to make one; its first process does the work.
    pub(crate) fn make(mould: &Mould, name: &str, uid: u32) -> io::Result<Self> {
        let groups = mould.groups.slot(name);
        let (ours, theirs) = protocol::pair()?;
        let plan = Plan {
            groups: &groups,
            toolchain: &mould.toolchain,
            fenced: mould.fenced,
            filter: &mould.filter,
            uid,
            init_uid: mould.init_uid,
        };
        let fork = Fork { first_of_pids: true, group: Some(mould.groups.inits()) };
        // SAFETY: the launcher has one thread, as was checked when it started,
        // and makes none.
        let child = unsafe { sys::fork(&fork, || init::live(&plan, theirs)) }?;
        Ok(Self {
            groups,
            uid,
            made: Instant::now(),
            child: Some(child),
            socket: Some(ours),
            files: None,
            control: None,
            promise: None,
            notice: None,
            starved: false,
            alarm_heard: false,
            dying: None,
        })
    }

    pub(crate) fn stage(&self) -> Stage {
        match self {
            Self { dying: Some(_), .. } => Stage::Dying,
            Self { control: Some(_), .. } => Stage::Used,
            Self { files: Some(_), .. } => Stage::Ready,
            _ => Stage::Preparing,
        }
    }

    /// For how long it has existed.
    pub(crate) fn age(&self) -> Duration {
        self.made.elapsed()
    }

    /// For how long it has been dying.
    pub(crate) fn dying(&self) -> Option<Duration> {
        self.dying.map(|since| since.elapsed())
    }

    /// The descriptors to listen to.
    pub(crate) fn voices(&self) -> impl Iterator<Item = (Voice, BorrowedFd<'_>)> {
        let control = self.control.as_ref().filter(|_| self.dying.is_none());
        let alarm = self.files.as_ref().and_then(|files| files.memory_alarm.as_ref());
        let alarm =
            alarm.filter(|_| self.control.is_some() && self.child.is_some() && !self.alarm_heard);
        [
            self.socket.as_ref().map(|fd| (Voice::Socket, fd.as_fd())),
            self.child.as_ref().map(|child| (Voice::Child, child.pidfd.as_fd())),
            control.map(|fd| (Voice::Control, fd.as_fd())),
            alarm.map(|alarm| (Voice::Memory, alarm.as_fd())),
        ]
        .into_iter()
        .flatten()
    }

    /// Takes what a descriptor has to say. Returns why the slot is of no use
    /// to anybody, where it has failed before a program was in it.
    pub(crate) fn hear(&mut self, voice: Voice) -> Option<(String, String)> {
        match voice {
            Voice::Socket => self.hear_first_process(),
            Voice::Child => self.bury_first_process(),
            // A client has nothing to say here: this is its end.
            Voice::Control => {
                self.destroy();
                None
            }
            Voice::Memory => {
                self.hear_alarm();
                None
            }
        }
    }

    /// It rings for the groups above as well. A jail that was not touched then goes on.
    fn hear_alarm(&mut self) {
        let Some(files) = &self.files else { return };
        self.starved = files.limit_was_hit().unwrap_or(false);
        if self.starved || number(&files.out_of_memory, "oom_kill").unwrap_or(1) > 0 {
            self.alarm_heard = true;
            self.kill_program();
        } else if let Some(alarm) = &files.memory_alarm {
            alarm.hush();
        }
    }

    fn hear_first_process(&mut self) -> Option<(String, String)> {
        match protocol::receive(self.socket.as_ref()?.as_fd()) {
            Ok(Received::Empty) => {}
            Ok(Received::HungUp) | Err(_) => self.socket = None,
            Ok(Received::Message(Notice::Ready, _)) => match self.groups.open() {
                Ok(files) => self.files = Some(files),
                Err(error) => {
                    self.destroy();
                    return Some(("control groups".to_owned(), error.to_string()));
                }
            },
            Ok(Received::Message(Notice::Born, _)) => self.keep_promise(),
            Ok(Received::Message(notice, _)) => self.notice = Some(notice),
        }
        None
    }

    /// The kernel lets the first process go only after all others of the jail.
    fn bury_first_process(&mut self) -> Option<(String, String)> {
        // What it said before it went is still there to be heard: at most that
        // it was ready, that the program was born, and how it ended.
        for _ in 0..3 {
            if self.notice.is_none() {
                self.hear_first_process();
            }
        }
        let child = self.child.take()?;
        // It has ended, so this does not wait; and it is ours, so it does not fail.
        let _ = waitpid(child.pid, None);
        let unexpected =
            || ("the jail's first process".to_owned(), "it ended before it was told to".to_owned());
        if self.dying.is_some() {
            // A program that was ended by us must not look as if it had failed.
            return None;
        }
        if let (Some(control), Some(_)) = (&self.control, &self.promise) {
            let (step, why) = match self.notice.take() {
                Some(Notice::Failed { step, why }) => (step, why),
                _ => unexpected(),
            };
            refuse(control, Refusal::Setup { step, why });
            self.destroy();
            return None;
        }
        if let Some(control) = &self.control {
            let reply = match (self.notice.take(), self.bill()) {
                (_, Ok(bill)) if bill.out_of_memory && !self.limit_was_hit() => Reply::Failed {
                    step: "memory of the host".to_owned(),
                    why: "the host had none left, and the kernel killed a part of the jail"
                        .to_owned(),
                },
                (Some(Notice::Ended { status, wall }), Ok(bill)) => {
                    Reply::Ended(Ended { how: status, wall, ..bill })
                }
                (Some(Notice::Failed { step, why }), _) => Reply::Failed { step, why },
                (_, Ok(bill)) if bill.out_of_memory => Reply::Ended(bill),
                (Some(_) | None, Ok(_)) => {
                    let (step, why) = unexpected();
                    Reply::Failed { step, why }
                }
                (_, Err(error)) => {
                    Reply::Failed { step: "reading the bill".to_owned(), why: error.to_string() }
                }
            };
            // Where the client is gone, its hanging up is heard next.
            let _ = protocol::send(control.as_fd(), &reply, &[]);
            return None;
        }
        self.destroy();
        Some(match self.notice.take() {
            Some(Notice::Failed { step, why }) => (step, why),
            _ => unexpected(),
        })
    }

    /// What the whole jail has used. The time is how long the slot existed,
    /// which is what there is where the first process told nothing.
    fn bill(&self) -> io::Result<Ended> {
        let files = self.files.as_ref().ok_or(io::ErrorKind::NotFound)?;
        Ok(Ended {
            how: Status::Signalled(libc::SIGKILL),
            out_of_memory: self.starved || number(&files.out_of_memory, "oom_kill")? > 0,
            cpu: Duration::from_micros(number(&files.cpu, "usage_usec")?),
            wall: self.age(),
            memory_peak_bytes: files.peak.as_ref().map(|peak| number(peak, "")).transpose()?,
        })
    }

    /// Whether it was the jail's own limit that memory was short of.
    fn limit_was_hit(&self) -> bool {
        self.files.as_ref().is_some_and(|files| files.limit_was_hit().unwrap_or(false))
    }

    /// Starts a program in it. Where that fails, the client is told, and the
    /// slot is removed.
    pub(crate) fn start(&mut self, wish: Wish, control: OwnedFd) {
        match self.try_start(&wish) {
            Ok(promise) => {
                self.promise = Some(promise);
                self.control = Some(control);
            }
            Err((step, error)) => {
                refuse(&control, Refusal::Setup { step: step.to_owned(), why: error.to_string() });
                self.destroy();
            }
        }
    }

    /// There is a process now, and with it a jail that the client can have.
    fn keep_promise(&mut self) {
        let (Some(promise), Some(control), Some(files)) =
            (self.promise.take(), &self.control, &self.files)
        else {
            return;
        };
        let fds = promise.descriptors(files);
        if protocol::send(control.as_fd(), &Reply::Started(promise.handles), &fds).is_err() {
            self.destroy();
        }
    }

    fn try_start(&self, wish: &Wish) -> Result<Promise, (&'static str, io::Error)> {
        fn step<T, E: Into<io::Error>>(
            step: &'static str,
            result: Result<T, E>,
        ) -> Result<T, (&'static str, io::Error)> {
            result.map_err(|error| (step, error.into()))
        }
        let gone = || io::Error::from(io::ErrorKind::NotFound);
        let files = step("the slot", self.files.as_ref().ok_or_else(gone))?;
        let socket = step("the slot", self.socket.as_ref().ok_or_else(gone))?;
        step("limits", self.groups.limit(&wish.spec.limits))?;
        if let Some(alarm) = &files.memory_alarm {
            // It may have rung for others while the slot was waiting.
            alarm.hush();
        }
        if wish.spec.start == Start::Frozen {
            step("pausing", (&files.freeze).write_all(b"1"))?;
        }
        let (stdin, to_stdin) = step("stdin", pipe2(OFlag::O_CLOEXEC))?;
        let (from_stdout, stdout) = step("stdout", pipe2(OFlag::O_CLOEXEC))?;
        let (from_stderr, stderr) = step("stderr", pipe2(OFlag::O_CLOEXEC))?;
        let mut beside = vec![stdin, stdout, stderr];
        for (_, folder) in &wish.dirs {
            beside.push(step("the client's folder", mounts::client_folder(folder.as_fd()))?);
        }
        let mut build = None;
        if let Some(wanted) = wish.spec.build {
            let tree = step("the writable folder", mounts::build_folder(wanted, self.uid))?;
            let flags = OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
            build = Some(step("the writable folder", openat(&tree, ".", flags, Mode::empty()))?);
            beside.push(tree);
        }
        let order = Order {
            argv: wish.spec.argv.clone(),
            env: wish.env.clone(),
            cwd: wish.spec.cwd.clone(),
            limits: wish.spec.limits.clone(),
            core: wish.spec.core,
            dirs: wish.dirs.iter().map(|(path, _)| path.clone()).collect(),
            build: build.is_some(),
        };
        let fds: Vec<RawFd> = beside.iter().map(AsRawFd::as_raw_fd).collect();
        step("the order", protocol::send(socket.as_fd(), &order, &fds))?;
        let handles = Handles {
            peak: files.peak.is_some(),
            pressure: files.pressure.is_some(),
            memory_alarm: files.memory_alarm.is_some(),
            build: build.is_some(),
        };
        Ok(Promise { handles, pipes: [to_stdin, from_stdout, from_stderr], build })
    }

    /// Kills all that is in it. What is left is removed by [`Slot::remove`].
    pub(crate) fn destroy(&mut self) {
        self.dying.get_or_insert_with(Instant::now);
        // The first process takes all others along; this is only sooner.
        self.kill_program();
        if let Some(child) = &self.child {
            // It fails only where the process has ended already.
            let _ = sys::kill(child.pidfd.as_fd(), libc::SIGKILL);
        }
    }

    fn kill_program(&self) {
        if let Some(files) = &self.files {
            // It fails only where the group is gone, and so is what was in it.
            let _ = (&files.kill).write_all(b"1");
        }
    }

    /// Removes what is left of a dying slot; tells whether it is gone.
    pub(crate) fn remove(&mut self) -> bool {
        self.dying.is_some() && self.child.is_none() && self.groups.remove().is_ok()
    }
}

/// What a client gets for a started program.
#[derive(Debug)]
struct Promise {
    handles: Handles,
    pipes: [OwnedFd; 3],
    build: Option<OwnedFd>,
}

impl Promise {
    /// In the order that [`Handles`] promises.
    fn descriptors(&self, files: &Files) -> Vec<RawFd> {
        let Files { freeze, events, kill, cpu, out_of_memory, peak, pressure, .. } = files;
        let alarm = &files.memory_alarm;
        let pipes = self.pipes.iter().map(AsRawFd::as_raw_fd);
        let files =
            [freeze, events, kill, cpu, out_of_memory].into_iter().chain(peak).chain(pressure);
        pipes
            .chain(files.map(AsRawFd::as_raw_fd))
            .chain(alarm.iter().flat_map(MemoryAlarm::descriptors))
            .chain(self.build.iter().map(AsRawFd::as_raw_fd))
            .collect()
    }
}

/// Tells a client that there will be no jail.
pub(crate) fn refuse(control: &OwnedFd, refusal: Refusal) {
    // A client that is gone needs no answer.
    let _ = protocol::send(control.as_fd(), &Reply::Refused(refusal), &[]);
}

//! Keeps jails ready, hands them out, watches them, and removes them.
//!
//! One thread that waits for descriptors. It never waits for a jail, for the
//! kernel's slower work (the jails' first processes do that), or for a client.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    io,
    os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
    time::{Duration, Instant},
};

use nix::{
    errno::Errno,
    fcntl::{FcntlArg, OFlag, fcntl},
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sched::{CpuSet, sched_getaffinity},
    sys::{
        socket::{UnixAddr, getsockname},
        stat::{SFlag, fstat},
        utsname::uname,
    },
    unistd::Pid,
};

use crate::{
    LauncherError, Missing, Policy, Report, Spec, SpecError,
    cgroup::{Groups, missing},
    fence,
    launcher::{self, io_error},
    mounts::Toolchain,
    probe,
    protocol::{self, Received, Refusal, Reply, Request},
    report,
    slot::{Mould, Slot, Stage, Voice, Wish, refuse},
    sys,
};

/// How long after the last request new slots are made: starts that belong
/// together should not wait for each other's successors.
const QUIET: Duration = Duration::from_millis(5);
/// Requests that are taken before jails are looked after again.
const REQUESTS_AT_ONCE: u32 = 64;
/// How long a slot may take to be ready.
const READY_WAIT_MAX: Duration = Duration::from_secs(10);
/// How long nothing is tried again after a slot could not be made.
const FAILURE_PAUSE: Duration = Duration::from_secs(1);
/// How often the removal of a slot is tried again.
const REMOVAL_PAUSE: Duration = Duration::from_millis(2);
/// How long after its end a slot should be gone.
const STUCK: Duration = Duration::from_secs(1);
/// How long the end of all jails may take when the launcher ends.
const FAREWELL_WAIT_MAX: Duration = Duration::from_secs(10);

/// All jails of one launcher, from ready to removed.
pub(crate) struct Jailer<'a> {
    policy: &'a Policy,
    mould: Mould,
    report: Report,
    /// One place for each jail there can be; its number tells its user.
    slots: Vec<Option<Slot>>,
    /// Programs that wait for a slot to be ready, each with its client's socket.
    wishes: VecDeque<(Wish, OwnedFd)>,
    /// When a client last asked for a jail.
    asked: Instant,
    /// The last slot that could not be made, and why.
    failed: Option<(Instant, (String, String))>,
}

impl<'a> Jailer<'a> {
    /// Finds out whether this host can hold a jail, by making one.
    pub(crate) fn open(policy: &'a Policy) -> Result<Self, Vec<Missing>> {
        let toolchain = Toolchain::look(&policy.toolchain);
        let absent = toolchain.missing.iter();
        let mut lacks: Vec<Missing> = absent
            .map(|(path, error)| missing(&format!("the toolchain's {}", path.display()), error))
            .collect();
        lacks.extend(launcher::raise_descriptors(policy).err());
        if let Err(error) = sys::filter_can_kill() {
            lacks.push(missing("filters of system calls (seccomp)", error));
        }
        let filter = policy
            .seccomp
            .compile()
            .map_err(|error| vec![missing("the list of system calls", error)])?;
        let groups = match Groups::open(&policy.cgroup) {
            Ok(groups) => groups,
            Err(more) => {
                lacks.extend(more);
                return Err(lacks);
            }
        };
        let fence = fence::abi();
        let mut warnings = match probe::try_groups(&groups, &policy.ceilings) {
            Ok(warnings) => warnings,
            Err(lack) => {
                lacks.push(lack);
                Vec::new()
            }
        };
        warnings
            .extend(fence.as_ref().err().map(|why| format!("no second layer (Landlock): {why}")));
        let report = Report {
            kernel: uname()
                .map(|name| name.release().to_string_lossy().into_owned())
                .unwrap_or_default(),
            backend: groups.backend(),
            protections: report::protections(groups.backend(), policy, fence.as_ref().ok()),
            warnings,
            toolchain: toolchain.present.clone(),
            absent: toolchain.absent,
            jails_max: policy.jails_max(),
            ceilings: policy.ceilings.clone(),
            cores: cores(),
        };
        let mut jailer = Self {
            policy,
            mould: Mould {
                groups,
                toolchain: toolchain.present,
                fenced: fence.is_ok(),
                filter,
                init_uid: policy.uids.first,
            },
            report,
            slots: (0..policy.jails_max()).map(|_| None).collect(),
            wishes: VecDeque::new(),
            asked: Instant::now(),
            failed: None,
        };
        if lacks.is_empty() {
            lacks.extend(jailer.try_slot());
        }
        if lacks.is_empty() {
            return Ok(jailer);
        }
        lacks.extend(
            jailer.close().err().map(|error| missing("control groups that can be removed", error)),
        );
        Err(lacks)
    }

    /// Makes the first slot, and waits for it.
    fn try_slot(&mut self) -> Option<Missing> {
        self.make_slots(1);
        while self.count(Stage::Ready) == 0 {
            if let Some((_, (step, why))) = &self.failed {
                return Some(missing(&format!("a jail: {step}"), why));
            }
            if let Err(error) = self.listen(&[], REMOVAL_PAUSE) {
                return Some(missing("waiting", error));
            }
            self.tend();
        }
        None
    }

    /// Serves the client until it hangs up.
    pub(crate) fn run(mut self, socket: &OwnedFd) -> Result<(), LauncherError> {
        loop {
            let ready = self.listen(&[socket.as_fd()], self.patience());
            if ready.map_err(io_error("waiting"))?[0] && self.hear_client(socket) {
                break;
            }
            self.tend();
            self.make_slots(self.wanted());
        }
        self.close().map_err(io_error("removing the jails"))
    }

    /// Waits until something happens to a slot or at one of `others`, and sees
    /// to the slots. Tells which of the others are ready.
    fn listen(&mut self, others: &[BorrowedFd<'_>], patience: Duration) -> io::Result<Vec<bool>> {
        let slots =
            (0..).zip(&self.slots).filter_map(|(number, slot)| Some((number, slot.as_ref()?)));
        let voices: Vec<(usize, Voice, BorrowedFd<'_>)> = slots
            .flat_map(|(number, slot)| slot.voices().map(move |(voice, fd)| (number, voice, fd)))
            .collect();
        let all = others.iter().copied().chain(voices.iter().map(|(_, _, fd)| *fd));
        let mut fds: Vec<PollFd<'_>> = all.map(|fd| PollFd::new(fd, PollFlags::POLLIN)).collect();
        match poll(&mut fds, PollTimeout::try_from(patience).unwrap_or(PollTimeout::MAX)) {
            Ok(_) => {}
            Err(Errno::EINTR) => return Ok(vec![false; others.len()]),
            Err(error) => return Err(error.into()),
        }
        let ready: Vec<bool> = fds.iter().map(|fd| fd.any() == Some(true)).collect();
        let speaking = voices.iter().zip(&ready[others.len()..]).filter(|(_, ready)| **ready);
        let speaking: Vec<(usize, Voice)> =
            speaking.map(|((number, voice, _), _)| (*number, *voice)).collect();
        for (number, voice) in speaking {
            if let Some(failure) = self.slots[number].as_mut().and_then(|slot| slot.hear(voice)) {
                self.fail(failure);
            }
        }
        Ok(ready[..others.len()].to_vec())
    }

    /// Takes requests that have come, but not so many that jails would wait for
    /// long; tells whether the client has gone.
    fn hear_client(&mut self, socket: &OwnedFd) -> bool {
        for _ in 0..REQUESTS_AT_ONCE {
            match protocol::receive(socket.as_fd()) {
                Ok(Received::Empty) => return false,
                Ok(Received::HungUp) => return true,
                Ok(Received::Message(request, fds)) => self.answer(request, fds),
                // What is no request gets no answer: its descriptors are closed.
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {}
                Err(_) => return true,
            }
        }
        false
    }

    fn answer(&mut self, request: Request, fds: Vec<OwnedFd>) {
        let mut fds = fds.into_iter();
        let Some(control) = fds.next() else { return };
        // Whatever else it might be could keep us waiting.
        if getsockname::<UnixAddr>(control.as_raw_fd()).is_err() {
            return;
        }
        match request {
            Request::Hello => {
                let mut report = self.report.clone();
                let stuck = self
                    .slots
                    .iter()
                    .flatten()
                    .filter_map(Slot::dying)
                    .filter(|since| *since > STUCK)
                    .count();
                if stuck > 0 {
                    report.warnings.push(format!("{stuck} jails have ended and cannot be removed"));
                }
                // A client that is gone needs no answer.
                let _ = protocol::send(control.as_fd(), &Reply::Report(report), &[]);
            }
            Request::Spawn { spec, dirs } => {
                self.asked = Instant::now();
                match self.admit(*spec, &dirs, fds.collect()) {
                    Ok(wish) => self.wishes.push_back((wish, control)),
                    Err(refusal) => refuse(&control, refusal),
                }
            }
        }
    }

    /// Holds a request against the policy, and completes it.
    fn admit(&mut self, spec: Spec, dirs: &[String], fds: Vec<OwnedFd>) -> Result<Wish, Refusal> {
        if dirs.len() != fds.len() {
            let why = format!("{} folders are named, {} came along", dirs.len(), fds.len());
            return Err(Refusal::BadRequest { why });
        }
        let names: Vec<&str> = dirs.iter().map(String::as_str).collect();
        self.policy.admit(&spec, &names).map_err(Refusal::Spec)?;
        if let Some(asked) = spec.core.filter(|core| !self.report.cores.contains(core)) {
            let cores = self.report.cores.iter().copied().collect();
            return Err(Refusal::Spec(SpecError::NoCore { asked, cores }));
        }
        let dirs: Vec<(String, OwnedFd)> = dirs.iter().cloned().zip(fds).collect();
        for (path, fd) in &dirs {
            check_folder(fd).map_err(|why| {
                Refusal::Spec(SpecError::BadDirectory { path: path.clone(), why: why.to_owned() })
            })?;
        }
        if !self.has_room() {
            // A jail that was let go before this was asked counts no more.
            self.listen(&[], Duration::ZERO).map_err(|error| Refusal::Setup {
                step: "waiting".to_owned(),
                why: error.to_string(),
            })?;
        }
        if !self.has_room() {
            return Err(Refusal::NoRoom { jails_max: self.report.jails_max });
        }
        let mut env: BTreeMap<&str, &str> = self
            .policy
            .environment
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        env.extend(spec.env.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        let env = env.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
        Ok(Wish { spec, env, dirs })
    }

    /// Grants wishes, and removes what is done with.
    fn tend(&mut self) {
        for place in &mut self.slots {
            let Some(slot) = place else { continue };
            match slot.stage() {
                Stage::Ready => {
                    if let Some((wish, control)) = self.wishes.pop_front() {
                        slot.start(wish, control);
                    }
                }
                Stage::Preparing if slot.age() > READY_WAIT_MAX => slot.destroy(),
                Stage::Dying if slot.remove() => *place = None,
                _ => {}
            }
        }
    }

    /// How many slots are to be made now.
    fn wanted(&self) -> usize {
        let (ready, preparing) = (self.count(Stage::Ready), self.count(Stage::Preparing));
        if self.wishes.len() > preparing {
            return self.wishes.len() - preparing;
        }
        if self.failed.as_ref().is_some_and(|(when, _)| when.elapsed() < FAILURE_PAUSE) {
            return 0;
        }
        let spare = ready + preparing - self.wishes.len();
        let warm = usize::try_from(self.policy.warm_slots).unwrap_or(usize::MAX);
        // The next to ask should not wait for more than one slot to be made.
        let most = if self.asked.elapsed() >= QUIET { warm } else { warm.min(1) };
        most.saturating_sub(spare)
    }

    fn make_slots(&mut self, wanted: usize) {
        let free = (0..).zip(&self.slots).filter(|(_, place)| place.is_none());
        let free: Vec<usize> = free.map(|(number, _)| number).take(wanted).collect();
        for number in free {
            // The first user is that of the first processes.
            let uid = self.policy.uids.first
                + 1
                + u32::try_from(number).expect("at most JAILS_MAX slots");
            match Slot::make(&self.mould, &format!("slot-{number}"), uid) {
                Ok(slot) => self.slots[number] = Some(slot),
                Err(error) => return self.fail(("a first process".to_owned(), error.to_string())),
            }
        }
    }

    /// A slot could not be made: who has waited longest for one is told.
    fn fail(&mut self, (step, why): (String, String)) {
        if let Some((_, control)) = self.wishes.pop_front() {
            refuse(&control, Refusal::Setup { step: step.clone(), why: why.clone() });
        }
        self.failed = Some((Instant::now(), (step, why)));
    }

    /// How long to wait for something to happen before looking around.
    fn patience(&self) -> Duration {
        if let Some(since) = self.slots.iter().flatten().filter_map(Slot::dying).min() {
            // Where the kernel takes its time, asking more often does not help.
            return if since < STUCK { REMOVAL_PAUSE } else { STUCK / 10 };
        }
        let spare = self.count(Stage::Ready) + self.count(Stage::Preparing);
        if spare < usize::try_from(self.policy.warm_slots).unwrap_or(usize::MAX)
            || !self.wishes.is_empty()
        {
            return QUIET;
        }
        FAILURE_PAUSE
    }

    fn has_room(&self) -> bool {
        self.count(Stage::Used) + self.wishes.len() < self.slots.len()
    }

    fn count(&self, stage: Stage) -> usize {
        self.slots.iter().flatten().filter(|slot| slot.stage() == stage).count()
    }

    /// Ends and removes every jail, and with them all traces of this launcher.
    fn close(&mut self) -> io::Result<()> {
        self.wishes.clear();
        let until = Instant::now() + FAREWELL_WAIT_MAX;
        self.mould.groups.kill_all()?;
        self.slots.iter_mut().flatten().for_each(Slot::destroy);
        while self.slots.iter().any(Option::is_some) {
            if Instant::now() > until {
                let left = self.slots.iter().flatten().count();
                return Err(io::Error::other(format!("{left} jails could not be removed")));
            }
            self.listen(&[], REMOVAL_PAUSE)?;
            self.tend();
        }
        self.mould.groups.remove_all()
    }
}

/// What the client could read, and the jail's user can: a folder for everybody.
fn check_folder(fd: &OwnedFd) -> Result<(), &'static str> {
    let stat = fstat(fd).map_err(|_| "it cannot be looked at")?;
    if stat.st_mode & SFlag::S_IFMT.bits() != SFlag::S_IFDIR.bits() {
        return Err("it is no folder");
    }
    // A bare handle can be had to folders that their owner shows to nobody.
    let how = fcntl(fd, FcntlArg::F_GETFL).map_err(|_| "it cannot be looked at")?;
    if OFlag::from_bits_truncate(how).contains(OFlag::O_PATH) {
        return Err("it was not opened for reading");
    }
    if stat.st_mode & 0o005 != 0o005 {
        return Err("not everybody may read and enter it");
    }
    Ok(())
}

/// The cores this process may use, and so its children.
fn cores() -> BTreeSet<u32> {
    let Ok(set) = sched_getaffinity(Pid::from_raw(0)) else { return BTreeSet::new() };
    let usable = (0..CpuSet::count()).filter(|core| set.is_set(*core) == Ok(true));
    usable.filter_map(|core| u32::try_from(core).ok()).collect()
}

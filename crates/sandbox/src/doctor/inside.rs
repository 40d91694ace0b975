//! What a program tries in a jail: each trial ends with 0 where the jail held.
#![allow(unsafe_code, reason = "it forks, and makes calls that no crate offers")]

use std::{
    fs,
    hint::black_box,
    io::{self, ErrorKind, Write},
    os::unix::fs::MetadataExt,
    path::Path,
    thread,
    time::Duration,
};

use nix::{
    errno::Errno,
    sched::{CpuSet, sched_getaffinity},
    sys::{
        signal::{Signal, raise},
        time::TimeValLike,
    },
    time::{ClockId, clock_gettime},
    unistd::{ForkResult, Pid, fork, getuid},
};

use super::BURNT;
use crate::{fence, jail};

/// Trials that need nobody outside, by the name of what they try.
pub(super) const PLAIN: [(&str, &str); 11] = [
    ("network", "network"),
    ("sockets of virtual machines", "vsock"),
    ("/proc", "proc"),
    ("files of the host", "files"),
    ("temporary files", "tmp"),
    ("rights", "rights"),
    ("system calls", "calls"),
    ("threads", "threads"),
    ("the clock", "clock"),
    ("descriptors", "descriptors"),
    ("when the host's memory is short", "oom"),
];
/// Most blocks of a MiB that are taken to hit a limit of memory.
const BLOCKS_MAX: usize = 4096;
/// Most processes that are made to hit a limit of them.
const FORKS_MAX: usize = 4096;
/// Descriptors that are looked at.
const DESCRIPTORS_LOOKED_AT: i32 = 1024;

/// What was seen: `Ok` where the jail held.
type Seen = Result<String, String>;

/// Tries one thing as a program in a jail, says what it saw on stdout, and
/// returns the code to end with: 0 where the jail held, 1 where it did not, 2
/// where there is no such trial.
pub fn try_inside(trial: &str) -> i32 {
    let seen = match trial {
        "memory" => memory(),
        "processes" => processes(),
        "busy" => busy(),
        "burn" => burn(),
        "core" => core(),
        "fence" => fence(),
        "abort" => abort(),
        "network" => network(),
        "vsock" => sockets(&[("vsock", 40)]),
        "proc" => proc(),
        "files" => files(),
        "tmp" => tmp(),
        "rights" => rights(),
        "calls" => calls(),
        "threads" => threads(),
        "descriptors" => descriptors(),
        "oom" => oom(),
        "clock" => clock(),
        _ => {
            println!("there is no trial {trial:?}");
            return 2;
        }
    };
    match seen {
        Ok(said) => {
            println!("{said}");
            0
        }
        Err(said) => {
            println!("{said}");
            1
        }
    }
}

fn memory() -> Seen {
    let mut blocks = Vec::new();
    for _ in 0..BLOCKS_MAX {
        blocks.push(black_box(vec![1_u8; 1 << 20]));
    }
    Err(format!("it had {} MiB", blocks.len()))
}

/// The children live until the jail goes.
fn processes() -> Seen {
    for made in 0..FORKS_MAX {
        // SAFETY: this program has made no thread.
        match unsafe { fork() } {
            Ok(ForkResult::Child) => loop {
                thread::sleep(Duration::from_secs(1));
            },
            Ok(ForkResult::Parent { .. }) => {}
            Err(Errno::EAGAIN) => return Ok(format!("{made} children, then no more")),
            Err(error) => return Err(format!("{made} children, then {error}")),
        }
    }
    Err(format!("{FORKS_MAX} children, and no end"))
}

fn busy() -> Seen {
    // SAFETY: this program has made no thread yet.
    let child = unsafe { fork() }.map_err(text)?;
    let spin = || {
        loop {
            black_box(());
        }
    };
    if matches!(child, ForkResult::Child) {
        spin();
    }
    for _ in 0..2 {
        thread::spawn(spin);
    }
    println!("busy");
    io::stdout().flush().map_err(text)?;
    spin();
    Err("it is never idle".to_owned())
}

fn burn() -> Seen {
    let used = || clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).map(|it| it.num_microseconds());
    let most = i64::try_from(BURNT.as_micros()).unwrap_or(i64::MAX);
    while used().map_err(text)? < most {
        black_box(());
    }
    Ok("burnt".to_owned())
}

fn core() -> Seen {
    let set = sched_getaffinity(Pid::from_raw(0)).map_err(text)?;
    let before = (0..CpuSet::count()).filter(|it| set.is_set(*it) == Ok(true)).count();
    let mut all = CpuSet::new();
    for core in 0..CpuSet::count() {
        all.set(core).map_err(text)?;
    }
    // It may say that all is well, and do nothing.
    let _ = nix::sched::sched_setaffinity(Pid::from_raw(0), &all);
    let set = sched_getaffinity(Pid::from_raw(0)).map_err(text)?;
    let after = (0..CpuSet::count()).filter(|it| set.is_set(*it) == Ok(true)).count();
    holds(
        (before, after) == (1, 1),
        format!("{before} core to run on, and {after} after asking for all"),
    )
}

fn fence() -> Seen {
    match fs::read(fence::CLOSED) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            Ok("a file for everybody that was not shown could not be opened".to_owned())
        }
        Err(error) => Err(format!("{}: {error}", fence::CLOSED)),
        Ok(_) => Err(format!("{} could be opened", fence::CLOSED)),
    }
}

fn abort() -> Seen {
    raise(Signal::SIGABRT).map_err(text)?;
    Err("it lived on".to_owned())
}

fn network() -> Seen {
    let said = sockets(&[("inet", 2), ("inet6", 10), ("netlink", 16), ("packet", 17)])?;
    // Two lines of heading.
    let devices = fs::read_to_string("/proc/self/net/dev").map_err(text)?;
    let devices: Vec<&str> = devices
        .lines()
        .skip(2)
        .filter_map(|line| line.split_once(':'))
        .map(|(name, _)| name.trim())
        .collect();
    holds(devices == ["lo"], format!("{said}; devices: {}", devices.join(", ")))
}

fn sockets(families: &[(&str, i32)]) -> Seen {
    for (name, family) in families {
        for kind in [libc::SOCK_STREAM, libc::SOCK_DGRAM, libc::SOCK_RAW] {
            // SAFETY: no memory is involved.
            if unsafe { libc::socket(*family, kind, 0) } != -1 {
                return Err(format!("a socket of the family {name} could be made"));
            }
        }
    }
    let names: Vec<&str> = families.iter().map(|(name, _)| *name).collect();
    Ok(format!("no socket of {}", names.join(", ")))
}

fn proc() -> Seen {
    let ours = std::process::id().to_string();
    let entries = fs::read_dir("/proc").map_err(text)?;
    for entry in entries {
        let name = entry.map_err(text)?.file_name().to_string_lossy().into_owned();
        if name.parse::<u32>().is_ok() && name != ours {
            return Err(format!("the process {name} can be seen"));
        }
    }
    for path in
        ["/proc/1/environ", "/proc/meminfo", "/proc/loadavg", "/proc/sys/kernel", "/proc/kcore"]
    {
        if Path::new(path).exists() {
            return Err(format!("{path} can be seen"));
        }
    }
    let written = fs::write("/proc/self/comm", "other");
    holds(written.is_err(), "it shows a process itself, and takes nothing".to_owned())
}

fn files() -> Seen {
    // A toolchain may lie in one of them, which then is a folder of the jail's own.
    let of_jail = fs::metadata("/").map_err(text)?.dev();
    for path in ["/etc/passwd", "/etc/shadow", "/root", "/home", "/var", "/run", "/sys", "/boot"] {
        if fs::metadata(path).is_ok_and(|it| !it.is_dir() || it.dev() != of_jail) {
            return Err(format!("{path} can be seen"));
        }
    }
    let folders = ["/", "/usr", "/usr/bin", "/etc", "/dev", "/probe"];
    for folder in folders {
        let path = Path::new(folder).join("new");
        if fs::write(&path, "").is_ok() {
            return Err(format!("{} could be written", path.display()));
        }
    }
    Ok(format!("the host's are not there; none can be made in {}", folders.join(" ")))
}

fn tmp() -> Seen {
    let block = vec![1; 1 << 16];
    for folder in ["/tmp", "/dev/shm"] {
        let mut file = fs::File::create(Path::new(folder).join("large")).map_err(text)?;
        let full = (0..1024).find_map(|_| file.write_all(&block).err());
        match full.as_ref().map(io::Error::kind) {
            Some(ErrorKind::StorageFull) => {}
            other => return Err(format!("filling {folder} ended with {other:?}")),
        }
    }
    for made in 0..10_000 {
        if fs::File::create(format!("/tmp/{made}")).is_err() {
            return Ok(format!("full after some bytes, or after {made} files"));
        }
    }
    Err("10000 files could be made in /tmp".to_owned())
}

fn rights() -> Seen {
    let status = fs::read_to_string("/proc/self/status").map_err(text)?;
    let value = |key: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(key));
        line.unwrap_or("?").trim().to_owned()
    };
    let uid = getuid();
    for (key, wanted) in [
        ("NoNewPrivs:", "1"),
        ("CapInh:", "0000000000000000"),
        ("CapPrm:", "0000000000000000"),
        ("CapEff:", "0000000000000000"),
        ("CapBnd:", "0000000000000000"),
        ("CapAmb:", "0000000000000000"),
        ("Groups:", ""),
    ] {
        let found = value(key);
        if found != wanted {
            return Err(format!("{key} {found}, not {wanted}"));
        }
    }
    // SAFETY: no memory is involved.
    let became = unsafe { libc::setuid(0) } == 0;
    holds(
        !became && !uid.is_root(),
        format!("user {uid} without any, and root could not be become"),
    )
}

fn calls() -> Seen {
    let status = fs::read_to_string("/proc/self/status").map_err(text)?;
    if jail::find(&status, "Seccomp:") != Some(2) {
        return Err("no filter is in force".to_owned());
    }
    let table = [
        ("io_uring_setup", libc::SYS_io_uring_setup),
        ("bpf", libc::SYS_bpf),
        ("keyctl", libc::SYS_keyctl),
        ("userfaultfd", libc::SYS_userfaultfd),
        ("perf_event_open", libc::SYS_perf_event_open),
        ("clone3", libc::SYS_clone3),
        ("inotify_init1", libc::SYS_inotify_init1),
        ("mount", libc::SYS_mount),
        ("unshare", libc::SYS_unshare),
        ("setns", libc::SYS_setns),
        ("ptrace", libc::SYS_ptrace),
        ("clock_settime", libc::SYS_clock_settime),
        ("of the future", 9999),
    ];
    for (name, number) in table {
        // SAFETY: with these arguments none of them touches memory of ours.
        let result = unsafe { libc::syscall(number, 0, 0, 0, 0, 0, 0) };
        if result != -1 || !matches!(Errno::last(), Errno::ENOSYS | Errno::EPERM) {
            return Err(format!("the call {name} is made ({result}, {})", Errno::last()));
        }
    }
    Ok(format!("{} dangerous or unknown ones are not made", table.len()))
}

fn threads() -> Seen {
    // SAFETY: with these arguments the kernel looks at no memory.
    let new = unsafe { libc::syscall(libc::SYS_clone3, 0, 0) };
    let there = (new, Errno::last()) != (-1, Errno::ENOSYS);
    let made = thread::Builder::new().spawn(|| 41 + 1).map_err(text)?.join();
    holds(
        !there && made.is_ok_and(|it| it == 42),
        "made by the older call, as the newer is not there".to_owned(),
    )
}

fn descriptors() -> Seen {
    let open = |fd: &i32| {
        // SAFETY: no memory is involved.
        unsafe { libc::fcntl(*fd, libc::F_GETFD) != -1 }
    };
    let found: Vec<i32> = (0..DESCRIPTORS_LOOKED_AT).filter(open).collect();
    holds(found == [0, 1, 2], format!("open are {found:?}"))
}

fn oom() -> Seen {
    let read = || fs::read_to_string("/proc/self/oom_score_adj").map_err(text);
    let first = read()?;
    let written = fs::write("/proc/self/oom_score_adj", "-1000").is_ok();
    holds(
        !written && first.trim() == "1000" && read()? == first,
        format!(
            "oom_score_adj is {}, so the kernel takes jails before anything else",
            first.trim()
        ),
    )
}

fn clock() -> Seen {
    let now = clock_gettime(ClockId::CLOCK_REALTIME).map_err(text)?;
    let set = nix::time::clock_settime(ClockId::CLOCK_REALTIME, now);
    holds(set.is_err(), "it cannot be set".to_owned())
}

fn holds(it: bool, said: String) -> Seen {
    if it { Ok(said) } else { Err(said) }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

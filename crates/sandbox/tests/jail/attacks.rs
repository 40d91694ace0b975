//! What was found by attacking the jail with its source at hand, and what a
//! worker can do that has been taken over.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::IoSlice,
    os::{
        fd::{AsRawFd, OwnedFd, RawFd},
        unix::fs::PermissionsExt,
    },
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use nix::{
    fcntl::{Flock, FlockArg},
    sys::{
        memfd::{MFdFlags, memfd_create},
        socket::{
            AddressFamily, ControlMessage, MsgFlags, SockFlag, SockType, UnixAddr, sendmsg,
            socketpair,
        },
    },
    unistd::pipe,
};
use sandbox::{Build, Client, How, JailError, launcher};
use serde_json::json;

use crate::{
    Case,
    kit::{Kit, file, read_line, spec, wait_for},
};

pub(crate) const CASES: &[Case] = &[
    ("a host that has no memory left is not the program's fault", hosts_memory),
    ("all jails together leave the host some memory", memory_of_all),
    ("jails go before anything else when memory is short", goes_first),
    ("a launcher outlives whatever its client sends", nonsense),
    ("a client that floods its launcher keeps no jail from ending", flood),
    ("nothing of a program's start leads out of its jail", ways_out),
    ("what a program is before it is one leads nowhere", before_it_runs),
    ("a file that is no program is not the judge's failure, whatever is wrong with it", no_program),
    ("files that all see are no way to others, and no burden to them", shared_files),
    ("sockets of a jail are its own memory", memory_of_sockets),
    ("a client cannot keep memory beyond what jails may have", kept_memory),
];

/// The groups of the one launcher there is, where memory is limited.
fn memory_group(kit: &Kit) -> (PathBuf, &'static str) {
    for (root, file) in
        [("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")]
    {
        let parent = Path::new(root).join(&kit.policy.cgroup.parent);
        let Ok(entries) = fs::read_dir(&parent) else { continue };
        for entry in entries.filter_map(Result::ok) {
            if entry.path().join(file).exists() {
                return (entry.path(), file);
            }
        }
    }
    panic!("no group of a launcher with a limit of memory");
}

/// Memory that is short above a jail looks the same to it as a host that has none.
fn hosts_memory(kit: &mut Kit) {
    let program = kit.hostile("memory_bomb");
    let (group, file) = memory_group(kit);
    let before = fs::read_to_string(group.join(file)).expect("a limit");
    fs::write(group.join(file), (24 << 20).to_string()).expect("less memory");
    let mut jail = kit.spawn(&spec(&["/bot/bot"]), &[("/bot", &program)]).expect("a jail");
    let ended = jail.wait();
    let looked = jail.out_of_memory();
    fs::write(group.join(file), before.trim()).expect("as before");
    assert!(matches!(looked, Err(JailError::HostMemory)), "{looked:?}");
    match ended {
        Err(JailError::Setup { step, .. }) => assert_eq!(step, "memory of the host"),
        other => panic!("{other:?}"),
    }
    drop(jail);
    // And with enough above, it is the program's own fault again.
    let mut jail = kit.spawn(&spec(&["/bot/bot"]), &[("/bot", &program)]).expect("a jail");
    assert_eq!(jail.wait().expect("an end").how, How::OutOfMemory);
    // Where the launcher was quicker than the kernel, nothing was counted.
    jail.out_of_memory().expect("it was not the host's");
}

fn memory_of_all(kit: &mut Kit) {
    let (group, file) = memory_group(kit);
    let limit: u64 =
        fs::read_to_string(group.join(file)).expect("a limit").trim().parse().expect("a number");
    let host = fs::read_to_string("/proc/meminfo").expect("proc");
    let kib: u64 = host
        .split_ascii_whitespace()
        .nth(1)
        .and_then(|it| it.parse().ok())
        .expect("the first is the total");
    assert!(limit < kib << 10 && limit > kib << 9, "{limit} of {} bytes", kib << 10);
}

fn goes_first(kit: &mut Kit) {
    let run = kit.run(&spec(&["cat", "/proc/self/oom_score_adj"]), &[], Duration::from_secs(10));
    assert_eq!(run.stdout, "1000\n");
}

/// A random number generator that needs no library, and is the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % sides
    }
}

fn send(socket: &OwnedFd, bytes: &[u8], fds: &[RawFd]) {
    let rights = [ControlMessage::ScmRights(fds)];
    let beside = if fds.is_empty() { &[][..] } else { &rights[..] };
    // Waits where the socket is full; more descriptors than the kernel takes are no matter.
    let flags = MsgFlags::MSG_NOSIGNAL;
    let _ = sendmsg::<UnixAddr>(socket.as_raw_fd(), &[IoSlice::new(bytes)], beside, flags, None);
}

/// What a good request looks like on the wire.
fn request() -> serde_json::Value {
    let spec = serde_json::to_value(spec(&["true"])).expect("plain data");
    json!({ "Spawn": { "spec": spec, "dirs": ["/bot"] } })
}

/// Puts something odd in one place of a request.
fn mutate(dice: &mut Dice, value: &mut serde_json::Value) {
    use serde_json::Value;
    let odd = |dice: &mut Dice| match dice.roll(12) {
        0 => Value::Null,
        1 => json!(-1),
        2 => json!(u64::MAX),
        3 => json!(1e300),
        4 => json!(""),
        5 => json!("../../../etc"),
        6 => json!("a\0b"),
        7 => json!("x".repeat(70_000)),
        8 => json!([]),
        9 => json!({}),
        10 => json!("/proc/1/root"),
        _ => json!(true),
    };
    match value {
        Value::Object(map) if !map.is_empty() && dice.roll(8) != 0 => {
            let nth = dice.roll(map.len());
            if let Some((_, inner)) = map.iter_mut().nth(nth) {
                mutate(dice, inner);
            }
        }
        Value::Array(list) if !list.is_empty() && dice.roll(4) != 0 => {
            let nth = dice.roll(list.len());
            mutate(dice, &mut list[nth]);
        }
        other => *other = odd(dice),
    }
}

fn nonsense(kit: &mut Kit) {
    let mut policy = kit.policy.clone();
    policy.uids.first += policy.uids.count;
    policy.uids.count = 5;
    policy.warm_slots = 1;
    let (socket, pid) = launcher::fork(&policy).expect("a launcher");
    let client = Client::new(socket.try_clone().expect("a socket"));
    client.hello().expect("it works");
    let settled = |client: &Client| {
        // What was made in passing is removed within moments.
        let until = Instant::now() + Duration::from_secs(10);
        loop {
            drop(client.spawn(&spec(&["true"]), &[]));
            thread::sleep(Duration::from_millis(50));
            let fds = fs::read_dir(format!("/proc/{pid}/fd")).expect("it lives").count();
            if fds < 40 || Instant::now() > until {
                return fds;
            }
        }
    };
    let fds_before = settled(&client);

    let mut dice = Dice(1);
    let (odd_pipe, _other_end) = pipe().expect("a pipe");
    let folder = File::open("/usr").expect("a folder");
    let closed = File::open("/root").expect("a folder");
    let regular = File::open("/usr/bin/env").expect("a file");
    let null = File::options().read(true).write(true).open("/dev/null").expect("a device");
    let memory = memfd_create(c"odd", MFdFlags::empty()).expect("a file in memory");
    let proc = File::open("/proc").expect("a folder");
    let begun = Instant::now();
    for turn in 0..4000 {
        let (ours, theirs) =
            socketpair(AddressFamily::Unix, SockType::SeqPacket, None, SockFlag::SOCK_CLOEXEC)
                .expect("a pair");
        let mut bytes = match dice.roll(4) {
            0 => {
                (0..dice.roll(300)).map(|_| u8::try_from(dice.roll(256)).expect("a byte")).collect()
            }
            1 => vec![b'['; dice.roll(100_000)],
            _ => {
                let mut request = request();
                for _ in 0..dice.roll(4) {
                    mutate(&mut dice, &mut request);
                }
                serde_json::to_vec(&request).expect("plain data")
            }
        };
        if dice.roll(6) == 0 {
            let length = dice.roll(bytes.len() + 1);
            bytes.truncate(length);
        }
        // An empty packet is how a socket of this kind ends.
        bytes.extend(bytes.is_empty().then_some(b' '));
        let all = [
            theirs.as_raw_fd(),
            folder.as_raw_fd(),
            closed.as_raw_fd(),
            regular.as_raw_fd(),
            null.as_raw_fd(),
            memory.as_raw_fd(),
            proc.as_raw_fd(),
            odd_pipe.as_raw_fd(),
            ours.as_raw_fd(),
            socket.as_raw_fd(),
        ];
        let mut fds: Vec<RawFd> = (0..dice.roll(5)).map(|_| all[dice.roll(all.len())]).collect();
        if dice.roll(3) != 0 {
            fds.insert(0, theirs.as_raw_fd());
        }
        if dice.roll(50) == 0 {
            fds = vec![folder.as_raw_fd(); 200];
        }
        send(&socket, &bytes, &fds);
        if turn % 500 == 499 {
            client.hello().expect("it still answers");
        }
    }
    let took = begun.elapsed();
    client.hello().expect("it still answers");
    let mut jail = client.spawn(&spec(&["true"]), &[]).expect("it still makes jails");
    assert_eq!(jail.wait().expect("an end").how, How::Exited(0));
    drop(jail);
    let fds_after = settled(&client);
    assert!(fds_after <= fds_before + 2, "{fds_before} descriptors before, {fds_after} after");
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("it lives");
    let kib: u64 = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|line| line.split_ascii_whitespace().next()?.parse().ok())
        .expect("a figure");
    assert!(kib < 64 << 10, "the launcher has used {kib} KiB");
    println!("       4000 messages in {took:.1?}; the launcher has used {kib} KiB at most");
    drop((client, socket));
    assert_eq!(wait_for(pid), Some(0));
}

/// A jail that ends is told so in time, whatever else is asked meanwhile.
fn flood(kit: &mut Kit) {
    let mut policy = kit.policy.clone();
    policy.uids.first += policy.uids.count;
    let (socket, pid) = launcher::fork(&policy).expect("a launcher");
    let client = Client::new(socket.try_clone().expect("a socket"));
    let mut jail = client.spawn(&spec(&["sleep", "100"]), &[]).expect("a jail");
    let until = Instant::now() + Duration::from_millis(700);
    let hello = serde_json::to_vec("Hello").expect("plain data");
    let mut killed = None;
    let (ours, theirs) =
        socketpair(AddressFamily::Unix, SockType::SeqPacket, None, SockFlag::SOCK_CLOEXEC)
            .expect("a pair");
    let mut told = None;
    while Instant::now() < until {
        for _ in 0..100 {
            send(&socket, &hello, &[theirs.as_raw_fd()]);
        }
        match killed {
            None if until - Instant::now() < Duration::from_millis(500) => {
                jail.kill().expect("killed");
                killed = Some(Instant::now());
            }
            Some(when)
                if told.is_none() && jail.try_wait().expect("the launcher lives").is_some() =>
            {
                told = Some(when.elapsed());
            }
            _ => {}
        }
    }
    drop(ours);
    let told = told.expect("its end was told while requests came");
    assert!(told < Duration::from_millis(300), "it took {told:?}");
    drop((jail, client, socket));
    assert_eq!(wait_for(pid), Some(0));
}

fn ways_out(kit: &mut Kit) {
    let program = kit.program("ways_out");
    let run = kit.run(&spec(&["/bot/bot"]), &[("/bot", &program)], Duration::from_secs(10));
    assert_eq!(run.ending.how, How::Exited(0), "{run:?}");
    let wanted = "\
waiting for a sibling: ECHILD
its output, to read: EACCES
its input, to write: EACCES
the first process: ENOENT
a namespace of its own: EPERM
a root above its own: EPERM
a file by its number: ENOSYS
a socket of the host: ENOENT
an abstract one: ECONNREFUSED
a disk in its folder: EPERM
orphans of its own: ok
";
    assert_eq!(run.stdout, wanted);
}

/// Until it is executed, it is a copy of the jail's first process. What that had open must be of
/// no use: not to an interpreter that a file names, nor to a client who has been taken over.
fn before_it_runs(kit: &mut Kit) {
    let up = "../../../../../../../..";
    let end = Duration::from_secs(10);
    let mut found = BTreeSet::new();
    for number in 3..12 {
        let way = format!("/proc/self/fd/{number}");
        let mut ended = |name: &str, how: String| found.insert(format!("{name}: {how}"));
        for (name, text) in [
            ("a script", format!("#!{way}/{up}/usr/bin/env true\n").into_bytes()),
            ("what is open", format!("#!{way}\n").into_bytes()),
            ("a program", interpreted_by(&format!("{way}/{up}/usr/bin/env"))),
        ] {
            let folder = executable(kit, &text);
            let run = kit.run(&spec(&["/bot/bot"]), &[("/bot", folder.path())], end);
            ended(name, format!("{:?}", run.ending.how));
        }
        let run = kit.run(&spec(&[&format!("{way}/{up}/usr/bin/env")]), &[], end);
        ended("a command", format!("{:?}", run.ending.how).replace(&way, "N"));
        let mut elsewhere = spec(&["true"]);
        elsewhere.cwd = format!("{way}/{up}");
        let refused = kit.spawn(&elsewhere, &[]).expect_err("no folder of the jail");
        ended("a folder", refused.to_string().replace(&way, "N"));
    }
    for it in &found {
        let errors = ["No such file or directory", "Not a directory", "Permission denied"];
        let is_held = it.contains("NotStarted") && errors.iter().any(|error| it.contains(error));
        assert!(is_held || it.starts_with("a folder: \"N"), "{found:#?}");
    }
    // Nothing is open but the way to tell why a program was not started.
    assert_eq!(found.len(), 9, "{found:#?}");
}

/// What the kernel says of these is never the judge's failure.
fn no_program(kit: &mut Kit) {
    let cut = |mut program: Vec<u8>, length| {
        program.truncate(length);
        program
    };
    let machine = |mut program: Vec<u8>, machine: u8| {
        program[18] = machine;
        program
    };
    let dynamic = || interpreted_by("/lib64/ld-linux-x86-64.so.2");
    let mut found = Vec::new();
    for (name, bytes) in [
        ("nothing", Vec::new()),
        ("text", b"hello\n".to_vec()),
        ("an interpreter that is not there", b"#!/nowhere/sh\n".to_vec()),
        ("an interpreter without a name", b"#!\n".to_vec()),
        ("an interpreter that is a folder", b"#!/bot\n".to_vec()),
        ("its own interpreter", b"#!/bot/bot\n".to_vec()),
        ("another machine's", machine(dynamic(), 183)),
        ("cut off in its header", cut(dynamic(), 40)),
        ("cut off in its list of segments", cut(dynamic(), 70)),
        ("cut off before the name of its loader", cut(dynamic(), 64 + 56)),
        ("with a loader that is too short", interpreted_by("/bot/short")),
        ("with a loader that is a folder", interpreted_by("/usr")),
        ("with nothing to load", dynamic()),
    ] {
        let folder = executable(kit, &bytes);
        let short = folder.path().join("short");
        fs::write(&short, "x").expect("a file");
        fs::set_permissions(&short, fs::Permissions::from_mode(0o755)).expect("for everybody");
        let dirs = [("/bot", folder.path())];
        let run = kit.run(&spec(&["/bot/bot"]), &dirs, Duration::from_secs(10));
        let how = run.ending.how;
        let is_its_own = matches!(how, How::NotStarted(_) | How::Signalled(_));
        assert!(is_its_own, "{name}: {how:?}");
        found.push(format!("{name}: {how:?}"));
    }
    let damaged = found.iter().filter(|it| it.contains("it is damaged")).count();
    assert!(damaged > 0, "{found:#?}");
}

/// A folder with a file `bot` in it.
fn executable(kit: &Kit, bytes: &[u8]) -> tempfile::TempDir {
    let folder = tempfile::tempdir_in(kit.folder.path()).expect("a folder");
    let file = folder.path().join("bot");
    fs::write(&file, bytes).expect("a file");
    for path in [folder.path(), &file] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("for everybody");
    }
    folder
}

/// A program of no instructions, which another is to load.
fn interpreted_by(path: &str) -> Vec<u8> {
    let path = [path.as_bytes(), b"\0"].concat();
    let (at, length) = (64 + 56_u64, path.len() as u64);
    let kind =
        [0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 62, 0, 1, 0, 0, 0];
    let header = [0_u64, 64, 0].map(u64::to_le_bytes).concat();
    let sizes = [0_u16, 0, 64, 56, 1, 0, 0, 0].map(u16::to_le_bytes).concat();
    // INTERP, to be read.
    let entry = [3 | 4 << 32, at, 0, 0, length, length, 1].map(u64::to_le_bytes).concat();
    [&kind[..], &header, &sizes, &entry, &path].concat()
}

fn shared_files(kit: &mut Kit) {
    let program = kit.program("shared_files");
    let wanted = [
        "flock: ok",
        "record lock: ok",
        "lock of an open file: ok",
        "news of a folder: ok",
        "advice to forget: ok",
        "advice to fetch: ok",
        "fsync: ok",
        "msync: ok",
        "blocks of a file: EPERM",
        "a filter of calls: EPERM",
        "a filter of a socket: EPERM",
        "large pages: ENOMEM",
        "a file of large pages: ENOMEM",
        "shared large pages: ENOMEM",
    ];
    // Two at once: what one seems to hold does not show in the other.
    let jails: Vec<_> = (0..2)
        .map(|_| {
            let mut jail = kit.spawn(&spec(&["/bot/bot"]), &[("/bot", &program)]).expect("a jail");
            let from = file(jail.take_stdout());
            for line in wanted {
                assert_eq!(read_line(&from), line);
            }
            jail
        })
        .collect();
    // Nor on the host, where it was never held.
    let locked =
        Flock::lock(File::open("/usr/bin/env").expect("a file"), FlockArg::LockExclusiveNonblock);
    assert!(locked.is_ok(), "a jail holds a lock of the host");
    drop(jails);
}

/// What waits in sockets is charged to the jail, however many it has.
fn memory_of_sockets(kit: &mut Kit) {
    let program = kit.program("fills_sockets");
    let mut spec = spec(&["/bot/bot"]);
    spec.limits.descriptors_max = 1024;
    spec.limits.memory_bytes_max = 32 << 20;
    let run = kit.run(&spec, &[("/bot", &program)], Duration::from_secs(20));
    assert_eq!(run.ending.how, How::OutOfMemory, "{run:?}");
    let peak = run.ending.memory_peak_bytes.unwrap_or_default();
    assert!(peak > 20 << 20, "{peak} bytes: what is in sockets was not counted; {run:?}");
}

/// The writable folders of builds outlive their jails; what lies in them counts
/// for all jails together, so that a client who keeps them starves only himself.
fn kept_memory(kit: &mut Kit) {
    let (group, file_name) = memory_group(kit);
    let before = fs::read_to_string(group.join(file_name)).expect("a limit");
    fs::write(group.join(file_name), (200 << 20).to_string()).expect("less memory");
    let fill = "head -c 40000000 /dev/zero > /build/large && echo filled; read _";
    let mut kept = Vec::new();
    let mut filled = 0;
    for _ in 0..8 {
        let mut spec = spec(&["sh", "-c", fill]);
        spec.limits.file_bytes_max = 64 << 20;
        spec.build = Some(Build { bytes_max: 64 << 20, files_max: 16 });
        // With no memory left, some are not even made.
        let Ok(mut jail) = kit.spawn(&spec, &[]) else { continue };
        kept.push(jail.take_build().expect("it was asked for"));
        filled += usize::from(read_line(&file(jail.take_stdout())) == "filled");
    }
    let kept_n = kept.len();
    drop(kept);
    fs::write(group.join(file_name), before.trim()).expect("as before");
    assert!((1..=5).contains(&filled), "{filled} times 40 MB in 200 MiB, {kept_n} kept");
}

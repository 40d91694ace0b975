//! How a program ended is told as it was, and what may not be is refused.

use std::{
    fs::{self, File},
    os::{
        fd::AsFd,
        unix::fs::{OpenOptionsExt, PermissionsExt},
    },
    time::Duration,
};

use sandbox::{Build, How, Jail, SpawnError, Spec, SpecError};

use crate::{
    Case,
    kit::{Kit, file, read_line, spec},
};

pub(crate) const CASES: &[Case] = &[
    ("exit codes, signals and failures to start are told apart", endings),
    ("a program gets its input and its end is seen at the pipes", pipes),
    ("what is over the policy is refused with what was found and what is allowed", refusals),
    ("folders that not everybody may read are not mounted", folders),
    ("as many jails as there are users, and then no more", no_room),
    ("the environment can be added to", environment),
    ("a program is bounded to its core", core),
];

const WALL: Duration = Duration::from_secs(10);

fn endings(kit: &mut Kit) {
    let folder = kit.folder.path().join("endings");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("text"), "no program").expect("a file");
    fs::write(folder.join("script"), "#!/bin/sh\nexit 4\n").expect("a file");
    fs::write(folder.join("orphan"), "#!/no/interpreter\n").expect("a file");
    for name in ["script", "orphan"] {
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).expect("a mode");
    }
    let not = |what: &str, why: &str| How::NotStarted(format!("executing {what}: {why}"));
    for (argv, how) in [
        (&["true"][..], How::Exited(0)),
        (&["/bin/sh", "-c", "exit 3"], How::Exited(3)),
        (&["sh", "-c", "exit 255"], How::Exited(255)),
        (&["/bot/script"], How::Exited(4)),
        (&["sh", "-c", "kill -9 $$"], How::Signalled(9)),
        (&["sh", "-c", "kill -SEGV $$"], How::Signalled(11)),
        (&["sh", "-c", "kill -40 $$"], How::Signalled(40)),
        (&["/bot/none"], not("/bot/none", "No such file or directory")),
        (&["none"], not("none", "No such file or directory")),
        (&["/bot/text"], not("/bot/text", "Permission denied")),
        (&["/bot/orphan"], not("/bot/orphan", "No such file or directory")),
        (&["/bot"], not("/bot", "Permission denied")),
        (&["/bot/text/below"], not("/bot/text/below", "Not a directory")),
    ] {
        let run = kit.run(&spec(argv), &[("/bot", &folder)], WALL);
        assert_eq!(run.ending.how, how, "{argv:?} {run:?}");
    }
    let run = kit.run(&Spec { cwd: "/none".to_owned(), ..spec(&["true"]) }, &[], WALL);
    assert_eq!(
        run.ending.how,
        How::NotStarted("entering /none: No such file or directory".to_owned())
    );
}

fn pipes(kit: &mut Kit) {
    let program = kit.program("echo");
    let mut jail = kit.spawn(&spec(&["/bot/bot"]), &[("/bot", &program)]).expect("a jail");
    let (to, from) = (file(jail.take_stdin()), file(jail.take_stdout()));
    assert!(jail.take_stdin().is_none(), "it can be taken once");
    for line in ["one", "two", ""] {
        std::io::Write::write_all(&mut &to, format!("{line}\n").as_bytes()).expect("a pipe");
        assert_eq!(read_line(&from), line);
    }
    assert_eq!(jail.try_wait().expect("the launcher lives"), None);
    drop(to);
    assert_eq!(jail.wait().expect("an end").how, How::Exited(0));
    assert_eq!(jail.wait().expect("it can be asked again").how, How::Exited(0));
    // The figures stay as long as the jail is held. So little work may be none, where a kernel
    // counts in hundredths of a second.
    jail.cpu().expect("a figure");
    assert!(!jail.out_of_memory().expect("a figure"));
}

fn refusals(kit: &mut Kit) {
    let refused = |change: fn(&mut Spec)| {
        let mut spec = spec(&["true"]);
        change(&mut spec);
        kit.spawn(&spec, &[]).map(drop).expect_err("it is refused").to_string()
    };
    let ceilings = &kit.policy.ceilings;
    let over = |name: &str, asked: u64, ceiling: u64| {
        format!("{name} is {asked}, the launcher's policy allows at most {ceiling}")
    };
    for (change, message) in [
        (
            (|spec| spec.limits.memory_bytes_max = 1 << 40) as fn(&mut Spec),
            over("memory_bytes_max", 1 << 40, ceilings.memory_bytes_max),
        ),
        (
            |spec| spec.limits.processes_max = 100_000,
            over("processes_max", 100_000, ceilings.processes_max),
        ),
        (
            |spec| spec.build = Some(Build { bytes_max: 1 << 40, files_max: 10 }),
            over("build.bytes_max", 1 << 40, kit.policy.build_ceiling.bytes_max),
        ),
        (
            |spec| spec.limits.processes_max = 0,
            "processes_max is 0, at least 1 is needed".to_owned(),
        ),
        (
            |spec| spec.core = Some(4095),
            format!(
                "core 4095 is not one of the cores the launcher may use: {:?}",
                kit.client.hello().expect("a report").cores.iter().collect::<Vec<_>>()
            ),
        ),
        (|spec| spec.argv.clear(), "the command is empty".to_owned()),
    ] {
        assert_eq!(refused(change), message);
    }
    let folder = File::open("/usr").expect("a folder");
    for (path, why) in [
        ("/usr", "\"/usr\" cannot be a folder of the jail: \"/usr\" is part of the toolchain"),
        (
            "/usr/share",
            "\"/usr/share\" cannot be a folder of the jail: \"/usr\" is part of the toolchain",
        ),
        ("/tmp/x", "\"/tmp/x\" cannot be a folder of the jail: \"/tmp\" is the jail's own"),
    ] {
        let error = kit.client.spawn(&spec(&["true"]), &[(path, folder.as_fd())]).map(drop);
        assert_eq!(error.expect_err("it is refused").to_string(), why);
    }
}

fn folders(kit: &mut Kit) {
    let folder = kit.folder.path().join("closed");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("file"), "").expect("a file");
    let set_mode =
        |mode| fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).expect("a mode");
    let refused = |open: File| match kit.client.spawn(&spec(&["true"]), &[("/bot", open.as_fd())]) {
        Err(SpawnError::Spec(SpecError::BadDirectory { path, why })) => {
            assert_eq!(path, "/bot");
            why
        }
        other => panic!("{other:?}"),
    };
    set_mode(0o750);
    assert_eq!(
        refused(File::open(&folder).expect("a folder")),
        "not everybody may read and enter it"
    );
    set_mode(0o755);
    assert_eq!(refused(File::open(folder.join("file")).expect("a file")), "it is no folder");
    let handle =
        File::options().read(true).custom_flags(libc::O_PATH).open(&folder).expect("a handle");
    assert_eq!(refused(handle), "it was not opened for reading");
}

fn no_room(kit: &mut Kit) {
    let room = kit.policy.jails_max();
    let program = kit.program("echo");
    let spawn = || kit.spawn(&spec(&["/bot/bot"]), &[("/bot", &program)]);
    let mut jails: Vec<Jail> = (0..room).map(|_| spawn().expect("room")).collect();
    match spawn() {
        Err(SpawnError::NoRoom { jails_max }) => assert_eq!(jails_max, room),
        other => panic!("{other:?}"),
    }
    // One that has ended still belongs to its client, until he lets go of it.
    drop(jails.pop());
    drop(spawn().expect("room again"));
}

fn environment(kit: &mut Kit) {
    let mut spec = spec(&["env"]);
    spec.env = vec![("LANG".to_owned(), "de".to_owned()), ("X".to_owned(), "a=b c".to_owned())];
    let run = kit.run(&spec, &[], WALL);
    assert_eq!(
        run.stdout,
        "HOME=/tmp\nLANG=de\nPATH=/usr/local/bin:/usr/bin:/bin\nTMPDIR=/tmp\nX=a=b c\n"
    );
}

fn core(kit: &mut Kit) {
    for core in kit.client.hello().expect("a report").cores {
        let mut spec = spec(&["grep", "Cpus_allowed_list", "/proc/self/status"]);
        spec.core = Some(core);
        assert_eq!(kit.run(&spec, &[], WALL).stdout, format!("Cpus_allowed_list:\t{core}\n"));
    }
}

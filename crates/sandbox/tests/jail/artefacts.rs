//! What is taken out of a jail is regular files, whatever lies there.

use std::{
    io::Read,
    os::fd::{AsFd, BorrowedFd},
    time::Duration,
};

use sandbox::{ArtefactLimits, Build, How, Spec, collect_artefacts};

use crate::{
    Case,
    kit::{Kit, finish, spec},
};

pub(crate) const CASES: &[Case] = &[
    ("only regular files are taken, and nothing is followed or waited for", odd_files),
    ("names that are swapped while files are taken lead nowhere", swapped),
    ("the writable folder is bounded, and empty for the next", bounds),
];

fn odd_files(kit: &mut Kit) {
    let usual = ArtefactLimits { files_max: 8, bytes_max: 1 << 20 };
    for (argument, limits, expected) in [
        ("", usual, "folder/data 5 false 12345; program 2 true #!; 2 files"),
        (
            "",
            ArtefactLimits { files_max: 1, ..usual },
            "folder/data 5 false 12345; more than 1 files",
        ),
        (
            "",
            ArtefactLimits { bytes_max: 6, ..usual },
            "folder/data 5 false 12345; program: with this file of 2 bytes, more than 6 bytes",
        ),
        (
            "hole",
            usual,
            "folder/data 5 false 12345; program: with this file of 1073741824 bytes, more than 1048576 bytes",
        ),
        ("name", usual, "\"n\u{fffd}\": a file's name is not UTF-8"),
        ("deep", usual, "/: deeper than 32 folders"),
    ] {
        let mut jail =
            kit.spawn(&odd(kit, argument), &[("/bot", &kit.program("odd_files"))]).expect("a jail");
        let build = jail.take_build().expect("it was asked for");
        // The folder outlives the jail.
        let run = finish(jail, Duration::from_secs(10));
        assert_eq!(run.ending.how, How::Exited(0), "{run:?}");
        let found = collect(build.as_fd(), limits);
        assert!(found.ends_with(expected), "{argument:?}: {found:?}, not {expected:?}");
    }
}

fn swapped(kit: &mut Kit) {
    let mut jail =
        kit.spawn(&odd(kit, "swap"), &[("/bot", &kit.program("odd_files"))]).expect("a jail");
    let build = jail.take_build().expect("it was asked for");
    let limits = ArtefactLimits { files_max: 8, bytes_max: 1 << 20 };
    for _ in 0..2000 {
        let found = collect(build.as_fd(), limits);
        assert!(!found.contains("root:"), "a link was followed: {found}");
    }
}

fn odd(kit: &Kit, argument: &str) -> Spec {
    let mut spec = spec(&["/bot/bot", argument]);
    spec.build = Some(Build { bytes_max: 1 << 20, files_max: 64 });
    spec.limits.file_bytes_max = kit.policy.ceilings.file_bytes_max;
    spec
}

/// Each file with its contents, then how many there were, or what was wrong.
fn collect(build: BorrowedFd<'_>, limits: ArtefactLimits) -> String {
    let mut found = String::new();
    let taken = collect_artefacts(build, limits, |mut artefact| {
        let mut text = String::new();
        artefact.file.read_to_string(&mut text)?;
        found += &format!("{} {} {} {text}; ", artefact.path, artefact.bytes, artefact.executable);
        Ok(())
    });
    match taken {
        Ok(files) => format!("{found}{files} files"),
        Err(error) => format!("{found}{error}"),
    }
}

fn bounds(kit: &mut Kit) {
    let mut spec =
        spec(&["sh", "-c", "ls -A /build; head -c 3000000 /dev/zero > /build/x; wc -c < /build/x"]);
    spec.build = Some(Build { bytes_max: 1 << 20, files_max: 64 });
    for _ in 0..2 {
        let run = kit.run(&spec, &[], Duration::from_secs(10));
        assert_eq!(run.stdout, "1048576\n", "{run:?}");
        assert!(run.stderr.contains("No space left on device"), "{run:?}");
    }
}

//! What the doctor finds: all that this kernel has in force, and what is broken told.

use sandbox::doctor::{Check, Probe, State, examine};

use crate::{Case, cases::Kit as _, kit::Kit};

pub(crate) const CASES: &[Case] = &[
    ("the doctor finds every protection in force, but what the kernel lacks", all_in_force),
    ("the doctor tells what does not hold", tells_of_holes),
];

fn all_in_force(kit: &mut Kit) {
    let checks = look(kit);
    for check in &checks {
        println!("       {:8} {}: {}", check.state, check.name, check.found);
        assert_ne!(check.state, State::Broken, "{check:?}");
    }
    let lacking: Vec<&str> =
        checks.iter().filter(|it| it.state == State::Lacking).map(|it| &*it.name).collect();
    let report = kit.client.hello().expect("a report");
    // What is lacking is what the launcher warns of, and nothing else.
    assert_eq!(lacking.len(), report.warnings.iter().filter(|it| it.contains("kernel")).count());
    assert!(checks.len() >= 20, "{} checks", checks.len());
}

/// A list of calls with holes in it.
fn tells_of_holes(kit: &mut Kit) {
    let whole = kit.policy.seccomp.clone();
    let seccomp = &mut kit.policy.seccomp;
    seccomp.when.retain(|it| !matches!(it.call.as_str(), "socket" | "ioctl"));
    seccomp.allow[0].calls.extend(["socket", "keyctl", "clone3"].map(str::to_owned));
    kit.restart();
    let checks = look(kit);
    kit.policy.seccomp = whole;
    kit.restart();
    let broken: Vec<&str> =
        checks.iter().filter(|it| it.state == State::Broken).map(|it| &*it.name).collect();
    // Not every kernel has sockets of virtual machines to begin with.
    let without = |it: &&&str| **it != "sockets of virtual machines";
    let broken: Vec<_> = broken.iter().filter(without).copied().collect();
    assert_eq!(broken, ["network", "system calls", "threads"]);
    let of = |name: &str| checks.iter().find(|it| it.name == name).expect("a check");
    assert!(of("network").found.contains("inet"), "{checks:?}");
    assert!(of("system calls").found.contains("keyctl"), "{checks:?}");
}

fn look(kit: &Kit) -> Vec<Check> {
    let scratch = tempfile::tempdir().expect("a folder");
    let probe = Probe::this_program(scratch.path()).expect("this program");
    examine(&kit.client, &probe).expect("jails can be made")
}

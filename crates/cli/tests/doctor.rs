//! `agon doctor`, as an operator or a script has it.

use std::{
    os::unix::process::CommandExt,
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;

#[test]
fn all_protections_are_in_force_or_not_in_this_kernel() {
    let output = doctor(&["--json"], None);
    let said = String::from_utf8_lossy(&output.stdout);
    let found: Value =
        serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"));
    let checks = found["checks"].as_array().expect("checks");
    let broken: Vec<&Value> = checks.iter().filter(|it| it["state"] == "broken").collect();
    assert!(broken.is_empty(), "{broken:?}");
    assert!(output.status.success() && found["holds"] == true, "{output:?}");
    assert!(checks.len() >= 20, "{} checks", checks.len());
}

#[test]
fn who_is_not_root_is_told_so() {
    let output = doctor(&[], Some(65_534));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("must be started as root"), "{said}");
}

fn doctor(args: &[&str], user: Option<u32>) -> Output {
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config");
    let mut agon = Command::new(env!("CARGO_BIN_EXE_agon"));
    agon.arg("doctor").args(args).arg("--config-dir").arg(config);
    // What is set up for others must not decide this.
    agon.env_remove("AGON_CONFIG").env_remove("AGON_CONFIG_DIR");
    if let Some(user) = user {
        agon.uid(user).gid(user);
    }
    agon.output().expect("agon")
}

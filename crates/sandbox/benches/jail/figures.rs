//! Times and what is said of them, and the machine they were taken on.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader},
    path::Path,
    time::{Duration, Instant},
};

use nix::{
    sched::{CpuSet, sched_setaffinity},
    unistd::Pid,
};

pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let begun = Instant::now();
    let made = work();
    let took = begun.elapsed();
    drop(made);
    took
}

/// Prints median, 95th percentile and minimum, and returns the median.
pub(crate) fn told(what: &str, mut times: Vec<Duration>) -> Duration {
    times.sort();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    println!(
        "  {what:60} median {:>9}  95 % {:>9}  least {:>9}",
        format!("{:.1?}", at(50)),
        format!("{:.1?}", at(95)),
        format!("{:.1?}", at(0))
    );
    at(50)
}

pub(crate) fn holds(what: &str, it: bool) -> bool {
    println!("  {} {what}", if it { "ok  " } else { "OVER" });
    it
}

pub(crate) fn pin(process: Pid, core: u32) {
    let mut cores = CpuSet::new();
    cores.set(usize::try_from(core).expect("small")).expect("a core");
    // Where there is one core only, everything is on it anyway.
    let _ = sched_setaffinity(process, &cores);
}

pub(crate) fn unpin() {
    let mut cores = CpuSet::new();
    for core in 0..CpuSet::count() {
        cores.set(core).expect("a core");
    }
    let _ = sched_setaffinity(Pid::from_raw(0), &cores);
}

/// Of two.
pub(crate) fn last_core() -> u32 {
    u32::from(Path::new("/sys/devices/system/cpu/cpu1").exists())
}

pub(crate) fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let names: Vec<&str> = info
        .lines()
        .filter_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map(|(_, name)| name.trim())
        .collect();
    format!("{} x {}", names.len(), names.first().unwrap_or(&"?"))
}

pub(crate) fn load() -> String {
    let load = File::open("/proc/loadavg").map(BufReader::new);
    let mut line = String::new();
    let _ = load.and_then(|mut it| it.read_line(&mut line));
    line.split_ascii_whitespace().next().unwrap_or("?").to_owned()
}

//! What a start and a turn cost, in a jail and out of it.
//!
//! Needs root. The budgets: a start under 6 ms, a paused turn at most 50 µs
//! over plain pipes with the same driver.

#[path = "../tests/jail/kit.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod kit;

use std::{
    cell::RefCell,
    fs::File,
    io::{Read, Write},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use divan::Bencher;
use nix::{
    sched::{CpuSet, sched_setaffinity},
    unistd::Pid,
};
use sandbox::Jail;

use crate::kit::{Kit, file, spec};

thread_local! {
    static KIT: RefCell<Option<Kit>> = const { RefCell::new(None) };
}

fn main() {
    if !nix::unistd::geteuid().is_root() {
        return println!("only root can make jails; run this as root");
    }
    // The launcher is made before there are threads.
    let kit = Kit::new();
    println!("on {}", kit.host());
    KIT.set(Some(kit));
    divan::main();
    // What it has made is removed here, as a thread's last moment may never come.
    KIT.take();
}

fn with_kit<T>(work: impl FnOnce(&Kit) -> T) -> T {
    KIT.with_borrow(|kit| work(kit.as_ref().expect("made by main")))
}

fn spawn(program: &Path, core: Option<u32>) -> Jail {
    let mut spec = spec(&["/bot/bot"]);
    spec.core = core;
    with_kit(|kit| kit.spawn(&spec, &[("/bot", program)]).unwrap_or_else(|error| panic!("{error}")))
}

mod start {
    use super::*;

    /// Until the first byte that the program's first instructions wrote.
    fn to_first_byte(program: &Path) -> Jail {
        let mut jail = spawn(program, None);
        file(jail.take_stdout()).read_exact(&mut [0]).expect("a byte");
        jail
    }

    #[divan::bench(sample_count = 200, sample_size = 1)]
    fn back_to_back(bencher: Bencher<'_, '_>) {
        let program = with_kit(|kit| kit.program("first_byte"));
        bencher.bench_local(|| to_first_byte(&program));
    }

    #[divan::bench(sample_count = 100, sample_size = 1)]
    fn after_100_ms_idle(bencher: Bencher<'_, '_>) {
        let program = with_kit(|kit| kit.program("first_byte"));
        bencher
            .with_inputs(|| thread::sleep(Duration::from_millis(100)))
            .bench_local_values(|()| to_first_byte(&program));
    }

    /// The same without a jail.
    #[divan::bench(sample_count = 200, sample_size = 1)]
    fn no_jail(bencher: Bencher<'_, '_>) {
        let program = with_kit(|kit| kit.program("first_byte")).join("bot");
        bencher.bench_local(|| {
            let mut child =
                Command::new(&program).stdout(Stdio::piped()).spawn().expect("a process");
            child.stdout.take().expect("a pipe").read_exact(&mut [0]).expect("a byte");
            Killed(child)
        });
    }

    struct Killed(Child);

    impl Drop for Killed {
        fn drop(&mut self) {
            // It waits for just that.
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }
}

/// A line there, a line back. The driver is on core 0.
mod turn {
    use super::*;

    const CORES: [u32; 2] = [0, 1];
    const LINE: &[u8; 64] = b"...............................................................\n";

    fn turn(to: &mut File, from: &mut File) {
        to.write_all(LINE).expect("a pipe");
        let (mut line, mut length) = ([0; 64], 0);
        while length < line.len() {
            length += from.read(&mut line[length..]).expect("a pipe");
        }
    }

    #[divan::bench(args = CORES, sample_count = 200, sample_size = 50)]
    fn plain_pipes(bencher: Bencher<'_, '_>, core: u32) {
        pin(Pid::from_raw(0), 0);
        let program = with_kit(|kit| kit.program("echo")).join("bot");
        let mut child: Child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a process");
        pin(Pid::from_raw(i32::try_from(child.id()).expect("a pid")), core);
        let mut to = File::from(std::os::fd::OwnedFd::from(child.stdin.take().expect("a pipe")));
        let mut from = File::from(std::os::fd::OwnedFd::from(child.stdout.take().expect("a pipe")));
        bencher.bench_local(|| turn(&mut to, &mut from));
        drop(to);
        child.wait().expect("an end");
    }

    #[divan::bench(args = CORES, sample_count = 200, sample_size = 50)]
    fn jailed(bencher: Bencher<'_, '_>, core: u32) {
        let (_jail, mut to, mut from) = jail(core);
        bencher.bench_local(|| turn(&mut to, &mut from));
    }

    #[divan::bench(args = CORES, sample_count = 200, sample_size = 50)]
    fn jailed_and_paused(bencher: Bencher<'_, '_>, core: u32) {
        let (jail, mut to, mut from) = jail(core);
        jail.freeze().expect("frozen");
        bencher.bench_local(|| {
            jail.thaw().expect("thawed");
            turn(&mut to, &mut from);
            jail.freeze().expect("frozen");
        });
    }

    /// And with the figures that a judge reads before and after.
    #[divan::bench(args = CORES, sample_count = 200, sample_size = 50)]
    fn jailed_paused_and_measured(bencher: Bencher<'_, '_>, core: u32) {
        let (jail, mut to, mut from) = jail(core);
        jail.freeze().expect("frozen");
        bencher.bench_local(|| {
            let before = (jail.cpu().expect("a figure"), jail.stall().expect("a figure"));
            jail.thaw().expect("thawed");
            turn(&mut to, &mut from);
            jail.freeze().expect("frozen");
            (before, jail.cpu().expect("a figure"), jail.stall().expect("a figure"))
        });
    }

    fn jail(core: u32) -> (Jail, File, File) {
        pin(Pid::from_raw(0), 0);
        let program = with_kit(|kit| kit.program("echo"));
        let mut jail = spawn(&program, Some(core));
        let (to, from) = (file(jail.take_stdin()), file(jail.take_stdout()));
        (jail, to, from)
    }

    fn pin(process: Pid, core: u32) {
        let mut cores = CpuSet::new();
        cores.set(usize::try_from(core).expect("small")).expect("a core");
        // Where there is one core only, everything is on it anyway.
        let _ = sched_setaffinity(process, &cores);
    }
}

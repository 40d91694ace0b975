//! The system calls a program may use, as data, and the kernel's program made of them.
//!
//! The numbers of all calls are cut into ranges with one verdict each, which are searched
//! by halving. A list walked from top to bottom would cost each start a millisecond: the
//! kernel tries every number on the program when it is installed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::syscalls;

/// The longest program the kernel takes.
const INSTRUCTIONS_MAX: usize = 4096;

/// A list of allowed calls. Everything that is not named gets `otherwise`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seccomp {
    /// The error for everything that is not named: `ENOSYS` lets libraries
    /// fall back to older calls.
    pub otherwise: String,
    /// Calls that are allowed as they are.
    pub allow: Vec<Group>,
    /// Calls that are never executed, but get an answer of their own.
    #[serde(default)]
    pub answer: Vec<Answer>,
    /// Calls that are allowed where one argument is right.
    #[serde(default)]
    pub when: Vec<Condition>,
}

/// Calls that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// What they are needed for.
    pub why: String,
    /// Their names.
    pub calls: Vec<String>,
}

/// Calls that are answered without being executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Why this answer.
    pub why: String,
    /// The error, by its name; `OK` pretends that the call was made.
    pub with: String,
    /// Their names.
    pub calls: Vec<String>,
}

/// A call that is allowed where the low 32 bits of one argument are right; the
/// kernel looks at no more of the arguments this is meant for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// Why the condition.
    pub why: String,
    /// The call's name.
    pub call: String,
    /// Which argument, the first is 0.
    pub argument: u8,
    /// It must be one of these.
    #[serde(default)]
    pub is_one_of: Option<Vec<u32>>,
    /// It must be none of these.
    #[serde(default)]
    pub is_none_of: Option<Vec<u32>>,
    /// It must have none of these bits.
    #[serde(default)]
    pub has_none_of: Option<u32>,
    /// Its upper 32 bits are looked at, and not the lower ones.
    #[serde(default)]
    pub upper: bool,
    /// The error where it is not right, by its name.
    pub otherwise: String,
}

/// What is wrong with a [`Seccomp`] list.
#[derive(Debug, Error)]
pub enum SeccompError {
    /// The kernel has no call of that name here.
    #[error("{found:?} is no system call known here")]
    UnknownCall {
        /// The name.
        found: String,
    },
    /// An error's name is not known.
    #[error("{found:?} is no error known here (OK, or one like EPERM)")]
    UnknownError {
        /// The name.
        found: String,
    },
    /// A call is named twice.
    #[error("{call:?} is named more than once")]
    Twice {
        /// The name.
        call: String,
    },
    /// A condition asks for an argument that there is not.
    #[error("{call:?} has no argument {found}, they are 0 to 5")]
    NoArgument {
        /// The name.
        call: String,
        /// The argument.
        found: u8,
    },
    /// A condition asks for nothing, for several things, or for too many.
    #[error("{call:?} needs one of is_one_of, is_none_of and has_none_of, with 1 to 64 values")]
    NoCondition {
        /// The name.
        call: String,
    },
    /// The list makes a longer program than the kernel takes.
    #[error("the list makes a program of {found} instructions, the kernel takes {allowed}")]
    TooLong {
        /// How many.
        found: usize,
        /// How many it may be.
        allowed: usize,
    },
}

/// The kernel's program, ready to be installed.
pub(crate) type Program = Vec<libc::sock_filter>;

impl Seccomp {
    /// Checks that the list can be compiled.
    pub fn validate(&self) -> Result<(), SeccompError> {
        self.compile().map(drop)
    }

    pub(crate) fn compile(&self) -> Result<Program, SeccompError> {
        let mut verdicts = BTreeMap::new();
        let mut add = |call: &str, verdict| {
            let found = || call.to_owned();
            let number = syscalls::number(call)
                .ok_or_else(|| SeccompError::UnknownCall { found: found() })?;
            match verdicts.insert(number, verdict) {
                None => Ok(()),
                Some(_) => Err(SeccompError::Twice { call: found() }),
            }
        };
        for call in self.allow.iter().flat_map(|group| &group.calls) {
            add(call, vec![give(libc::SECCOMP_RET_ALLOW)])?;
        }
        for answer in &self.answer {
            for call in &answer.calls {
                add(call, vec![refuse(&answer.with)?])?;
            }
        }
        for condition in &self.when {
            add(&condition.call, condition.compile()?)?;
        }
        let program = program(verdicts, refuse(&self.otherwise)?);
        if program.len() > INSTRUCTIONS_MAX {
            return Err(SeccompError::TooLong { found: program.len(), allowed: INSTRUCTIONS_MAX });
        }
        Ok(program)
    }
}

impl Condition {
    fn compile(&self) -> Result<Program, SeccompError> {
        if self.argument > 5 {
            return Err(SeccompError::NoArgument { call: self.call.clone(), found: self.argument });
        }
        // The low half comes first on the one byte order there is here.
        let offset = mem_offset_of_args() + 8 * u32::from(self.argument);
        let offset = offset + if self.upper { 4 } else { 0 };
        let refuse = refuse(&self.otherwise)?;
        let allow = give(libc::SECCOMP_RET_ALLOW);
        let (test, values, hit, miss) = match (&self.is_one_of, &self.is_none_of, self.has_none_of)
        {
            (Some(values), None, None) => (libc::BPF_JEQ, values.clone(), allow, refuse),
            (None, Some(values), None) => (libc::BPF_JEQ, values.clone(), refuse, allow),
            (None, None, Some(bits)) => (libc::BPF_JSET, vec![bits], refuse, allow),
            _ => return Err(SeccompError::NoCondition { call: self.call.clone() }),
        };
        if values.is_empty() || values.len() > 64 {
            return Err(SeccompError::NoCondition { call: self.call.clone() });
        }
        let mut program = vec![load(offset)];
        for (at, value) in (0u8..).zip(&values) {
            // A hit jumps over the tests that are left, and over the miss.
            let over = u8::try_from(values.len()).expect("at most 64 values") - at;
            program.push(jump(test, *value, over, 0));
        }
        program.extend([miss, hit]);
        Ok(program)
    }
}

/// Other architectures' calls are deadly, as no list of ours speaks of them.
/// Numbers of the x32 kind are beyond all ranges and so get `otherwise`.
fn program(verdicts: BTreeMap<u32, Program>, otherwise: libc::sock_filter) -> Program {
    let mut ranges: Vec<(u32, Program)> = vec![(0, vec![otherwise])];
    for (number, verdict) in verdicts {
        start(&mut ranges, number, verdict);
        start(&mut ranges, number + 1, vec![otherwise]);
    }
    // Neighbours of one verdict are one range.
    ranges.dedup_by(|next, before| same(&next.1, &before.1));
    let mut program = vec![
        load(mem_offset_of_arch()),
        jump(libc::BPF_JEQ, AUDIT_ARCH, 1, 0),
        give(libc::SECCOMP_RET_KILL_PROCESS),
        load(0),
    ];
    search(&ranges, &mut program);
    program
}

/// Begins a range, in place of one that began at the same number.
fn start(ranges: &mut Vec<(u32, Program)>, number: u32, verdict: Program) {
    if ranges.last().is_some_and(|(start, _)| *start == number) {
        ranges.pop();
    }
    ranges.push((number, verdict));
}

fn search(ranges: &[(u32, Program)], program: &mut Program) {
    if let [(_, verdict)] = ranges {
        program.extend(verdict);
        return;
    }
    let (below, above) = ranges.split_at(ranges.len() / 2);
    let mut low = Program::new();
    search(below, &mut low);
    let middle = above[0].0;
    match u8::try_from(low.len()) {
        Ok(over) => program.push(jump(libc::BPF_JGE, middle, over, 0)),
        // A conditional jump goes only so far.
        Err(_) => {
            program.push(jump(libc::BPF_JGE, middle, 0, 1));
            let over = u32::try_from(low.len()).expect("a few thousand instructions");
            program.push(instruction(libc::BPF_JMP | libc::BPF_JA, over, 0, 0));
        }
    }
    program.extend(low);
    search(above, program);
}

fn same(a: &Program, b: &Program) -> bool {
    let plain = |one: &libc::sock_filter| (one.code, one.jt, one.jf, one.k);
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| plain(a) == plain(b))
}

fn refuse(with: &str) -> Result<libc::sock_filter, SeccompError> {
    let error = syscalls::error(with)
        .ok_or_else(|| SeccompError::UnknownError { found: with.to_owned() })?;
    Ok(give(libc::SECCOMP_RET_ERRNO | u32::from(error)))
}

fn give(action: u32) -> libc::sock_filter {
    instruction(libc::BPF_RET | libc::BPF_K, action, 0, 0)
}

fn load(offset: u32) -> libc::sock_filter {
    instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset, 0, 0)
}

fn jump(test: u32, value: u32, hit: u8, miss: u8) -> libc::sock_filter {
    instruction(libc::BPF_JMP | test | libc::BPF_K, value, hit, miss)
}

fn instruction(code: u32, k: u32, jt: u8, jf: u8) -> libc::sock_filter {
    libc::sock_filter { code: u16::try_from(code).expect("codes have 16 bits"), jt, jf, k }
}

/// The kernel's name for this architecture (`AUDIT_ARCH_X86_64`).
#[cfg(target_arch = "x86_64")]
const AUDIT_ARCH: u32 = 0xc000_003e;
/// No call of any architecture is allowed where there is no table of names.
#[cfg(not(target_arch = "x86_64"))]
const AUDIT_ARCH: u32 = 0;

fn mem_offset_of_arch() -> u32 {
    u32::try_from(std::mem::offset_of!(libc::seccomp_data, arch)).expect("a small struct")
}

fn mem_offset_of_args() -> u32 {
    u32::try_from(std::mem::offset_of!(libc::seccomp_data, args)).expect("a small struct")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
    const KILL: u32 = libc::SECCOMP_RET_KILL_PROCESS;

    fn errno(error: i32) -> u32 {
        libc::SECCOMP_RET_ERRNO | u32::try_from(error).unwrap()
    }

    /// What the kernel would do, for the few instructions in use.
    fn run(program: &[libc::sock_filter], arch: u32, number: u32, args: [u64; 6]) -> u32 {
        let (mut at, mut a) = (0, 0);
        loop {
            let libc::sock_filter { code, jt, jf, k } = program[at];
            at += 1;
            let mut branch = |hit: bool| at += usize::from(if hit { jt } else { jf });
            match u32::from(code) {
                0x20 if k == 0 => a = number,
                0x20 if k == 4 => a = arch,
                0x20 => {
                    let half = args[usize::try_from((k - 16) / 8).unwrap()] >> (k % 8 * 8);
                    a = u32::try_from(half & 0xffff_ffff).unwrap()
                }
                0x15 => branch(a == k),
                0x35 => branch(a >= k),
                0x45 => branch(a & k != 0),
                0x05 => at += usize::try_from(k).unwrap(),
                0x06 => return k,
                other => panic!("instruction {other:#x}"),
            }
        }
    }

    fn list() -> Seccomp {
        let condition = |call: &str, argument| Condition {
            why: String::new(),
            call: call.to_owned(),
            argument,
            is_one_of: None,
            is_none_of: None,
            has_none_of: None,
            upper: false,
            otherwise: "EPERM".to_owned(),
        };
        let calls = |calls: &[&str]| calls.iter().map(|call| (*call).to_owned()).collect();
        Seccomp {
            otherwise: "ENOSYS".to_owned(),
            allow: vec![Group {
                why: String::new(),
                calls: calls(&["read", "write", "close", "statx"]),
            }],
            answer: vec![Answer {
                why: String::new(),
                with: "OK".to_owned(),
                calls: calls(&["sched_setaffinity"]),
            }],
            when: vec![
                Condition { is_one_of: Some(vec![1]), ..condition("socket", 0) },
                Condition { is_none_of: Some(vec![0x5412, 0x541c]), ..condition("ioctl", 1) },
                Condition { has_none_of: Some(0x7e02_0000), ..condition("clone", 0) },
                Condition { has_none_of: Some(u32::MAX), upper: true, ..condition("mincore", 1) },
            ],
        }
    }

    #[test]
    fn every_call_gets_its_verdict() {
        let program = list().compile().unwrap();
        let high = 1 << 32;
        for (call, args, verdict) in [
            ("read", [0; 6], ALLOW),
            ("write", [0; 6], ALLOW),
            ("open", [0; 6], errno(libc::ENOSYS)),
            ("close", [0; 6], ALLOW),
            ("statx", [0; 6], ALLOW),
            ("ptrace", [0; 6], errno(libc::ENOSYS)),
            ("io_uring_setup", [0; 6], errno(libc::ENOSYS)),
            ("sched_setaffinity", [0; 6], errno(0)),
            ("socket", [1, 0, 0, 0, 0, 0], ALLOW),
            ("socket", [2, 0, 0, 0, 0, 0], errno(libc::EPERM)),
            ("socket", [40, 0, 0, 0, 0, 0], errno(libc::EPERM)),
            ("ioctl", [0, 0x5401, 0, 0, 0, 0], ALLOW),
            ("ioctl", [0, 0x5412, 0, 0, 0, 0], errno(libc::EPERM)),
            ("ioctl", [0, 0x5412 + high, 0, 0, 0, 0], errno(libc::EPERM)),
            ("ioctl", [0, 0x541c, 0, 0, 0, 0], errno(libc::EPERM)),
            ("mincore", [high, high - 1, high, 0, 0, 0], ALLOW),
            ("mincore", [0, high, 0, 0, 0, 0], errno(libc::EPERM)),
            ("clone", [0x0011, 0, 0, 0, 0, 0], ALLOW),
            ("clone", [0x1000_0011, 0, 0, 0, 0, 0], errno(libc::EPERM)),
        ] {
            let number = syscalls::number(call).unwrap();
            assert_eq!(run(&program, AUDIT_ARCH, number, args), verdict, "{call} {args:x?}");
            assert_eq!(run(&program, 0x4000_0003, number, args), KILL, "{call} of i386");
            assert_eq!(
                run(&program, AUDIT_ARCH, number | 0x4000_0000, args),
                errno(libc::ENOSYS),
                "{call} of x32"
            );
        }
        for unknown in [335, 470, 999, u32::MAX] {
            assert_eq!(
                run(&program, AUDIT_ARCH, unknown, [0; 6]),
                errno(libc::ENOSYS),
                "{unknown}"
            );
        }
    }

    #[test]
    fn wrong_lists_are_told_apart() {
        let wrong = |change: fn(&mut Seccomp)| {
            let mut list = list();
            change(&mut list);
            list.validate().unwrap_err().to_string()
        };
        for (change, message) in [
            (
                (|list| list.allow[0].calls.push("reed".to_owned())) as fn(&mut Seccomp),
                "\"reed\" is no system call known here",
            ),
            (
                |list| list.otherwise = "E".to_owned(),
                "\"E\" is no error known here (OK, or one like EPERM)",
            ),
            (
                |list| list.allow[0].calls.push("socket".to_owned()),
                "\"socket\" is named more than once",
            ),
            (|list| list.when[0].argument = 6, "\"socket\" has no argument 6, they are 0 to 5"),
            (
                |list| list.when[0].has_none_of = Some(1),
                "\"socket\" needs one of is_one_of, is_none_of and has_none_of, with 1 to 64 values",
            ),
        ] {
            assert_eq!(wrong(change), message);
        }
    }
}

//! One command in a jail, to its end: compilers, checks, version commands.

use std::{
    future::poll_fn,
    os::fd::OwnedFd,
    sync::Arc,
    task::Poll,
    time::{Duration, Instant},
};

use sandbox::{Client, Ending, Spec};
use tokio::{
    net::unix::pipe,
    time::{MissedTickBehavior, interval},
};

use crate::{
    excerpt::Excerpt,
    jailed::{self, Jailed},
    player::CHUNK_BYTES,
    process::{Pipes, Process, Trouble},
};

/// How often time and processor time are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What a command may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
    /// What is kept of all it says.
    pub(crate) log_bytes_max: usize,
    /// What it may say at all. All of it is read, so that it never waits for us.
    pub(crate) said_bytes_max: u64,
}

/// What came of a command.
pub(crate) struct Done {
    pub(crate) stop: Stop,
    /// Both outputs, as they came.
    pub(crate) log: Excerpt,
    pub(crate) took: Duration,
    /// The writable folder, where the spec asked for one.
    pub(crate) build: Option<OwnedFd>,
}

/// Why a command ended.
pub(crate) enum Stop {
    /// As it wanted, or as the kernel wanted.
    Ended(Ending),
    /// It took longer than it may.
    Wall,
    /// It used more processor time than it may.
    Cpu,
    /// It said more than it may.
    Said,
}

/// Runs a command with nothing to read, until it ends or has to be ended.
pub(crate) async fn run(
    client: &Client,
    spec: &Spec,
    folders: &[(String, Arc<OwnedFd>)],
    bounds: &Bounds,
) -> Result<Done, Trouble> {
    let started = Instant::now();
    let mut jail = jailed::spawn(client, spec, folders)?;
    let build = jail.take_build();
    let (mut jailed, pipes) = Jailed::new(jail)?;
    let Pipes { stdin, stdout, stderr } = pipes;
    drop(stdin);

    let mut ears = Ears {
        pipes: [Some(stdout), Some(stderr)],
        chunk: vec![0; CHUNK_BYTES],
        log: Excerpt::new(bounds.log_bytes_max),
        said_bytes: 0,
    };
    let mut looks = interval(LOOK_EVERY);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let stop = poll_fn(|cx| {
        loop {
            ears.hear(cx);
            if ears.said_bytes > bounds.said_bytes_max {
                return Poll::Ready(Ok(Stop::Said));
            }
            if let Poll::Ready(ending) = jailed.poll_ending(cx) {
                return Poll::Ready(ending.map(Stop::Ended));
            }
            if looks.poll_tick(cx).is_pending() {
                return Poll::Pending;
            }
            if started.elapsed() > bounds.wall {
                return Poll::Ready(Ok(Stop::Wall));
            }
            match jailed.cpu() {
                Ok(cpu) if cpu > bounds.cpu => return Poll::Ready(Ok(Stop::Cpu)),
                Ok(_) => {}
                Err(trouble) => return Poll::Ready(Err(trouble)),
            }
        }
    })
    .await?;

    if !matches!(stop, Stop::Ended(_)) {
        jailed.kill()?;
        // Nothing can be taken from it before all of it is dead.
        poll_fn(|cx| {
            ears.hear(cx);
            jailed.poll_ending(cx)
        })
        .await?;
    }
    ears.hear_the_rest().await;
    Ok(Done { stop, log: ears.log, took: started.elapsed(), build })
}

/// Both outputs of a command.
struct Ears {
    pipes: [Option<pipe::Receiver>; 2],
    chunk: Vec<u8>,
    log: Excerpt,
    said_bytes: u64,
}

impl Ears {
    fn hear(&mut self, cx: &mut std::task::Context<'_>) {
        for slot in &mut self.pipes {
            while let Some(pipe) = slot {
                if pipe.poll_read_ready(cx).is_pending() {
                    break;
                }
                match pipe.try_read(&mut self.chunk) {
                    Ok(0) => *slot = None,
                    Ok(n_bytes) => {
                        self.said_bytes += n_bytes as u64;
                        self.log.push(&self.chunk[..n_bytes]);
                    }
                    Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                    Err(_) => *slot = None,
                }
            }
        }
    }

    /// Nobody writes any more, so both pipes end.
    async fn hear_the_rest(&mut self) {
        poll_fn(|cx| {
            self.hear(cx);
            if self.pipes.iter().all(Option::is_none) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

//! One bot's process during a match: what goes in, what comes out, what it costs.

use std::{
    collections::VecDeque,
    io,
    os::fd::AsFd,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use game::{End, Starts};
use nix::{
    errno::Errno,
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::signal::Signal,
    unistd,
};
use referee::Spent;

use crate::{
    excerpt::Excerpt,
    fairness::Charge,
    process::{Ended, Pipes, Process, Rest, Trouble},
};

/// Bytes read at once.
pub(crate) const CHUNK_BYTES: usize = 64 << 10;
/// How long a process that has closed a pipe may take to end by itself. Then it is ended, and
/// how it ended tells whether it was about to: what it said of itself counts, and not who was
/// quicker.
const CLOSED_WAIT: Duration = Duration::from_millis(50);
/// How long after it is asked it is looked whether a bot can still hear: most that close their
/// input do so at once, when the question may be in the pipe already.
const HEARING_WAIT: Duration = Duration::from_millis(50);
/// Bytes of standard error read in a row, before others have their turn.
const STDERR_BYTES_AT_ONCE: usize = 4 * CHUNK_BYTES;
/// Most bytes taken from a pipe that nobody writes to any more; no pipe holds as many.
const LEFT_BYTES_MAX: usize = 4 << 20;

const SIGKILL: i32 = Signal::SIGKILL as i32;

/// A bot at the board.
pub(crate) struct Player<P> {
    process: P,
    pipes: Pipes,
    outbox: VecDeque<u8>,
    /// It must hear what it is told: its game has questions that wait for answers.
    must_hear: bool,
    /// It has closed its input: what it is told is lost.
    deaf: bool,
    /// When to look whether it has.
    look: Option<Instant>,
    /// It has closed a pipe, and nothing more is heard of it but its end.
    closed: Option<Closed>,
    stderr_closed: bool,
    awake: bool,
    ended: Option<Ended>,
    stopwatch: Stopwatch,
}

/// A pipe that should have stayed open.
struct Closed {
    since: Instant,
    /// What that comes to where the process lives on.
    end: End,
    /// It did, and was ended for it.
    killed: bool,
}

/// What happened to a player.
pub(crate) enum Happening {
    /// So many bytes are in its pipe.
    Written(usize),
    /// It said something.
    Output(Vec<u8>),
    /// It ended, and has said all.
    Ended(Ended),
}

/// Measures one question.
struct Stopwatch {
    started: Instant,
    /// The clock starts anew when all that was sent is written.
    waits_for_written: bool,
    stall_before: Duration,
    /// Processor time that earlier questions have paid. What is used after an
    /// answer, until the pause takes hold, is paid with the next question.
    cpu_paid: Option<Duration>,
    cpu_seen: Duration,
}

impl<P: Process> Player<P> {
    /// `must_hear`: whether closing its input is a fault, or its own affair.
    pub(crate) fn new(process: P, pipes: Pipes, must_hear: bool) -> Player<P> {
        let stopwatch = Stopwatch {
            started: Instant::now(),
            waits_for_written: false,
            stall_before: Duration::ZERO,
            cpu_paid: None,
            cpu_seen: Duration::ZERO,
        };
        Player {
            process,
            pipes,
            outbox: VecDeque::new(),
            must_hear,
            deaf: false,
            look: None,
            closed: None,
            stderr_closed: false,
            awake: false,
            ended: None,
            stopwatch,
        }
    }

    pub(crate) fn is_awake(&self) -> bool {
        self.awake
    }

    /// Sends bytes, and says how many are in the pipe already.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> usize {
        self.outbox.extend(bytes);
        self.write()
    }

    /// Lets it run, and measures from now on.
    pub(crate) fn wake(&mut self, starts: Starts) -> Result<(), Trouble> {
        self.awake = true;
        self.stopwatch.stall_before = self.process.stall()?;
        if self.stopwatch.cpu_paid.is_none() {
            // What it took to make the process is not the bot's.
            self.stopwatch.cpu_paid = Some(self.process.cpu()?);
        }
        self.stopwatch.waits_for_written = starts == Starts::WhenWritten && !self.outbox.is_empty();
        // On a busy host the kernel can take long to let it go; what it computes before we look
        // at the clock is processor time, which it pays all the same.
        self.process.thaw()?;
        self.stopwatch.started = Instant::now();
        self.look = self.must_hear.then(|| self.stopwatch.started + HEARING_WAIT);
        Ok(())
    }

    /// Pauses it. What it costs was measured before, with its answer.
    pub(crate) fn rest(&mut self) -> Result<Rest, Trouble> {
        self.awake = false;
        self.stopwatch.cpu_paid = Some(self.stopwatch.cpu_seen);
        self.process.freeze()
    }

    /// Takes no account of a time in which nobody could look at it, if its answer came meanwhile.
    pub(crate) fn excuse(&mut self, held: Duration) {
        let mut fds = [PollFd::new(self.pipes.stdout.as_fd(), PollFlags::POLLIN)];
        if self.awake && poll(&mut fds, PollTimeout::ZERO).is_ok_and(|n_ready| n_ready > 0) {
            self.stopwatch.started += held;
        }
    }

    /// All that a paused bot has left in its pipe.
    pub(crate) fn drain(&mut self, chunk: &mut [u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        while self.closed.is_none() && bytes.len() < LEFT_BYTES_MAX {
            match read_now(&self.pipes.stdout, chunk) {
                Left::Bytes(n_bytes) => bytes.extend_from_slice(&chunk[..n_bytes]),
                Left::Nothing => break,
                Left::Closed => self.close(Instant::now(), End::ClosedOutput),
            }
        }
        bytes
    }

    /// What the question has cost so far.
    pub(crate) fn spent(&mut self, charge: Charge) -> Result<Spent, Trouble> {
        let wall = self.stopwatch.started.elapsed();
        let watch = &mut self.stopwatch;
        watch.cpu_seen = self.process.cpu()?.max(watch.cpu_seen);
        let cpu = watch.cpu_seen.saturating_sub(watch.cpu_paid.unwrap_or_default());
        let stall = self.process.stall()?.saturating_sub(watch.stall_before).min(wall);
        Ok(charge.of(wall, cpu, stall))
    }

    /// Whether a part of it died for the memory it used. Then the rest of it dies too.
    pub(crate) fn out_of_memory(&mut self) -> Result<bool, Trouble> {
        let out_of_memory = self.process.out_of_memory()?;
        if out_of_memory {
            self.process.kill()?;
        }
        Ok(out_of_memory)
    }

    /// What a closed pipe comes to, where that is why it says nothing.
    pub(crate) fn lost_pipe(&self) -> Option<End> {
        match &self.closed {
            Some(closed) => Some(closed.end),
            None => self.hears_no_more().then_some(End::Unread),
        }
    }

    /// Whether it must hear and never will: its end of the pipe is closed.
    fn hears_no_more(&self) -> bool {
        let mut fds = [PollFd::new(self.pipes.stdin.as_fd(), PollFlags::empty())];
        self.must_hear
            && poll(&mut fds, PollTimeout::ZERO).is_ok()
            && fds[0].revents().is_some_and(|it| it.contains(PollFlags::POLLERR))
    }

    /// When it wants to be polled whatever happens.
    pub(crate) fn due(&self) -> Option<Instant> {
        if !self.awake {
            return None;
        }
        match &self.closed {
            Some(closed) => Some(closed.since + CLOSED_WAIT).filter(|_| !closed.killed),
            None => self.look,
        }
    }

    /// The next thing that happens. `chunk` is scratch space.
    pub(crate) fn poll(
        &mut self,
        now: Instant,
        chunk: &mut [u8],
        stderr: &mut Excerpt,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Happening, Trouble>> {
        if self.awake
            && self.closed.is_none()
            && let Poll::Ready(bytes) = self.poll_output(now, chunk, cx)
        {
            return Poll::Ready(Ok(Happening::Output(bytes)));
        }
        if self.awake && self.look.is_some_and(|it| it <= now) {
            self.look = None;
            if self.hears_no_more() {
                // It may have answered, and ended, since we looked.
                if let Left::Bytes(n_bytes) = read_now(&self.pipes.stdout, chunk) {
                    return Poll::Ready(Ok(Happening::Output(chunk[..n_bytes].to_vec())));
                }
                self.close(now, End::Unread);
            }
        }
        if !self.stderr_closed {
            self.poll_stderr(chunk, stderr, cx);
        }
        while !self.outbox.is_empty() {
            // An error shows again when writing.
            if self.pipes.stdin.poll_write_ready(cx).is_pending() {
                break;
            }
            let n_bytes = self.write();
            if n_bytes > 0 {
                return Poll::Ready(Ok(Happening::Written(n_bytes)));
            }
        }
        if self.awake { self.poll_end(now, chunk, cx) } else { Poll::Pending }
    }

    /// Ends it, and takes what is left of its standard error.
    pub(crate) fn stop(mut self, chunk: &mut [u8], stderr: &mut Excerpt) -> Result<Bill, Trouble> {
        self.process.kill()?;
        let mut left = LEFT_BYTES_MAX;
        while let Left::Bytes(n_bytes) = read_now(&self.pipes.stderr, chunk) {
            stderr.push(&chunk[..n_bytes]);
            left = left.saturating_sub(n_bytes);
            if left == 0 {
                break;
            }
        }
        if let Some(why) = self.ended.and_then(|it| it.why) {
            stderr.push(why.as_bytes());
        }
        let cpu = self.process.cpu()?;
        Ok(Bill { cpu, memory_peak_bytes: self.process.memory_peak_bytes()? })
    }

    fn poll_output(
        &mut self,
        now: Instant,
        chunk: &mut [u8],
        cx: &mut Context<'_>,
    ) -> Poll<Vec<u8>> {
        loop {
            // An error shows again when reading.
            let _ = ready!(self.pipes.stdout.poll_read_ready(cx));
            match self.pipes.stdout.try_read(chunk) {
                Ok(0) => break,
                Ok(n_bytes) => return Poll::Ready(chunk[..n_bytes].to_vec()),
                Err(error) if is_passing(&error) => {}
                Err(_) => break,
            }
        }
        self.close(now, End::ClosedOutput);
        Poll::Pending
    }

    fn poll_stderr(&mut self, chunk: &mut [u8], stderr: &mut Excerpt, cx: &mut Context<'_>) {
        let mut n_bytes_read = 0;
        while self.pipes.stderr.poll_read_ready(cx).is_ready() {
            match self.pipes.stderr.try_read(chunk) {
                Ok(0) => self.stderr_closed = true,
                Ok(n_bytes) => {
                    stderr.push(&chunk[..n_bytes]);
                    n_bytes_read += n_bytes;
                }
                Err(error) if is_passing(&error) => {}
                Err(_) => self.stderr_closed = true,
            }
            if self.stderr_closed {
                return;
            }
            if n_bytes_read >= STDERR_BYTES_AT_ONCE {
                cx.waker().wake_by_ref();
                return;
            }
        }
    }

    fn poll_end(
        &mut self,
        now: Instant,
        chunk: &mut [u8],
        cx: &mut Context<'_>,
    ) -> Poll<Result<Happening, Trouble>> {
        if self.ended.is_none()
            && let Poll::Ready(ended) = self.process.poll_ended(cx)
        {
            self.ended = Some(ended?);
        }
        if let Some(ended) = &self.ended {
            // All that it ever said comes before its end.
            if self.closed.is_none()
                && let Left::Bytes(n_bytes) = read_now(&self.pipes.stdout, chunk)
            {
                return Poll::Ready(Ok(Happening::Output(chunk[..n_bytes].to_vec())));
            }
            let killed = self.closed.as_ref().filter(|it| it.killed).map(|it| it.end);
            let ended = match (killed, ended.end) {
                (Some(end), End::Signalled(SIGKILL)) => end.into(),
                _ => ended.clone(),
            };
            return Poll::Ready(Ok(Happening::Ended(ended)));
        }
        if let Some(closed) = &mut self.closed
            && !closed.killed
            && now >= closed.since + CLOSED_WAIT
        {
            closed.killed = true;
            if let Err(trouble) = self.process.kill() {
                return Poll::Ready(Err(trouble));
            }
        }
        Poll::Pending
    }

    fn close(&mut self, now: Instant, end: End) {
        self.closed.get_or_insert(Closed { since: now, end, killed: false });
    }

    /// Writes what its pipe takes. What a deaf bot is told counts as written: where it need not
    /// hear, it is judged by what it says.
    fn write(&mut self) -> usize {
        let mut n_bytes = 0;
        while !self.outbox.is_empty() && !self.deaf {
            match self.pipes.stdin.try_write(self.outbox.as_slices().0) {
                Ok(n) => {
                    self.outbox.drain(..n);
                    n_bytes += n;
                }
                Err(error) if is_passing(&error) => break,
                Err(_) => self.deaf = true,
            }
        }
        if self.deaf {
            n_bytes += self.outbox.len();
            self.outbox.clear();
            if self.must_hear {
                self.close(Instant::now(), End::Unread);
            }
        }
        if self.outbox.is_empty() && std::mem::take(&mut self.stopwatch.waits_for_written) {
            self.stopwatch.started = Instant::now();
        }
        n_bytes
    }
}

/// What a process used in its life.
pub(crate) struct Bill {
    pub(crate) cpu: Duration,
    pub(crate) memory_peak_bytes: u64,
}

enum Left {
    Bytes(usize),
    Nothing,
    Closed,
}

/// Reads without asking tokio, which may not have heard yet that there is something.
fn read_now(pipe: &impl AsFd, chunk: &mut [u8]) -> Left {
    loop {
        match unistd::read(pipe, chunk) {
            Ok(0) => return Left::Closed,
            Ok(n_bytes) => return Left::Bytes(n_bytes),
            Err(Errno::EINTR) => {}
            Err(Errno::EAGAIN) => return Left::Nothing,
            Err(_) => return Left::Closed,
        }
    }
}

fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

//! `agon up`: the whole judge on one machine, each part under a user of its own.
//!
//! Root starts and supervises; the three parts that do the work are not root.
//! The supervisor opens the port itself, so that visitors wait instead of
//! being turned away while a server is started anew.

mod directory;
mod postgres;
pub mod supervise;
pub mod users;

use std::{
    future::Future,
    io,
    net::{SocketAddr, TcpListener},
    os::fd::OwnedFd,
    path::PathBuf,
    pin::Pin,
    time::Duration,
};

use anyhow::{Context, bail};
use nix::{sys::signal::Signal, unistd::geteuid};
use sha2::{Digest, Sha256};
use tokio::{
    signal::unix::{SignalKind, signal},
    time::{Instant, sleep},
};

use crate::{config, demo, ending};
use directory::Directory;
use postgres::Postgres;
use supervise::{Part, Running, Supervised};
use users::Accounts;

/// Ports tried, from the one wanted on, where none was asked for by name.
const PORTS_TRIED: u16 = 100;
/// How long a server may take to answer for the first time: it may have to migrate.
const SERVER_WITHIN: Duration = Duration::from_secs(120);
/// How long each of its answers may take while it starts, and how often it is asked.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
const ASKED_EVERY: Duration = Duration::from_millis(50);
/// How long server and worker may take to end what they are at.
const STOP_WITHIN: Duration = Duration::from_secs(20);

#[derive(clap::Args)]
pub struct Options {
    /// Directory that keeps everything.
    #[arg(long, default_value = "data")]
    data: PathBuf,
    /// Address to listen on; with port 0, any free one [default: server.listen of the
    /// configuration, or the next port that is free]
    #[arg(long)]
    listen: Option<SocketAddr>,
    /// Port to listen on, at the address of the configuration.
    #[arg(long, conflicts_with = "listen")]
    port: Option<u16>,
    /// Fill a fresh server with documented bots and demo accounts.
    #[arg(long)]
    demo: bool,
    /// Directory with Postgres's programs [default: the newest in /usr/lib/postgresql]
    #[arg(long, value_name = "DIR")]
    pg_bin: Option<PathBuf>,
    /// Address by which the worker reaches the server, where something stands in between.
    #[arg(long, value_name = "URL", hide = true)]
    worker_server: Option<String>,
    #[command(flatten)]
    config: config::Location,
}

pub fn run(options: Options) -> anyhow::Result<()> {
    if !geteuid().is_root() {
        bail!(
            "`agon up` must be started as root (or with sudo): it makes jails for bots, and runs \
             Postgres, server and worker as three users of their own, none of them root. \
             To play a match with programs of your own, `agon play` needs nothing."
        );
    }
    // One thread: parts are bound to the life of the thread that started them.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(machine(options))
}

/// Everything that is wrong is found before anything is started.
async fn machine(options: Options) -> anyhow::Result<()> {
    let settings = config::load(&options.config)?;
    config::policy(&options.config)?;
    let accounts = Accounts::find_or_make()?;
    let data = Directory::open(&options.data, &accounts)?;
    let listener = listen(&options, settings.listen)?;
    let address = listener.local_addr().context("asking for our own address")?;
    let postgres = Postgres::prepare(&data, &accounts, options.pg_bin.as_deref())?;

    let mut ending = Ending::new()?;
    let mut parts = Vec::new();
    let served = tokio::select! {
        done = serve(&options, &settings, &data, &accounts, &postgres, listener, &mut parts) => done,
        () = ending.wait() => Ok(()),
    };
    let kept = match served {
        Ok(()) if ending.has_come => Ok(()),
        Ok(()) => {
            tokio::select! {
                done = greet(&options, &data, address) => if let Err(err) = done {
                    // The site is up; that the demo is not is no reason to take it down.
                    crate::say::note!("agon: the demo is not complete: {err:#}");
                },
                err = keep_all(&mut parts) => crate::say::note!("agon: {err:#}"),
                () = ending.wait() => (),
            }
            match ending.has_come {
                true => Ok(()),
                false => tokio::select! {
                    err = keep_all(&mut parts) => Err(err),
                    () = ending.wait() => Ok(()),
                },
            }
        }
        Err(err) => Err(err),
    };
    crate::say::note!("agon: stopping");
    // Those who depend on others first.
    while let Some(mut part) = parts.pop() {
        part.stop().await;
    }
    crate::say::note!("agon: stopped; everything is kept in {}", options.data.display());
    kept
}

/// Starts the parts one after the other, each when the one it needs is ready.
async fn serve(
    options: &Options,
    settings: &config::Settings,
    data: &Directory,
    accounts: &Accounts,
    postgres: &Postgres,
    listener: TcpListener,
    parts: &mut Vec<Running>,
) -> anyhow::Result<()> {
    let address = listener.local_addr().context("asking for our own address")?;
    parts.push(Running::start(postgres.part(data.log("postgres.log")?))?);
    postgres.ready().await?;

    let token = data.secret("worker-token", random_token)?;
    let token_digest = hex::encode(Sha256::digest(&token));
    let public_url = settings.public_url.clone().unwrap_or_else(|| url_of(address));
    let ourselves = supervise::ourselves()?.to_owned();
    let server = Part {
        name: "server",
        supervised: Supervised {
            program: ourselves.clone(),
            args: options.config.pass_on("serve", &["--listen-on-stdin"])?,
            user: Some(accounts.server.clone()),
            stdin: Some(OwnedFd::from(listener)),
            log: None,
            env: vec![
                ("DATABASE_URL", postgres.url().into()),
                (config::env::PUBLIC_URL, public_url.into()),
                (config::env::DATA_DIR, data.server().into()),
                (config::env::LOCAL_WORKER_TOKEN_DIGEST, token_digest.into()),
            ],
        },
        stop_by: Signal::SIGTERM,
        stop_within: STOP_WITHIN,
    };
    parts.push(Running::start(server)?);
    let here = url_here(address);
    answers(&here).await?;

    let worker = Part {
        name: "worker",
        supervised: Supervised {
            program: ourselves,
            args: options.config.pass_on("worker", &["--user", &accounts.worker.name])?,
            user: None,
            stdin: None,
            log: None,
            env: vec![
                (
                    config::env::WORKER_SERVER_URL,
                    options.worker_server.clone().unwrap_or(here).into(),
                ),
                (config::env::WORKER_TOKEN, token.into()),
                (config::env::WORKER_WORK_DIR, data.worker().into()),
            ],
        },
        stop_by: Signal::SIGTERM,
        stop_within: STOP_WITHIN,
    };
    parts.push(Running::start(worker)?);
    Ok(())
}

/// Says where the site is, once it is complete.
async fn greet(options: &Options, data: &Directory, address: SocketAddr) -> anyhow::Result<()> {
    let url = url_of(address);
    crate::say::say!("agon: the site is up at {url}");
    if !options.demo {
        return Ok(());
    }
    let password = data.secret("demo-password", demo::random_password)?;
    let accounts = demo::seed(&url_here(address), &options.config, &password).await?;
    crate::say::say!("agon: the demo is complete: {url}");
    crate::say::say!("agon: demo accounts: {}   password: {password}", accounts.join(", "));
    Ok(())
}

async fn keep_all(parts: &mut [Running]) -> anyhow::Error {
    let kept = parts.iter_mut().map(|it| Box::pin(it.keep()));
    futures::future::select_all(kept).await.0
}

/// Waits until the server says that it is well.
async fn answers(url: &str) -> anyhow::Result<()> {
    let client = worker::http_client("http").timeout(ANSWER_WITHIN).build()?;
    let deadline = Instant::now() + SERVER_WITHIN;
    let mut said = String::from("nothing");
    while Instant::now() < deadline {
        match client.get(format!("{url}/healthz")).send().await {
            Ok(answer) if answer.status().is_success() => return Ok(()),
            Ok(answer) => said = format!("{}", answer.status()),
            Err(err) => said = format!("{:#}", anyhow::Error::from(err)),
        }
        sleep(ASKED_EVERY).await;
    }
    bail!("the server is not well after {} s: {said}", SERVER_WITHIN.as_secs())
}

/// Opens the port: the one asked for, or the first that is free from the usual one on.
fn listen(options: &Options, usual: SocketAddr) -> anyhow::Result<TcpListener> {
    let asked =
        options.listen.or_else(|| options.port.map(|port| SocketAddr::new(usual.ip(), port)));
    if let Some(address) = asked {
        return TcpListener::bind(address).with_context(|| format!("listening on {address}"));
    }
    let last = usual.port().saturating_add(PORTS_TRIED);
    for port in usual.port()..=last {
        match TcpListener::bind(SocketAddr::new(usual.ip(), port)) {
            Err(err) if err.kind() == io::ErrorKind::AddrInUse => (),
            other => return other.with_context(|| format!("listening on {}:{port}", usual.ip())),
        }
    }
    bail!("no port from {} to {last} is free: name one with --port", usual.port())
}

fn url_of(address: SocketAddr) -> String {
    match address.ip() {
        ip if ip.is_loopback() || ip.is_unspecified() => {
            format!("http://localhost:{}", address.port())
        }
        _ => format!("http://{address}"),
    }
}

/// How this machine itself reaches the site, whatever name it has outside.
fn url_here(address: SocketAddr) -> String {
    match address.ip().is_unspecified() {
        true => format!("http://127.0.0.1:{}", address.port()),
        false => format!("http://{address}"),
    }
}

fn random_token() -> String {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the kernel has random numbers");
    hex::encode(bytes)
}

/// The wish to end; it also comes when the terminal goes, unless we were told to outlive that.
struct Ending {
    asked: Pin<Box<dyn Future<Output = ()> + Send>>,
    hang_up: Option<tokio::signal::unix::Signal>,
    has_come: bool,
}

impl Ending {
    fn new() -> anyhow::Result<Ending> {
        let ends_with_terminal = !ignores(Signal::SIGHUP)?;
        Ok(Ending {
            asked: Box::pin(ending::asked()?),
            hang_up: ends_with_terminal.then(|| signal(SignalKind::hangup())).transpose()?,
            has_come: false,
        })
    }

    async fn wait(&mut self) {
        if self.has_come {
            return;
        }
        let hang_up = async {
            match &mut self.hang_up {
                Some(signal) => _ = signal.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = &mut self.asked => (),
            () = hang_up => (),
        }
        self.has_come = true;
    }
}

/// Whether whoever started us (`nohup`) had us ignore a signal.
fn ignores(signal: Signal) -> anyhow::Result<bool> {
    let status = std::fs::read_to_string("/proc/self/status").context("reading our own status")?;
    let mask = status.lines().find_map(|it| it.strip_prefix("SigIgn:")).unwrap_or_default();
    let mask = u64::from_str_radix(mask.trim(), 16).context("reading what signals we ignore")?;
    Ok(mask & (1 << (signal as u32 - 1)) != 0)
}

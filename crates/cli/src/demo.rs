//! The demo: accounts and documented bots, entered through the site's own forms.
//!
//! What it enters is data: the lists `bots` and `demo` of each game's `game.toml`.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, bail};
use reqwest::{
    Client, Response, StatusCode,
    header::{COOKIE, LOCATION, RETRY_AFTER, SET_COOKIE},
    multipart,
};
use serde::Deserialize;
use tokio::time::{Instant, sleep};

use crate::config;

/// How long builds and first matches may take.
const COMPLETE_WITHIN: Duration = Duration::from_secs(600);
/// How long one request may take: the server compiles nothing while it answers.
const ANSWER_WITHIN: Duration = Duration::from_secs(60);
/// Time between two looks at how far it is.
const LOOK: Duration = Duration::from_millis(250);
/// What is told of an answer that was not expected.
const SAID_CHARS_MAX: usize = 400;
/// Whose bots they are: those that are offered for download, and the older ones by role, so that
/// an account's bots find opponents that are not its own.
const OWNER_OF_DOCUMENTED: &str = "ada";
const OWNERS_OF_OTHERS: [&str; 2] = ["blaise", "grace"];

#[derive(clap::Args)]
pub struct Options {
    /// Address of the server.
    #[arg(long, value_name = "URL")]
    server: String,
    /// Password for accounts that are made.
    #[arg(long)]
    password: String,
    #[command(flatten)]
    config: config::Location,
}

pub fn run(options: Options) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let accounts = runtime.block_on(seed(&options.server, &options.config, &options.password))?;
    crate::say::say!("{}", accounts.join(", "));
    Ok(())
}

/// A password that can be read aloud.
pub fn random_password() -> String {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).expect("the kernel has random numbers");
    hex::encode(bytes)
}

/// Enters what is not there yet, waits until all of it has been built and has
/// played, and names the accounts.
pub async fn seed(
    server: &str,
    options: &config::Location,
    password: &str,
) -> anyhow::Result<Vec<String>> {
    let site = Site {
        client: worker::http_client("http")
            .redirect(reqwest::redirect::Policy::none())
            .timeout(ANSWER_WITHIN)
            .build()?,
        url: server.trim_end_matches('/').to_owned(),
    };
    let status =
        site.wait("a worker has come", |it| it.workers.iter().any(|it| it.slots.is_some()));
    let status = status.await?;
    let mut accounts: Vec<(String, String)> = Vec::new();
    let mut n_entered = 0_u64;
    for bot in listed(&options.dir()?.join("games"))? {
        if !status.workers.iter().any(|it| it.languages.contains(&bot.entry.language)) {
            let Entry { name, language, .. } = &bot.entry;
            crate::say::note!("agon: {name} is left out: no worker can build {language}");
            continue;
        }
        let cookie = match accounts.iter().find(|it| it.0 == bot.owner) {
            Some((_, cookie)) => cookie.clone(),
            None => {
                let cookie = site.sign_in(&bot.owner, password).await?;
                accounts.push((bot.owner.clone(), cookie.clone()));
                cookie
            }
        };
        site.enter(&bot, &cookie).await?;
        n_entered += 1;
    }
    site.wait("all bots are built", |it| it.open("build") == 0).await?;
    site.wait("all bots have played first matches", |it| {
        it.open("validation") == 0 && it.matches_finished >= n_entered
    })
    .await?;
    Ok(accounts.into_iter().map(|it| it.0).collect())
}

struct Bot {
    game: String,
    owner: String,
    file: PathBuf,
    entry: Entry,
}

#[derive(Deserialize)]
struct Entry {
    name: String,
    file: String,
    role: String,
    language: String,
}

fn listed(games: &Path) -> anyhow::Result<Vec<Bot>> {
    /// The rest of the file is for pages and ladders.
    #[derive(Deserialize)]
    struct Lists {
        #[serde(default)]
        bots: Vec<Entry>,
        #[serde(default)]
        demo: Vec<Entry>,
    }
    let mut listed = Vec::new();
    for game in games::GAMES {
        let dir = games.join(game.id());
        let path = dir.join("game.toml");
        let text =
            fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let lists: Lists =
            toml::from_str(&text).with_context(|| format!("reading {}", path.display()))?;
        let role_no = |role: &str| game.roles().iter().position(|it| *it == role).unwrap_or(0);
        listed.extend(lists.bots.into_iter().map(|entry| Bot {
            game: game.id().to_owned(),
            owner: OWNER_OF_DOCUMENTED.to_owned(),
            file: dir.join("bots").join(&entry.file),
            entry,
        }));
        listed.extend(lists.demo.into_iter().map(|entry| Bot {
            game: game.id().to_owned(),
            owner: OWNERS_OF_OTHERS[role_no(&entry.role) % 2].to_owned(),
            file: dir.join(&entry.file),
            entry,
        }));
    }
    Ok(listed)
}

/// The site, as a browser sees it.
struct Site {
    client: Client,
    url: String,
}

#[derive(Deserialize)]
struct Status {
    lanes: Vec<Lane>,
    workers: Vec<Worker>,
    matches_finished: u64,
}

#[derive(Deserialize)]
struct Lane {
    lane: String,
    queued: u64,
    leased: u64,
}

#[derive(Deserialize)]
struct Worker {
    /// None until it has said hello.
    slots: Option<u32>,
    languages: Vec<String>,
}

impl Status {
    /// Jobs of a lane that wait or run.
    fn open(&self, lane: &str) -> u64 {
        let lanes = self.lanes.iter().filter(|it| it.lane == lane);
        lanes.map(|it| it.queued + it.leased).sum()
    }
}

impl Site {
    /// Makes the account where there is none, and signs in: gives the cookie.
    async fn sign_in(&self, name: &str, password: &str) -> anyhow::Result<String> {
        let form = [("name", name), ("password", password)];
        let made = self.client.post(format!("{}/signup", self.url)).form(&form).send().await?;
        let answer = match made.status() {
            StatusCode::CONFLICT => {
                self.client.post(format!("{}/login", self.url)).form(&form).send().await?
            }
            _ => made,
        };
        if answer.status() != StatusCode::SEE_OTHER {
            bail!("signing in as {name}: {}", said(answer).await);
        }
        let cookies = answer.headers().get_all(SET_COOKIE).iter();
        let cookies = cookies.filter_map(|it| it.to_str().ok()?.split(';').next());
        Ok(cookies.collect::<Vec<_>>().join("; "))
    }

    /// Enters a bot, unless an earlier start has done so.
    async fn enter(&self, bot: &Bot, cookie: &str) -> anyhow::Result<()> {
        let Bot { game, file, entry, .. } = bot;
        let source = fs::read(file).with_context(|| format!("reading {}", file.display()))?;
        let deadline = Instant::now() + COMPLETE_WITHIN;
        loop {
            let file_name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let form = multipart::Form::new()
                .text("game", game.clone())
                .text("role", entry.role.clone())
                .text("name", entry.name.clone())
                .text("language", entry.language.clone())
                .part("file", multipart::Part::bytes(source.clone()).file_name(file_name));
            let upload = self.client.post(format!("{}/upload", self.url)).header(COOKIE, cookie);
            let answer = upload.multipart(form).send().await?;
            match answer.status() {
                StatusCode::SEE_OTHER if answer.headers().contains_key(LOCATION) => {
                    return Ok(());
                }
                // Its name is taken: by itself.
                StatusCode::CONFLICT => return Ok(()),
                StatusCode::TOO_MANY_REQUESTS if Instant::now() < deadline => {
                    let wait = answer.headers().get(RETRY_AFTER).and_then(|it| it.to_str().ok());
                    let wait_s = wait.and_then(|it| it.parse().ok()).unwrap_or(1);
                    sleep(Duration::from_secs(wait_s)).await;
                }
                _ => bail!("entering {}: {}", entry.name, said(answer).await),
            }
        }
    }

    async fn wait(&self, what: &str, come: impl Fn(&Status) -> bool) -> anyhow::Result<Status> {
        let deadline = Instant::now() + COMPLETE_WITHIN;
        while Instant::now() < deadline {
            let answer = self.client.get(format!("{}/status.json", self.url)).send().await;
            // While a server is started anew nobody answers.
            if let Ok(answer) = answer
                && answer.status().is_success()
            {
                let status = answer.json().await.context("reading /status.json")?;
                if come(&status) {
                    return Ok(status);
                }
            }
            sleep(LOOK).await;
        }
        bail!("waited {} s, and it is not so that {what}", COMPLETE_WITHIN.as_secs())
    }
}

/// Status and text of an answer that was not expected.
async fn said(answer: Response) -> String {
    let status = answer.status();
    let text = answer.text().await.unwrap_or_default();
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{status}: {}", text.chars().take(SAID_CHARS_MAX).collect::<String>())
}

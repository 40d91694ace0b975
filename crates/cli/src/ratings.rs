//! `agon ratings`: both kinds of rating, recomputed from the published log of matches by anybody.
//!
//! The live ones come out as the server's to the last digit: compare `--json` with `ratings.json`.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs::File,
    io::{self, BufRead, BufReader, Seek, Write as _},
    path::Path,
    time::Duration,
};

use anyhow::{Context, bail};
use contest::{Counted, Evidence, FitOptions, Ledger, LogReader, PublishedRatings, Strength};

use crate::say;

/// Most bytes of a log that is fetched.
const LOG_BYTES_MAX: u64 = 4 << 30;
/// A server that sends nothing for so long has gone.
const SILENCE_MAX: Duration = Duration::from_secs(60);

#[derive(clap::Args)]
pub struct Options {
    /// The log: a file, - for standard input, or its address, as
    /// https://agon.example/games/labyrinth/log.jsonl.
    #[arg(value_name = "FILE|-|URL")]
    log: String,
    /// Fit strengths to all matches at once, too: they do not depend on the order of matches.
    #[arg(long)]
    fit: bool,
    /// Matches of this game alone.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Of how many best the chance is told, with --fit.
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    top: u32,
    /// As JSON, a line a game, each as the server's ratings.json.
    #[arg(long)]
    json: bool,
}

/// What a log comes to for one game.
#[derive(Default)]
struct Counting {
    ledger: Ledger,
    evidence: Evidence,
    matches: u64,
    repeats: u64,
}

pub fn run(options: Options) -> anyhow::Result<()> {
    let games = read(&options)?;
    if games.is_empty() {
        match &options.game {
            Some(game) => bail!("{}: found no match of {game}", options.log),
            None => bail!("{}: found no match", options.log),
        }
    }
    for (game, counting) in games {
        let fit = match options.fit {
            true => Some(fitted(&counting.evidence, options.top).with_context(|| game.clone())?),
            false => None,
        };
        let ratings = counting.ledger.published();
        let last_no = counting.ledger.last_no();
        let published = PublishedRatings { game, last_no, ratings, fit };
        match options.json {
            true => say::say!("{}", serde_json::to_string(&published)?),
            false => say::out(format_args!("{}", table(&published, &counting))),
        }
    }
    Ok(())
}

fn read(options: &Options) -> anyhow::Result<BTreeMap<String, Counting>> {
    let log = options.log.as_str();
    if log == "-" {
        return count(options, io::stdin().lock());
    }
    if log.starts_with("http://") || log.starts_with("https://") {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let file = runtime.block_on(fetch(log)).with_context(|| log.to_owned())?;
        return count(options, BufReader::new(file));
    }
    let file = File::open(Path::new(log)).with_context(|| log.to_owned())?;
    count(options, BufReader::new(file))
}

fn count(options: &Options, log: impl BufRead) -> anyhow::Result<BTreeMap<String, Counting>> {
    let mut games: BTreeMap<String, Counting> = BTreeMap::new();
    for logged in LogReader::new(log) {
        let logged = logged.with_context(|| options.log.clone())?;
        if options.game.as_ref().is_some_and(|game| *game != logged.game) {
            continue;
        }
        if !games.contains_key(&logged.game) {
            games.insert(logged.game.clone(), Counting::default());
        }
        let Some(of) = games.get_mut(&logged.game) else { continue };
        of.matches += 1;
        match of.ledger.count(&logged).with_context(|| options.log.clone())? {
            Counted::Rated if options.fit => of.evidence.add(&logged)?,
            Counted::Rated => {}
            Counted::Repeat => of.repeats += 1,
        }
    }
    Ok(games)
}

/// Into a file without a name, for it may be larger than memory.
async fn fetch(url: &str) -> anyhow::Result<File> {
    let client = reqwest::Client::builder().read_timeout(SILENCE_MAX).build()?;
    let mut answer = client.get(url).send().await?.error_for_status()?;
    let mut file = tempfile::tempfile()?;
    let mut n_bytes = 0;
    while let Some(chunk) = answer.chunk().await? {
        n_bytes += chunk.len() as u64;
        if n_bytes > LOG_BYTES_MAX {
            bail!("found more than {LOG_BYTES_MAX} bytes, which a log may have; cut it by ?after=");
        }
        file.write_all(&chunk)?;
    }
    file.rewind()?;
    Ok(file)
}

fn fitted(evidence: &Evidence, top: u32) -> Result<contest::Fit, contest::FitError> {
    contest::fit(evidence, &FitOptions { top: top as usize, ..FitOptions::default() })
}

fn table(published: &PublishedRatings, counting: &Counting) -> String {
    let mut text = String::new();
    let line = |text: &mut String, it: std::fmt::Arguments<'_>| {
        // Writing to a text does not fail.
        let _ = writeln!(text, "{it}");
    };
    let PublishedRatings { game, last_no, ratings, fit } = published;
    let Counting { matches, repeats, .. } = counting;
    line(&mut text, format_args!("{game}: {matches} rated matches up to number {last_no}"));
    if *repeats > 0 {
        line(
            &mut text,
            format_args!("  {repeats} of them went as an earlier one had, and count once"),
        );
    }
    let mut roles: Vec<&str> = ratings.iter().map(|it| it.role.as_str()).collect();
    roles.sort();
    roles.dedup();
    for role in roles {
        line(&mut text, format_args!("  {role}"));
        let mut of_role: Vec<_> = ratings.iter().filter(|it| it.role == role).collect();
        of_role.sort_by(|one, two| two.rating.total_cmp(&one.rating).then(one.bot.cmp(&two.bot)));
        for (place, it) in (1..).zip(of_role) {
            let strengths = fit.iter().flat_map(|it| &it.strengths);
            let strength = strengths.into_iter().find(|found| found.bot == it.bot);
            let top = fit.as_ref().map_or(0, |it| it.top);
            line(
                &mut text,
                format_args!(
                    "  {place:4}. {:32} {:7.1} ± {:5.1}  {:6} matches{}",
                    it.name,
                    it.rating,
                    1.96 * it.deviation,
                    it.matches,
                    strength.map_or(String::new(), |it| fit_words(it, top))
                ),
            );
        }
    }
    if let Some(fit) = fit {
        for it in &fit.effects {
            let of = match &it.of {
                Some((name, value)) => format!("{name} = {value}"),
                None => "the first seat".to_owned(),
            };
            line(
                &mut text,
                format_args!(
                    "  {of} is worth {:+.1} ± {:.1} to the first seat",
                    it.points,
                    1.96 * it.deviation
                ),
            );
        }
        for it in &fit.left_out {
            line(&mut text, format_args!("  {it} is left out of the fit: it has too many values"));
        }
    }
    line(&mut text, format_args!("  ± holds the true strength 95 times of 100"));
    text
}

fn fit_words(it: &Strength, top: usize) -> String {
    format!(
        "  fit {:7.1} ± {:5.1}, among the best {top}: {:.0} %",
        it.strength,
        1.96 * it.deviation,
        100.0 * it.top_chance
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(args: &[&str]) -> Options {
        #[derive(clap::Parser)]
        struct Line {
            #[command(flatten)]
            options: Options,
        }
        let line = ["ratings"].iter().chain(args);
        <Line as clap::Parser>::try_parse_from(line).unwrap().options
    }

    fn line(no: u64, game: &str, play: &str, points: i64) -> String {
        let seat = |id: u32, role: &str, points: i64| {
            serde_json::json!({
                "bot": format!("00000000-0000-0000-0000-0000000000{id:02}"), "name": format!("Bot {id}"),
                "version": format!("00000000-0000-0000-0001-0000000000{id:02}"), "number": 1,
                "role": role, "score": [points, 100], "faulted": false,
            })
        };
        let seats = [seat(1, "architect", points), seat(2, "adventurer", 100 - points)];
        let it = serde_json::json!({
            "match": format!("00000000-0000-0000-0002-{no:012}"), "no": no, "game": game,
            "finished_at": "2026-11-30T12:00:00Z", "play": play, "seats": seats,
        });
        format!("{it}\n")
    }

    #[test]
    fn a_log_becomes_a_table_with_both_ratings() {
        let log = [
            line(1, "labyrinth", "a", 71),
            line(2, "labyrinth", "a", 71),
            line(5, "jockey", "b", 0),
        ];
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), log.concat()).unwrap();
        let path = file.path().to_str().unwrap();
        let options = options(&["--fit", "--game", "labyrinth", path]);
        let games = read(&options).unwrap();
        assert_eq!(games.len(), 1);
        let counting = &games["labyrinth"];
        let published = PublishedRatings {
            game: "labyrinth".to_owned(),
            last_no: counting.ledger.last_no(),
            ratings: counting.ledger.published(),
            fit: Some(fitted(&counting.evidence, 3).unwrap()),
        };
        let text = table(&published, counting);
        for words in [
            "labyrinth: 2 rated matches up to number 2",
            "1 of them went as an earlier one had, and count once",
            "  architect\n     1. Bot 1",
            " 1 matches  fit ",
            "among the best 3: 100 %",
            "the first seat is worth",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
    }

    #[test]
    fn what_is_no_log_is_refused_with_the_line() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), line(3, "labyrinth", "a", 50) + "{}\n").unwrap();
        let path = file.path().to_str().unwrap();
        let why = read(&options(&[path])).err().unwrap();
        assert!(format!("{why:#}").contains("line 2: found no match"), "{why:#}");
        let why = run(options(&["--game", "chess", "/dev/null"])).unwrap_err();
        assert!(format!("{why:#}").contains("found no match of chess"), "{why:#}");
    }
}

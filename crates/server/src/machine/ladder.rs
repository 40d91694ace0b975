//! Ladders: matches that come about without anybody asking.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};

use chrono::{DateTime, Utc};
use contest::{Candidate, Pace, have_opponents, pair, validation_opponent};
use game::{PerSeat, Sitter};
use referee::AnyGame;
use serde::Deserialize;
use serde_json::Value;
use store::{
    BuildState, LadderBot, LadderPoolSetup, LadderState, NewMatch, NewSeat, Purpose, Store,
};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use crate::{
    Error, config,
    shipped::{preset, read_folder, spell_out},
    state::Games,
};

const SETUPS_MAX: usize = 100;
const NAME_CHARS_MAX: usize = 64;

/// The set-ups of every game's ladder: from `games/<id>/game.toml`, and from the pools of
/// organisers.
#[derive(Debug)]
pub(crate) struct Ladders {
    by_game: BTreeMap<&'static str, Vec<Arc<LadderSetup>>>,
    pooled: RwLock<BTreeMap<&'static str, Pooled>>,
}

/// What comes from pools, as it was when these had last changed.
#[derive(Debug, Default)]
struct Pooled {
    pools: Vec<(Uuid, DateTime<Utc>)>,
    setups: Vec<Arc<LadderSetup>>,
}

/// One set-up of a ladder.
#[derive(Debug)]
pub(crate) struct LadderSetup {
    /// What tables call it.
    pub(crate) name: String,
    /// How often it is played, in proportion to the others.
    pub(crate) weight: u32,
    /// In full.
    pub(crate) setup: Value,
}

/// How long the bots of a ladder wait.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LadderWaits {
    /// Those that are on it and have somebody to play.
    pub(crate) bots: usize,
    /// Matches that wait for a worker.
    pub(crate) queued: u32,
    /// The longest time since the last match of one began, or since it came onto the ladder.
    pub(crate) longest_s: Option<f64>,
}

/// How many ladder matches of a game may wait at once: what `slots` play in a third of the promise,
/// shared out among games; where nobody knows how long that takes, as many as there are.
pub(super) fn queued_max(
    config: &config::Ladder,
    slots: u32,
    match_s: Option<f64>,
    n_games: usize,
) -> usize {
    let Some(match_s) = match_s.filter(|_| slots > 0) else { return usize::MAX };
    let played = config.promise_s as f64 / 3.0 * f64::from(slots) / match_s.max(0.001);
    let least = 2 * slots as usize;
    (played as usize / n_games.max(1)).max(least)
}

/// Why there is no ladder.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", file.display())]
pub(crate) struct LadderError {
    file: PathBuf,
    why: String,
}

/// The part of the file that is read here.
#[derive(Deserialize)]
struct GameFile {
    #[serde(default)]
    ladder: Vec<SetupEntry>,
}

/// One set-up, or a folder of them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetupEntry {
    name: Option<String>,
    weight: u32,
    setup: Option<Value>,
    pool: Option<String>,
}

impl Ladders {
    pub(crate) fn load(config_dir: &Path, games: Games) -> Result<Ladders, LadderError> {
        let mut by_game = BTreeMap::new();
        for game in games.iter() {
            let file = config_dir.join("games").join(game.id()).join("game.toml");
            let text = std::fs::read_to_string(&file)
                .map_err(|why| LadderError { file: file.clone(), why: why.to_string() })?;
            let dir = file.parent().unwrap_or(config_dir);
            let ladder = read(&text, game, dir).map_err(|why| LadderError { file, why })?;
            by_game.insert(game.id(), ladder.into_iter().map(Arc::new).collect());
        }
        Ok(Ladders { by_game, pooled: RwLock::default() })
    }

    /// A game's set-ups, those of pools left out. The first is for newcomers.
    pub(crate) fn of(&self, game: &str) -> &[Arc<LadderSetup>] {
        self.by_game.get(game).map_or(&[], |it| it)
    }

    /// Takes notice of what organisers have changed about their pools.
    pub(super) async fn refresh(
        &self,
        store: &Store,
        game: &'static dyn AnyGame,
    ) -> Result<(), Error> {
        let pools = store.ladder_pools(game.id()).await?;
        let is_known = {
            let pooled = self.pooled.read().unwrap_or_else(PoisonError::into_inner);
            pooled.get(game.id()).map_or(&[][..], |it| &it.pools) == pools
        };
        if is_known {
            return Ok(());
        }
        let kept = store.ladder_setups(game.id()).await?;
        // There may be megabytes of them.
        let setups = spawn_blocking(move || check(game, kept)).await.map_err(Error::internal)?;
        let mut pooled = self.pooled.write().unwrap_or_else(PoisonError::into_inner);
        pooled.insert(game.id(), Pooled { pools, setups });
        Ok(())
    }

    /// All that the ladder plays.
    fn all(&self, game: &str) -> Vec<Arc<LadderSetup>> {
        let pooled = self.pooled.read().unwrap_or_else(PoisonError::into_inner);
        let pooled = pooled.get(game).map_or(&[][..], |it| &it.setups);
        self.of(game).iter().chain(pooled).cloned().collect()
    }

    /// All matches that are due, as long as no more than `queued_max` of the ladder wait.
    pub(super) fn due(
        &self,
        game: &'static dyn AnyGame,
        state: &LadderState,
        config: &config::Ladder,
        queued_max: usize,
    ) -> Vec<NewMatch> {
        let seed = state.now.timestamp_micros() as u64;
        let setups = &self.all(game.id())[..];
        let Some(roles) = roles(game) else { return Vec::new() };
        let mut due = Vec::new();
        let mut candidates = candidates(game, setups, state);
        for it in 0..candidates.len() {
            if !candidates[it].validating || state.bots[it].validations_pending > 0 {
                continue;
            }
            let opponent =
                validation_opponent(&candidates, it, roles, seed.wrapping_add(it as u64));
            if let (Some(opponent), Some(setup)) = (opponent, setups.first()) {
                let seats = in_order(&state.bots, it, opponent, game);
                due.push(new_match(game, setup, seats, Purpose::Validation));
                candidates[opponent].pending += 1;
            }
        }
        if !config.enabled {
            return due;
        }
        let pace = Pace {
            pending: config.pending,
            settled_deviation: config.settled_deviation,
            interval_s: config.interval_s as f64,
            promise_s: config.promise_s as f64,
            room: queued_max.saturating_sub(state.queued as usize),
        };
        // Validation is another lane and another purse.
        let counted: Vec<Candidate> = candidates
            .into_iter()
            .zip(&state.bots)
            .map(|(it, bot)| Candidate { pending: bot.ladder_pending, ..it })
            .collect();
        let weights: Vec<u32> = setups.iter().map(|it| it.weight).collect();
        for it in pair(&counted, roles, &weights, &pace, seed) {
            let seats = it.seats.map(|it| &state.bots[it]);
            due.push(new_match(game, &setups[it.setup], seats, Purpose::Ladder));
        }
        due
    }

    /// How long bots wait that have somebody to play.
    pub(crate) fn waits(&self, game: &dyn AnyGame, state: &LadderState) -> LadderWaits {
        let Some(roles) = roles(game) else { return LadderWaits::default() };
        let can_play = have_opponents(&candidates(game, &[], state), roles);
        let waits = state.bots.iter().zip(can_play).filter(|it| it.1).map(|it| it.0.waited_s);
        let longest_s = waits.clone().reduce(f64::max);
        LadderWaits { bots: waits.count(), queued: state.queued, longest_s }
    }

    /// The match in which a bot that has just been built shows that it can
    /// play; none where nobody is there to play against, which [`due`](Self::due)
    /// makes up for later.
    pub(super) fn first_match(&self, games: Games, build: &BuildState) -> Option<NewMatch> {
        let game = games.get(&build.game)?;
        let setups = self.of(game.id());
        let mut bots = build.ladder.bots.clone();
        bots.retain(|it| it.bot != build.bot);
        bots.push(build.as_newcomer());
        let newcomer = bots.len() - 1;
        let LadderState { now, queued, .. } = build.ladder;
        let state = LadderState { now, bots, queued };
        let candidates = candidates(game, setups, &state);
        let seed = build.ladder.now.timestamp_micros() as u64;
        let opponent = validation_opponent(&candidates, newcomer, roles(game)?, seed)?;
        let seats = in_order(&state.bots, newcomer, opponent, game);
        Some(new_match(game, setups.first()?, seats, Purpose::Validation))
    }
}

/// Those that can be played: each was good when it was put into its pool, but the rules may have
/// changed since.
fn check(game: &dyn AnyGame, kept: Vec<LadderPoolSetup>) -> Vec<Arc<LadderSetup>> {
    let sitters = PerSeat::new(game.roles().len(), |_| Sitter::Bot);
    let mut setups = Vec::new();
    for it in kept {
        let name = preset(&it.pool, &it.name);
        match game.check_setup(&it.setup, &sitters) {
            Ok(setup) => setups.push(Arc::new(LadderSetup { name, weight: it.weight, setup })),
            Err(why) => {
                tracing::warn!(game = game.id(), name, %why, "a set-up of a pool is left out");
            }
        }
    }
    setups
}

fn read(text: &str, game: &'static dyn AnyGame, dir: &Path) -> Result<Vec<LadderSetup>, String> {
    let file: GameFile = toml::from_str(text).map_err(|why| why.to_string())?;
    let mut listed = Vec::new();
    for SetupEntry { name, weight, setup, pool } in file.ladder {
        match (setup, pool) {
            (Some(setup), None) => {
                let name = name.unwrap_or_else(|| spell_out(&setup));
                listed.push(LadderSetup { name, weight, setup });
            }
            (None, Some(pool)) if name.is_none() => {
                let setups = read_folder(game, &dir.join(&pool))?;
                let named = |(name, setup): (String, Value)| LadderSetup {
                    name: preset(&pool, &name),
                    weight,
                    setup,
                };
                listed.extend(setups.into_iter().map(named));
            }
            (None, Some(pool)) => {
                return Err(format!(
                    "the pool {pool:?} has a name; its set-ups have those of their files"
                ));
            }
            (found, _) => {
                let found = if found.is_some() { "both" } else { "neither" };
                return Err(format!(
                    "a table [[ladder]] has {found} of setup and pool; it has one"
                ));
            }
        }
    }
    if !(1..=SETUPS_MAX).contains(&listed.len()) {
        let found = listed.len();
        return Err(format!("{found} set-ups in [[ladder]]; a game needs 1 to {SETUPS_MAX}"));
    }
    if listed.iter().all(|it| it.weight == 0) {
        return Err("all weights of [[ladder]] are 0; one has to be more".to_owned());
    }
    let sitters = PerSeat::new(game.roles().len(), |_| Sitter::Bot);
    let mut names = BTreeSet::new();
    let mut setups = Vec::new();
    for LadderSetup { name, weight, setup } in listed {
        if !(1..=NAME_CHARS_MAX).contains(&name.chars().count()) {
            let found = name.chars().count();
            return Err(format!(
                "the ladder's set-up {name:?} has a name of {found} characters; give it one of \
                 1 to {NAME_CHARS_MAX}"
            ));
        }
        if !names.insert(name.clone()) {
            return Err(format!("two set-ups of the ladder are called {name:?}"));
        }
        if weight > 1000 {
            return Err(format!("the weight of {name:?} is {weight}; it has to be 0 to 1000"));
        }
        let setup = game
            .check_setup(&setup, &sitters)
            .map_err(|why| format!("the set-up {name:?} does not fit: {why}"))?;
        setups.push(LadderSetup { name, weight, setup });
    }
    Ok(setups)
}

/// A name for a set-up that has none: `mode map, size 10`.
/// The role of each seat, as a number; none for games that are not for two.
fn roles(game: &dyn AnyGame) -> Option<[usize; 2]> {
    let [one, two] = game.roles() else { return None };
    Some([0, usize::from(one != two)])
}

fn candidates(
    game: &dyn AnyGame,
    setups: &[Arc<LadderSetup>],
    state: &LadderState,
) -> Vec<Candidate> {
    let role_of = |it: &LadderBot| game.roles().iter().position(|role| *role == it.role);
    let candidate = |it: &LadderBot| Candidate {
        account: it.account.as_u128(),
        // One of a role that the game no longer has meets nobody.
        role: role_of(it).unwrap_or(usize::MAX),
        validating: it.validating,
        house: it.house,
        rating: match (it.rating, it.deviation) {
            (Some(rating), Some(deviation)) => {
                contest::Rating { rating, deviation, ..contest::Rating::NEW }
            }
            _ => contest::Rating::NEW,
        },
        pending: it.ladder_pending + it.validations_pending,
        since_last_s: it.last_made_at.map(|at| (state.now - at).as_seconds_f64()),
        waited_s: it.waited_s,
        exhausted: it.exhausted,
        setups: setups
            .iter()
            .map(|setup| it.presets.get(&setup.name).copied().unwrap_or(0))
            .collect(),
    };
    state.bots.iter().map(candidate).collect()
}

/// The two by seat; where both have the same role, the newcomer sits first.
fn in_order<'a>(
    bots: &'a [LadderBot],
    newcomer: usize,
    opponent: usize,
    game: &dyn AnyGame,
) -> [&'a LadderBot; 2] {
    let (one, two) = (&bots[newcomer], &bots[opponent]);
    match game.roles().first() {
        Some(first) if one.role != *first => [two, one],
        _ => [one, two],
    }
}

fn new_match(
    game: &dyn AnyGame,
    setup: &LadderSetup,
    seats: [&LadderBot; 2],
    purpose: Purpose,
) -> NewMatch {
    let seats = seats.map(|it| NewSeat::Bot { bot: it.bot, version: it.version });
    NewMatch {
        game: game.id().to_owned(),
        rules: game.rules(),
        setup: setup.setup.clone(),
        preset: Some(setup.name.clone()),
        purpose,
        rated: purpose == Purpose::Ladder,
        created_by: None,
        seats: seats.to_vec().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labyrinth() -> &'static dyn AnyGame {
        games::find("labyrinth").unwrap()
    }

    #[test]
    fn a_set_up_without_a_name_is_spelt_out_and_completed() {
        let text = "[[ladder]]\nweight = 2\nsetup = { size = 8, mode = 'map' }\n\
                    [[ladder]]\nname = 'big'\nweight = 0\nsetup = { size = 25, mode = 'nomap' }";
        let ladder = read(text, labyrinth(), Path::new(".")).unwrap();
        assert_eq!(ladder[0].name, "mode map, size 8");
        assert_eq!((ladder[1].name.as_str(), ladder[1].weight), ("big", 0));
        assert!(ladder[0].setup["turn_ms"].is_u64(), "{}", ladder[0].setup);
    }

    #[test]
    fn a_pool_is_a_folder_of_set_ups_in_formats_that_the_game_knows() {
        let dir = tempfile::tempdir().unwrap();
        let jockey = games::find("jockey").unwrap();
        let setup = jockey.set_up(&serde_json::Map::new()).unwrap();
        let pool = dir.path().join("courses");
        std::fs::create_dir(&pool).unwrap();
        std::fs::write(pool.join("README.md"), "none").unwrap();
        std::fs::write(pool.join("b.json"), setup.to_string()).unwrap();
        let official = jockey.write_setup("official", &setup).unwrap();
        std::fs::write(pool.join("a.crs"), official).unwrap();
        let text = "[[ladder]]\nweight = 2\npool = 'courses'";
        let ladder = read(text, jockey, dir.path()).unwrap();
        let names: Vec<_> = ladder.iter().map(|it| (it.name.as_str(), it.weight)).collect();
        assert_eq!(names, [("courses/a", 2), ("courses/b", 2)]);
        assert!(ladder.iter().all(|it| it.setup == setup));
        std::fs::write(pool.join("c.crs"), "{}").unwrap();
        let why = read(text, jockey, dir.path()).unwrap_err();
        assert!(why.contains("c.crs: filetype: found nothing"), "{why}");
    }

    #[tokio::test]
    async fn the_ladder_plays_what_organisers_put_into_pools_and_forgets_what_they_take_out() {
        let store = store::testing::store().await;
        let account = store::testing::account(&store).await;
        let jockey = games::find("jockey").unwrap();
        let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config");
        let ladders = Ladders::load(&config, Games(games::GAMES)).unwrap();
        let shipped = ladders.of("jockey").len();
        let setup = jockey.set_up(&serde_json::Map::new()).unwrap();
        let pool = store::NewPool { game: "jockey", name: "spring", label: "Spring", account };
        let pool = store.create_pool(pool).await.unwrap();
        let new = |name: &str, setup: &Value| store::NewSetup {
            name: name.to_owned(),
            setup: setup.clone(),
        };
        // What the rules no longer know is left out.
        let new = [new("hill", &setup), new("old", &serde_json::json!({ "rows": [] }))];
        store.keep_setups(pool, &new, false, account).await.unwrap();

        let played = async || {
            ladders.refresh(&store, jockey).await.unwrap();
            let all = ladders.all("jockey");
            all[shipped..].iter().map(|it| (it.name.clone(), it.weight)).collect::<Vec<_>>()
        };
        assert_eq!(played().await, []);
        store.change_pool(pool, "Spring", 3, account).await.unwrap();
        assert_eq!(played().await, [("spring/hill".to_owned(), 3)]);
        assert!(ladders.all("labyrinth").iter().all(|it| it.name != "spring/hill"));
        store.remove_setup(pool, "hill", account).await.unwrap();
        assert_eq!(played().await, []);
    }

    #[test]
    fn no_more_matches_wait_than_the_promise_allows() {
        let config = config::Ladder { promise_s: 1800, ..config::Ladder::default() };
        for (slots, match_s, n_games, expected) in [
            (0, Some(1.0), 3, usize::MAX),
            (2, None, 3, usize::MAX),
            (2, Some(1.0), 3, 400),
            (2, Some(10.0), 1, 120),
            (4, Some(3000.0), 3, 8),
        ] {
            assert_eq!(queued_max(&config, slots, match_s, n_games), expected);
        }
    }

    #[test]
    fn a_ladder_that_makes_no_sense_is_refused_with_its_reason() {
        let entry = "[[ladder]]\nsetup = { size = 8, mode = 'map' }\nweight = ";
        let table = [
            (String::new(), "0 set-ups in [[ladder]]"),
            ("[[ladder]]\nweight = 1".into(), "neither of setup and pool"),
            (format!("{entry}1\npool = 'courses'"), "both of setup and pool"),
            ("[[ladder]]\nweight = 1\npool = 'none'".into(), "./none: "),
            ("[[ladder]]\nweight = 1\npool = 'none'\nname = 'x'".into(), "has a name"),
            (format!("{entry}0"), "all weights"),
            (format!("{entry}1001"), "weight"),
            (format!("{entry}1\n{entry}1"), "two set-ups"),
            (format!("{entry}1\nsise = 3"), "sise"),
            (format!("{entry}1").replace("8", "800"), "800"),
            (format!("{entry}1\nname = ''"), "0 characters"),
        ];
        for (text, names) in table {
            let why = read(&text, labyrinth(), Path::new(".")).unwrap_err();
            assert!(why.contains(names), "{text}: {why}");
        }
    }
}

//! What pages say of a game's set-ups, as its `game.toml` has it.

use std::{collections::BTreeMap, path::Path};

use referee::AnyGame;
use serde::Deserialize;
use serde_json::Value;

use crate::shipped::read_folder;

/// What pages say of a game's set-ups.
pub(crate) struct Setups {
    /// What one is called.
    pub(crate) one: String,
    /// What several are called.
    pub(crate) many: String,
    /// What parts of one are called, in the order in which they are told.
    pub(crate) facts: Vec<(String, String)>,
    /// What the characters of its picture stand for.
    pub(crate) picture: BTreeMap<char, Tone>,
    /// Pools that are shipped.
    pub(crate) pools: Vec<ShippedPool>,
}

/// What a place in the picture of a set-up looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Tone {
    Open,
    Rock,
    Water,
    First,
    Second,
}

/// A pool of set-ups that is shipped.
pub(crate) struct ShippedPool {
    /// In addresses: its folder.
    pub(crate) name: String,
    /// On pages.
    pub(crate) label: String,
    /// In a sentence.
    pub(crate) about: String,
    /// Its set-ups by their names.
    pub(crate) setups: Vec<(String, Value)>,
}

/// The part of the file that is read here.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Entry {
    one: String,
    many: String,
    facts: Vec<(String, String)>,
    picture: BTreeMap<char, Tone>,
    pools: Vec<PoolEntry>,
}

impl Default for Entry {
    fn default() -> Entry {
        Entry {
            one: "set-up".to_owned(),
            many: "set-ups".to_owned(),
            facts: Vec::new(),
            picture: BTreeMap::new(),
            pools: Vec::new(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PoolEntry {
    folder: String,
    label: String,
    about: String,
}

impl Entry {
    /// Reads the pools too, each from its folder in `dir`.
    pub(in super::super) fn load(
        self,
        game: &'static dyn AnyGame,
        dir: &Path,
    ) -> Result<Setups, String> {
        let pools = self.pools.into_iter().map(|it| it.load(game, dir));
        Ok(Setups {
            one: self.one,
            many: self.many,
            facts: self.facts,
            picture: self.picture,
            pools: pools.collect::<Result<_, _>>()?,
        })
    }
}

impl PoolEntry {
    fn load(self, game: &'static dyn AnyGame, dir: &Path) -> Result<ShippedPool, String> {
        let PoolEntry { folder, label, about } = self;
        if !store::is_pool_name(&folder) {
            let allowed = store::POOL_NAME_CHARS_MAX;
            return Err(format!(
                "the pool {folder:?} has to be called by 1 to {allowed} of a-z, 0-9 and -"
            ));
        }
        let setups = read_folder(game, &dir.join(&folder))?;
        Ok(ShippedPool { name: folder, label, about, setups })
    }
}

impl Setups {
    /// A pool that is shipped.
    pub(crate) fn pool(&self, name: &str) -> Option<&ShippedPool> {
        self.pools.iter().find(|it| it.name == name)
    }
}

impl ShippedPool {
    /// One of its set-ups.
    pub(crate) fn setup(&self, name: &str) -> Option<&Value> {
        self.setups.iter().find(|it| it.0 == name).map(|it| &it.1)
    }
}

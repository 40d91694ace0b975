//! What a new match is to be on, where that is not left to the game's fields: a set-up of a pool,
//! or one that somebody brings along.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Game, Refusal, files, files::FILE_BYTES_MAX, find, setup_of};
use crate::{
    AppState,
    views::{count, sentence},
};

/// A set-up that was chosen.
pub(in super::super) struct Chosen {
    /// In full.
    pub(in super::super) setup: Value,
    /// `pool/name`, where it is one of a pool.
    pub(in super::super) preset: Option<String>,
}

/// What a form chooses: `setup` is `pool/name`, `own-setup` the text of a file. None where it
/// chooses neither; what is wrong with a text is told in words for its author.
pub(in super::super) async fn chosen(
    state: &AppState,
    game: &Game,
    form: &BTreeMap<String, String>,
) -> Result<Option<Result<Chosen, String>>, Refusal> {
    let given = |name: &str| form.get(name).map_or("", |it| it.trim());
    match (given("own-setup"), given("setup")) {
        ("", "") => Ok(None),
        ("", preset) => {
            let unknown = || Refusal::unknown("set-up");
            let (pool, name) = preset.split_once('/').ok_or_else(unknown)?;
            let found = find(state, game, pool).await?;
            let setup = setup_of(state, &found, name).await?;
            Ok(Some(Ok(Chosen { setup, preset: Some(preset.to_owned()) })))
        }
        (text, _) if text.len() > FILE_BYTES_MAX => {
            let (found, allowed) = (count(text.len()), count(FILE_BYTES_MAX));
            Ok(Some(Err(format!("The file has {found} bytes; allowed are {allowed}."))))
        }
        (text, _) => {
            let (any, text) = (game.any(), text.to_owned());
            let read = files::aside(state, move || files::read(any, "", text.as_bytes())).await?;
            let read = read.map_err(sentence);
            Ok(Some(read.map(|setup| Chosen { setup, preset: None })))
        }
    }
}

/// The address of the set-up that a match is on, where it is still in its pool.
pub(in super::super) async fn address_of(
    state: &AppState,
    game: &Game,
    preset: &str,
) -> Result<Option<String>, Refusal> {
    let Some((pool, name)) = preset.split_once('/') else { return Ok(None) };
    let there = match game.setups.pool(pool) {
        Some(pool) => pool.setup(name).is_some(),
        None => match state.store.find_pool(game.id, pool).await? {
            Some(pool) => state.store.pool_setup(pool.id, name).await?.is_some(),
            None => false,
        },
    };
    Ok(there.then(|| format!("/games/{}/setups/{pool}/{name}", game.id)))
}

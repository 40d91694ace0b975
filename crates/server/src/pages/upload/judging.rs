//! What an upload holds: its files, the language they speak for, and which of them is compiled or
//! run.

use sources::{Format, Rejected, Sources};
use store::Sealed;

use super::super::{
    Refusal,
    catalogue::{Catalogue, Language},
    guess::candidates,
};
use crate::AppState;

/// What was found in an upload that is taken.
pub(super) struct Judged {
    format: Format,
    /// The language it seems to be written in.
    pub(super) guessed: Option<String>,
    /// Why it cannot be built in the language chosen, or else in that one; for the owner.
    pub(super) no_entry: Option<String>,
}

impl Judged {
    /// What it is, in a sentence.
    pub(super) fn noun(&self) -> &'static str {
        match self.format {
            Format::File => "file",
            Format::Zip | Format::TarGz => "archive",
        }
    }
}

/// Reads what came in for a game, and says what it is or why it is not taken. The language that was
/// chosen may be empty.
pub(super) async fn judge(
    state: &AppState,
    file_name: &str,
    (game, chosen): (&str, &str),
    sealed: &Sealed,
) -> Result<Result<Judged, Rejected>, Refusal> {
    let turn = state.site.archives.turn().await?;
    let bytes = sealed.bytes().await?;
    let (catalogue, game, chosen) =
        (state.site.catalogue.clone(), game.to_owned(), chosen.to_owned());
    let look = move |sources: &Sources| look(&catalogue, &game, &chosen, sources);
    state.site.archives.read(turn, file_name, bytes, look).await
}

/// Why an upload is not taken, beside the field it came in.
pub(super) fn refused(why: &Rejected) -> String {
    format!("This upload is not taken: {why}.")
}

fn look(catalogue: &Catalogue, game: &str, chosen: &str, sources: &Sources) -> Judged {
    let guessed = sources::guess(&candidates(catalogue.languages()), sources);
    let guessed = guessed.map(|it| it.language.to_owned());
    let id = Some(chosen).filter(|it| !it.is_empty()).or(guessed.as_deref());
    let language = id.and_then(|it| catalogue.language(it));
    let is_archive = sources.format != Format::File;
    let no_entry = language.and_then(|it| match catalogue.adapters.adapt(game, &it.id, sources) {
        Ok(None) if is_archive => no_entry(it, sources),
        Ok(_) => None,
        Err(why) => Some(format!("As a bot in {}, this is not taken: {why}.", it.label)),
    });
    Judged { format: sources.format, guessed, no_entry }
}

fn no_entry(language: &Language, sources: &Sources) -> Option<String> {
    let label = &language.label;
    let Some(archive) = &language.archive else {
        return Some(format!(
            "A bot in {label} is one source file here, and this is an archive. Upload the file \
             itself."
        ));
    };
    let why = archive.entry(sources, &language.guess).err()?;
    Some(format!("As a bot in {label}, this archive is not taken: {why}."))
}

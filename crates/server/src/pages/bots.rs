//! The page of a bot: its versions, how it does, and what its owner can change.

use std::collections::BTreeMap;

use askama::Template;
use axum::{
    extract::State,
    response::{Html, Redirect},
};
use contest::PLACED_DEVIATION_MAX;
use serde::Deserialize;
use store::{
    BenchedBy, BotError, BotPage as Bot, BotState, FailureRow, MatchFilter, Rival, VersionPage,
    VersionRow, VersionState,
};
use uuid::Uuid;

use super::{Page, Path, Posted, Refusal, waits::Waits};
use crate::{
    AppState,
    auth::SignedIn,
    views::{
        Badge, Frame, MatchLine, News, Rated, RatingCurve, SplitBar, When, bot_badge, chance,
        fault_cause, fault_words, version_badge,
    },
};

const VERSIONS_MAX: i64 = 50;
const MATCHES_MAX: i64 = 10;
const FAILURES_MAX: i64 = 500;
const FAILURES_SHOWN: usize = 5;
const CURVE_POINTS_MAX: i64 = 200;
const RIVALS_MAX: i64 = 25;

/// Reads the id of an address.
pub(crate) fn parse_id(what: &'static str, id: &str) -> Result<Uuid, Refusal> {
    id.parse().map_err(|_| Refusal::unknown(what))
}

/// Failures with one cause.
struct FailureGroup {
    cause: String,
    hint: &'static str,
    total: usize,
    last: Vec<FailureLine>,
}

struct FailureLine {
    match_id: Uuid,
    version: i32,
    ply: u32,
    when: Option<When>,
}

#[derive(Template)]
#[template(path = "bot.html")]
struct BotPage {
    frame: Frame,
    bot: Bot,
    game_name: String,
    role_name: String,
    badge: Badge,
    rated: Option<Rated>,
    curve: Option<RatingCurve>,
    versions: Vec<VersionLine>,
    newest: Option<VersionPage>,
    matches: Vec<MatchLine>,
    failures: Vec<FailureGroup>,
    fitted: Option<Fitted>,
    rivals: Vec<RivalLine>,
    is_owner: bool,
    sees_all: bool,
}

/// How strong it is by all matches at once.
struct Fitted {
    rated: Rated,
    chance: String,
    top: i32,
}

/// How it has done against another.
struct RivalLine {
    rival: Rival,
    role: String,
    score: String,
    bar: SplitBar,
}

/// A version in the list, with what its row needs.
struct VersionLine {
    row: VersionRow,
    badge: Badge,
    language: String,
    is_active: bool,
}

impl FailureGroup {
    fn total_words(&self) -> String {
        match self.total {
            1 => "1 match".into(),
            n => format!("{n} matches"),
        }
    }
}

impl VersionLine {
    fn can_play(&self) -> bool {
        self.row.state == VersionState::Ready
    }
}

impl BotPage {
    fn is_unsure(&self) -> bool {
        self.rated.is_some_and(|it| it.deviation > PLACED_DEVIATION_MAX)
    }

    fn was_benched_for_a_fault(&self) -> bool {
        self.bot.benched_by == Some(BenchedBy::Fault)
    }

    fn can_be_benched(&self) -> bool {
        matches!(self.bot.state, BotState::Active | BotState::Validating)
    }

    fn fault_of(&self, version: &VersionPage) -> Option<String> {
        version.compliance.as_ref()?.fault.as_ref().map(fault_words)
    }
}

/// `GET /bots/{bot}`
pub(super) async fn show_bot(
    State(state): State<AppState>,
    Path(id): Path<String>,
    page: Page,
) -> Result<Html<String>, Refusal> {
    let id = parse_id("bot", &id)?;
    let bot = state.store.bot_page(id).await?;
    let bot = bot.ok_or_else(|| Refusal::unknown("bot"))?;
    let sees_all = page.may_see_all_of(bot.account);
    let versions = state.store.versions_of(id, VERSIONS_MAX).await?;
    let newest = state.store.version_page(id, None).await?;
    let filter = MatchFilter { bot: Some(id), matches_max: MATCHES_MAX, ..MatchFilter::default() };
    let matches = state.store.matches(&filter).await?;
    let waits = Waits::of(&state, &matches).await?;
    let failures = match sees_all {
        true => state.store.failures_of(id, bot.active_version, FAILURES_MAX).await?,
        false => Vec::new(),
    };
    let ratings = state.store.ratings_of(id, CURVE_POINTS_MAX).await?;
    let rivals = state.store.rivals(id, RIVALS_MAX).await?;
    let fitted = state.store.fitted(id).await?;
    let catalogue = &state.site.catalogue;
    let game = catalogue.game(&bot.game);
    let mut lines: Vec<_> = matches.iter().map(|it| catalogue.line(it)).collect();
    waits.tell(&mut lines);
    let html = BotPage {
        game_name: game.map_or(bot.game.clone(), |it| it.name.clone()),
        role_name: game.map_or(bot.role.clone(), |it| it.role_name(&bot.role).to_owned()),
        badge: bot_badge(bot.state),
        rated: bot.standing.map(Rated::from),
        curve: RatingCurve::new(ratings.into_iter().map(Rated::from).collect()),
        versions: versions
            .into_iter()
            .map(|row| VersionLine {
                badge: version_badge(row.state),
                language: catalogue.language_label(&row.language).to_owned(),
                is_active: Some(row.id) == bot.active_version,
                row,
            })
            .collect(),
        fitted: fitted.map(|(it, top)| Fitted {
            rated: it.into(),
            chance: chance(it.top_chance),
            top,
        }),
        rivals: rivals
            .into_iter()
            .map(|rival| RivalLine {
                role: game.map_or(rival.role.clone(), |it| it.role_name(&rival.role).to_owned()),
                score: format!("{:.0}\u{a0}%", rival.score * 100.0),
                bar: SplitBar { first: rival.score, tall: false },
                rival,
            })
            .collect(),
        newest,
        matches: lines,
        failures: grouped(failures),
        is_owner: page.account().is_some_and(|it| it.id == bot.account),
        sees_all,
        bot,
        frame: page.frame,
    };
    Ok(Html(html.render()?))
}

#[derive(Deserialize)]
pub(super) struct ChosenVersion {
    #[serde(default)]
    version: String,
}

/// `POST /bots/{bot}/active-version`
pub(super) async fn choose_version(
    State(state): State<AppState>,
    Path(id): Path<String>,
    who: SignedIn,
    Posted(chosen): Posted<ChosenVersion>,
) -> Result<Redirect, Refusal> {
    let bot = own_bot(&state, &id, who.account.id).await?;
    if chosen.version.is_empty() {
        return Err(Refusal::invalid("Choose one of the bot’s versions; none was named."));
    }
    let version = parse_id("version", &chosen.version)?;
    state.store.choose_version(bot, who.account.id, version).await?;
    Ok(back_to(bot, News::VersionChosen))
}

/// `POST /bots/{bot}/bench`
pub(super) async fn bench_bot(
    State(state): State<AppState>,
    Path(id): Path<String>,
    who: SignedIn,
) -> Result<Redirect, Refusal> {
    let bot = own_bot(&state, &id, who.account.id).await?;
    bench(&state, bot, who.account.id).await?;
    Ok(back_to(bot, News::Benched))
}

/// `POST /bots/{bot}/activate`
pub(super) async fn activate_bot(
    State(state): State<AppState>,
    Path(id): Path<String>,
    who: SignedIn,
) -> Result<Redirect, Refusal> {
    let bot = own_bot(&state, &id, who.account.id).await?;
    state.store.activate_bot(bot, who.account.id).await?;
    Ok(back_to(bot, News::Activated))
}

/// Takes a bot off the ladder, as its owner.
pub(crate) async fn bench(state: &AppState, bot: Uuid, account: Uuid) -> Result<(), Refusal> {
    let why = "Its owner took it off the ladder.";
    Ok(state.store.bench_bot(&store::Bench { bot, account, why }).await?)
}

/// The bot of an address, where it is the account's own.
pub(crate) async fn own_bot(state: &AppState, id: &str, account: Uuid) -> Result<Uuid, Refusal> {
    let id = parse_id("bot", id)?;
    let bot = state.store.bot_page(id).await?;
    let bot = bot.ok_or_else(|| Refusal::unknown("bot"))?;
    match bot.account == account {
        true => Ok(id),
        false => Err(Refusal::not_yours(format!(
            "The bot “{}” is {}’s; only its owner can change it.",
            bot.name, bot.owner
        ))),
    }
}

impl From<BotError> for Refusal {
    fn from(why: BotError) -> Refusal {
        match why {
            BotError::Store(why) => why.into(),
            BotError::Unknown => Refusal::missing("You have no such bot."),
            BotError::NameTaken => Refusal::conflict(
                "A bot of this game has that name already, or one that looks the same. Choose another.",
            ),
            BotError::TooMany { found } => Refusal::conflict(format!(
                "You have {found} bots, which is as many as an account may have. Upload a new version of one of them instead."
            )),
            BotError::NoVersion => Refusal::conflict(
                "No version of this bot is ready to play. Upload one that builds first.",
            ),
            BotError::NotReady => Refusal::conflict(
                "This version cannot play: it is not ready, or belongs to another bot.",
            ),
        }
    }
}

fn back_to(bot: Uuid, news: News) -> Redirect {
    Redirect::to(&format!("/bots/{bot}?done={}", news.as_str()))
}

/// The most frequent cause first; of each, the last few.
fn grouped(failures: Vec<FailureRow>) -> Vec<FailureGroup> {
    let mut of: BTreeMap<String, FailureGroup> = BTreeMap::new();
    for it in failures {
        let (cause, hint) = fault_cause(&it.fault);
        let group = of.entry(cause.clone()).or_insert_with(|| FailureGroup {
            cause,
            hint,
            total: 0,
            last: Vec::new(),
        });
        group.total += 1;
        if group.last.len() < FAILURES_SHOWN {
            group.last.push(FailureLine {
                match_id: it.match_id,
                version: it.version,
                ply: it.ply + 1,
                when: it.finished_at.map(When),
            });
        }
    }
    let mut groups: Vec<FailureGroup> = of.into_values().collect();
    groups.sort_by_key(|it| std::cmp::Reverse(it.total));
    groups
}

#[cfg(test)]
mod tests {
    use game::{End, Fault};

    use super::*;

    #[test]
    fn failures_are_gathered_by_cause_the_most_frequent_first() {
        let row = |fault| FailureRow {
            match_id: Uuid::from_u128(1),
            version: 1,
            finished_at: None,
            ply: 4,
            fault,
        };
        let crash = Fault::Gone(End::Signalled(11));
        let mut rows = vec![row(Fault::Late)];
        rows.extend((0..7).map(|_| row(crash.clone())));
        rows.push(row(Fault::Garbled("a line of 64 KiB".into())));
        rows.push(row(Fault::Garbled("a line of 64 KiB".into())));
        let groups = grouped(rows);
        let found: Vec<_> =
            groups.iter().map(|it| (it.cause.as_str(), it.total, it.last.len())).collect();
        let expected = [
            ("The program crashed (segmentation fault)", 7, 5),
            ("Against the protocol: a line of 64 KiB", 2, 2),
            ("Too slow in one turn", 1, 1),
        ];
        assert_eq!(found, expected);
        assert_eq!(groups[0].last[0].ply, 5);
    }
}

//! The list of matches with its filters, and the page of one.

use askama::Template;
use axum::{extract::State, response::Html};
use game::Seat;
use jobs::SeatReport;
use serde::Deserialize;
use store::{MatchFilter, MatchPage as Match, MatchState, Purpose};
use uuid::Uuid;

use super::{Game, Page, Path, Query, Refusal, bots::parse_id, replay, setups, waits::Waits};
use crate::{
    AppState,
    shipped::is_spelled_out,
    views::{
        Frame, MatchLine, Rated, SeatLine, SplitBar, TurnTimes, When, duration_ms, fault_cause,
        fault_words, is_told, limit_words, told_setup,
    },
};

const ROWS_MAX: i64 = 30;

/// Filters, as the form sends them: what is empty does not matter.
#[derive(Clone, Default, Deserialize)]
pub(super) struct MatchQuery {
    #[serde(default)]
    game: String,
    #[serde(default)]
    bot: String,
    #[serde(default)]
    state: String,
    #[serde(default)]
    purpose: String,
    #[serde(default)]
    before: String,
}

const STATES: [(MatchState, &str); 4] = [
    (MatchState::Finished, "finished"),
    (MatchState::Running, "being played"),
    (MatchState::Queued, "waiting"),
    (MatchState::Void, "void"),
];

const PURPOSES: [(Purpose, &str); 3] = [
    (Purpose::Ladder, "ladder"),
    (Purpose::Validation, "first match"),
    (Purpose::Friendly, "friendly"),
];

/// What a list can be narrowed to.
struct Choice {
    value: &'static str,
    words: String,
    chosen: bool,
}

fn choices<'a>(all: impl Iterator<Item = (&'static str, &'a str)>, chosen: &str) -> Vec<Choice> {
    all.map(|(value, words)| Choice { value, words: words.into(), chosen: value == chosen })
        .collect()
}

#[derive(Template)]
#[template(path = "matches.html")]
struct MatchesPage {
    frame: Frame,
    query: MatchQuery,
    bot_name: Option<String>,
    lines: Vec<MatchLine>,
    games: Vec<Choice>,
    states: Vec<Choice>,
    purposes: Vec<Choice>,
    /// Address of the matches before these.
    older: Option<String>,
    /// Address of the newest ones, where these are not.
    newest: Option<String>,
}

/// `GET /matches?game=&bot=&state=&purpose=&before=`
pub(super) async fn list_matches(
    State(state): State<AppState>,
    Query(query): Query<MatchQuery>,
    page: Page,
) -> Result<Html<String>, Refusal> {
    let catalogue = &state.site.catalogue;
    if !query.game.is_empty() {
        catalogue.find(&query.game)?;
    }
    let id = |what, text: &str| match text {
        "" => Ok(None),
        text => parse_id(what, text).map(Some),
    };
    let bot = id("bot", &query.bot)?;
    let bot_name = match bot {
        Some(bot) => {
            let name = state.store.bot_name(bot).await?;
            Some(name.ok_or_else(|| Refusal::unknown("bot"))?)
        }
        None => None,
    };
    let filter = MatchFilter {
        game: (!query.game.is_empty()).then(|| query.game.clone()),
        bot,
        state: one_of("state", &STATES.map(|(it, _)| (it.as_str(), it)), &query.state)?,
        purpose: one_of("purpose", &PURPOSES.map(|(it, _)| (it.as_str(), it)), &query.purpose)?,
        before: id("match", &query.before)?,
        matches_max: ROWS_MAX + 1,
        ..MatchFilter::default()
    };
    let mut rows = state.store.matches(&filter).await?;
    let more = rows.len() > ROWS_MAX as usize;
    rows.truncate(ROWS_MAX as usize);
    let last = rows.last().map(|it| it.id);
    let mut lines: Vec<_> = rows.iter().map(|it| catalogue.line(it)).collect();
    Waits::of(&state, &rows).await?.tell(&mut lines);
    let html = MatchesPage {
        bot_name,
        lines,
        games: choices(catalogue.games().iter().map(|it| (it.id, it.name.as_str())), &query.game),
        states: choices(STATES.iter().map(|(it, words)| (it.as_str(), *words)), &query.state),
        purposes: choices(PURPOSES.iter().map(|(it, words)| (it.as_str(), *words)), &query.purpose),
        older: last.filter(|_| more).map(|it| query.address(Some(it))),
        newest: filter.before.map(|_| query.address(None)),
        query,
        frame: page.frame,
    };
    Ok(Html(html.render()?))
}

impl MatchQuery {
    fn address(&self, before: Option<Uuid>) -> String {
        let before = before.map_or(String::new(), |it| it.to_string());
        let pairs = [
            ("game", &self.game),
            ("bot", &self.bot),
            ("state", &self.state),
            ("purpose", &self.purpose),
            ("before", &before),
        ];
        // All values were understood, so none holds what an address cannot.
        let pairs = pairs.iter().filter(|(_, value)| !value.is_empty());
        let pairs = pairs.map(|(name, value)| format!("{name}={value}"));
        format!("/matches?{}", pairs.collect::<Vec<_>>().join("&"))
    }
}

fn one_of<T: Copy>(what: &str, all: &[(&str, T)], text: &str) -> Result<Option<T>, Refusal> {
    if text.is_empty() {
        return Ok(None);
    }
    let found = all.iter().find(|(it, _)| *it == text).map(|(_, it)| *it);
    let allowed = || all.iter().map(|(it, _)| *it).collect::<Vec<_>>().join(", ");
    found.map(Some).ok_or_else(|| {
        let text: String = text.chars().take(64).collect();
        Refusal::malformed(format!("There is no {what} “{text}”; allowed are {}.", allowed()))
    })
}

/// What is shown of one seat.
struct SeatPart {
    /// None: a person.
    language: Option<String>,
    measures: Vec<(&'static str, String)>,
    report: Option<SeatReport>,
    fault: Option<(u32, String, &'static str)>,
    before: Option<Rated>,
    after: Option<Rated>,
    /// Whether the visitor may read what it wrote for its owner.
    shows_stderr: bool,
}

#[derive(Template)]
#[template(path = "match.html")]
struct MatchPage {
    frame: Frame,
    game_id: String,
    game_name: String,
    line: MatchLine,
    bar: Option<SplitBar>,
    it: Match,
    seats: Vec<SeatPart>,
    times: Option<TurnTimes>,
    created: When,
    started: Option<When>,
    finished: Option<When>,
    took: Option<String>,
    limits: Option<String>,
    /// Where its set-up is, if in a pool.
    setup_address: Option<String>,
    /// Where the visitor sits, who plays in it.
    seat: Option<u8>,
}

impl MatchPage {
    /// A board to play on, where the visitor plays and the match is not over.
    fn is_played_here(&self) -> bool {
        self.seat.is_some() && self.is_running()
    }

    fn seats_with_lines(&self) -> Vec<(&SeatLine, &SeatPart)> {
        self.line.seats.iter().zip(&self.seats).collect()
    }

    fn is_waiting(&self) -> bool {
        self.it.row.state == MatchState::Queued
    }

    fn is_running(&self) -> bool {
        self.it.row.state == MatchState::Running
    }

    fn is_finished(&self) -> bool {
        self.it.row.state == MatchState::Finished
    }
}

/// `GET /matches/{match}`
pub(super) async fn show_match(
    State(state): State<AppState>,
    Path(id): Path<String>,
    page: Page,
) -> Result<Html<String>, Refusal> {
    let id = parse_id("match", &id)?;
    let found = state.store.match_page(id).await?;
    let mut it = found.ok_or_else(|| Refusal::unknown("match"))?;
    let catalogue = &state.site.catalogue;
    let game = catalogue.game(&it.row.game);
    let measures = game.map_or(&[][..], |it| it.any().measures());
    let seats = std::mem::take(&mut it.seats).into_iter().enumerate().map(|(no, seat)| {
        let seat_no = Seat(no as u8);
        let owner = it.row.seats.get(no).map(|it| it.account);
        let values = it.row.outcome.iter().flat_map(|outcome| {
            let named = measures.iter().zip(&outcome.measures);
            named.filter_map(|(it, of)| Some((it.label, of.get(seat_no)?.mixed())))
        });
        let fault = seat.report.as_ref().and_then(|it| it.fault.as_ref());
        SeatPart {
            language: seat.language.map(|it| catalogue.language_label(&it).to_owned()),
            measures: values.collect(),
            fault: fault.map(|(ply, it)| (ply + 1, fault_words(it), fault_cause(it).1)),
            before: seat.before.map(Rated::from),
            after: seat.after.map(Rated::from),
            shows_stderr: owner.is_some_and(|it| page.may_see_all_of(it)),
            report: seat.report,
        }
    });
    let seats = seats.collect();
    let mut line = catalogue.line(&it.row);
    Waits::of(&state, [&it.row]).await?.tell(std::slice::from_mut(&mut line));
    let times = replay::turn_times(&state, &it).await?;
    // Its name alone would lead whoever plays by hand to what they have yet to find out.
    it.preset = it.preset.filter(|_| is_told(&it.row));
    it.preset = it.preset.filter(|name| !is_spelled_out(name, &it.row.setup));
    let setup_address = match (game, &it.preset) {
        (Some(game), Some(preset)) => setups::address_of(&state, game, preset).await?,
        _ => None,
    };
    let took = it.row.started_at.zip(it.row.finished_at);
    let html = MatchPage {
        game_id: it.row.game.clone(),
        game_name: game.map_or(it.row.game.clone(), |it| it.name.clone()),
        bar: line.bar.map(|it| SplitBar { tall: true, ..it }),
        line,
        seats,
        times,
        created: When(it.row.created_at),
        started: it.row.started_at.map(When),
        finished: it.row.finished_at.map(When),
        took: took.map(|(from, to)| duration_ms((to - from).num_milliseconds().max(0) as f64)),
        limits: limit_words(&told_setup(game.map(Game::any), &it.row)),
        setup_address,
        seat: page.account().and_then(|who| Some(it.row.seat_of(who.id)?.0)),
        it,
        frame: page.frame,
    };
    Ok(Html(html.render()?))
}

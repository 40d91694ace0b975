//! The table of routes: who may ask which, with what, and what is said of what is not there.

use self::By::{Account, Anybody, Organiser, Owner, Signed, Worker as AWorker};
use self::Takes::{Bytes, Files, Form, Head, Json, Nothing, Setup, Upload};

/// An id of nothing.
pub(super) const UNKNOWN: &str = "00000000-0000-0000-0000-000000000000";

/// Who may ask.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum By {
    Anybody,
    /// Whoever is signed in.
    Account,
    /// Whose bot it is.
    Owner,
    /// Whoever runs contests.
    Organiser,
    /// A worker with a token.
    Worker,
    /// Whoever has a signed address.
    Signed,
}

/// What a request carries.
#[derive(Clone, Copy)]
pub(super) enum Takes {
    Nothing,
    /// A form; what comes of an empty one.
    Form(u16, &'static str),
    Upload,
    /// Files with set-ups.
    Files,
    /// A set-up as JSON.
    Setup,
    /// The beginning of a source.
    Head,
    Json,
    Bytes,
}

/// Method, path, who may ask, what it takes.
pub(super) type Known = (&'static str, &'static str, By, Takes);

pub(super) const ROUTES: &[Known] = &[
    ("GET", "/", Anybody, Nothing),
    ("GET", "/games/{game}", Anybody, Nothing),
    ("GET", "/games/{game}/bots/{*file}", Anybody, Nothing),
    ("GET", "/games/{game}/pictures/{file}", Anybody, Nothing),
    ("GET", "/games/{game}/archive/{archive}", Anybody, Nothing),
    ("GET", "/games/{game}/archive/{archive}/{past}", Anybody, Nothing),
    ("GET", "/games/{game}/archive/{archive}/{past}/replay.json", Anybody, Nothing),
    ("GET", "/games/{game}/leaderboard", Anybody, Nothing),
    ("GET", "/games/{game}/log.jsonl", Anybody, Nothing),
    ("GET", "/games/{game}/ratings.json", Anybody, Nothing),
    ("GET", "/games/{game}/setups", Anybody, Nothing),
    ("GET", "/games/{game}/setups/{pool}", Anybody, Nothing),
    ("GET", "/games/{game}/setups/{pool}/{setup}", Anybody, Nothing),
    ("GET", "/games/{game}/setups/{pool}/{setup}/file", Anybody, Nothing),
    ("GET", "/games/{game}/setups/{pool}/{setup}/picture.svg", Anybody, Nothing),
    ("POST", "/games/{game}/pools", Organiser, Form(422, "Choose what the pool is called.")),
    (
        "POST",
        "/games/{game}/pools/{pool}/change",
        Organiser,
        Form(422, "Choose what the pool is called."),
    ),
    ("POST", "/games/{game}/pools/{pool}/delete", Organiser, Nothing),
    ("POST", "/games/{game}/pools/{pool}/files", Organiser, Files),
    ("POST", "/games/{game}/pools/{pool}/save", Organiser, Setup),
    ("POST", "/games/{game}/pools/{pool}/{setup}/remove", Organiser, Nothing),
    ("GET", "/games/{game}/editor", Anybody, Nothing),
    ("POST", "/games/{game}/editor/check", Anybody, Setup),
    ("GET", "/games/{game}/editor/draw", Anybody, Nothing),
    ("POST", "/games/{game}/editor/write", Anybody, Setup),
    ("GET", "/bots/{bot}", Anybody, Nothing),
    ("GET", "/bots/{bot}/live", Anybody, Nothing),
    ("POST", "/bots/{bot}/bench", Owner, Nothing),
    ("POST", "/bots/{bot}/activate", Owner, Nothing),
    ("POST", "/bots/{bot}/active-version", Owner, Form(422, "Choose one of the bot’s versions")),
    ("GET", "/bots/{bot}/versions/{number}", Anybody, Nothing),
    ("GET", "/bots/{bot}/versions/{number}/source", Owner, Nothing),
    ("GET", "/upload", Account, Nothing),
    ("POST", "/upload", Account, Upload),
    ("POST", "/upload/guess", Anybody, Head),
    ("GET", "/languages.json", Anybody, Nothing),
    ("GET", "/matches", Anybody, Nothing),
    ("POST", "/matches", Account, Form(422, "Choose who plays the Architect.")),
    ("GET", "/matches/new", Account, Nothing),
    ("GET", "/matches/{match}", Anybody, Nothing),
    ("GET", "/matches/{match}/live", Anybody, Nothing),
    ("POST", "/matches/{match}/deeds", Account, Json),
    ("GET", "/matches/{match}/replay.json", Anybody, Nothing),
    ("GET", "/matches/{match}/record", Anybody, Nothing),
    ("GET", "/invitations", Account, Nothing),
    ("GET", "/invitations/live", Account, Nothing),
    ("POST", "/invitations/{invitation}/accept", Account, Nothing),
    ("POST", "/invitations/{invitation}/decline", Account, Nothing),
    ("POST", "/invitations/{invitation}/withdraw", Account, Nothing),
    ("GET", "/signup", Anybody, Nothing),
    ("POST", "/signup", Anybody, Form(422, "Choose a name")),
    ("GET", "/login", Anybody, Nothing),
    ("POST", "/login", Anybody, Form(422, "Type both your name and your password.")),
    ("POST", "/logout", Anybody, Nothing),
    ("GET", "/setup/{token}", Anybody, Nothing),
    ("POST", "/setup/{token}", Anybody, Form(422, "Choose a password of 10 characters or more.")),
    ("GET", "/me", Account, Nothing),
    ("POST", "/me/password", Account, Form(422, "Type the password you have now.")),
    ("POST", "/me/sessions/end", Account, Form(404, "This device is signed out already.")),
    ("POST", "/me/sessions/end-others", Account, Nothing),
    ("GET", "/me/tokens", Account, Nothing),
    ("POST", "/me/tokens", Account, Form(422, "Choose what the token is called")),
    ("POST", "/me/tokens/{api_token}/revoke", Account, Nothing),
    ("GET", "/api", Anybody, Nothing),
    ("GET", "/status", Anybody, Nothing),
    ("GET", "/assets/{file}", Anybody, Nothing),
    ("POST", "/worker/v1/hello", AWorker, Json),
    ("POST", "/worker/v1/lease", AWorker, Json),
    ("POST", "/worker/v1/leases/{lease}/renew", AWorker, Nothing),
    ("POST", "/worker/v1/leases/{lease}/plies", AWorker, Json),
    ("POST", "/worker/v1/leases/{lease}/deeds", AWorker, Json),
    ("POST", "/worker/v1/leases/{lease}/report", AWorker, Json),
    ("GET", "/healthz", Anybody, Nothing),
    ("GET", "/status.json", Anybody, Nothing),
    ("GET", "/blobs/{digest}", Signed, Nothing),
    ("PUT", "/blobs/uploads/{lease}", Signed, Bytes),
];

/// What is said of each part of an address that names nothing.
pub(super) const MISSING: &[(&str, &str)] = &[
    ("game", "There is no such game."),
    ("archive", "There is no such archive."),
    ("past", "There is no such match of the past."),
    ("pool", "There is no such pool."),
    ("setup", "There is no such set-up."),
    ("bot", "There is no such bot."),
    ("number", "There is no such version."),
    ("match", "There is no such match."),
    ("invitation", "There is no such invitation."),
    ("token", "This link was used already, has expired, or never was one."),
    ("api_token", "no such token"),
    ("file", "There is no such "),
    ("lease", "lease"),
    ("digest", "This address is not signed."),
];

/// Parts of an address that name nothing, whatever they stand for.
pub(super) const NOTHING: &[&str] =
    &["x", UNKNOWN, "-1", "%00", "%FF", "..%2F..%2Fetc%2Fpasswd", "%F0%9F%92%A5"];

/// Queries that make no sense: of what, what comes of it.
pub(super) const QUERIES: &[(&str, u16, &str)] = &[
    ("/games/labyrinth/leaderboard?role=king", 404, "There is no such role."),
    ("/games/labyrinth/leaderboard?page=0", 404, "its pages are 1 to 1"),
    ("/games/labyrinth/leaderboard?page=x", 404, "There is no page “x” of this leaderboard"),
    ("/games/labyrinth/leaderboard?page=99999999999999999999", 404, "its pages are 1 to 1"),
    ("/games/labyrinth/leaderboard?role=%FF", 422, "The field “role” is not UTF-8 text."),
    ("/games/labyrinth/log.jsonl?after=-1", 400, "goes on is “-1”; it has to be whole"),
    ("/games/labyrinth/log.jsonl?after=x", 400, "goes on is “x”; it has to be whole"),
    ("/matches?state=asleep", 400, "There is no state “asleep”; allowed are finished, running"),
    ("/matches?purpose=fun", 400, "There is no purpose “fun”; allowed are ladder"),
    ("/matches?game=chess", 404, "There is no such game."),
    ("/matches?bot=x", 404, "There is no such bot."),
    ("/matches?bot=00000000-0000-0000-0000-000000000000", 404, "There is no such bot."),
    ("/matches?before=x", 404, "There is no such match."),
    ("/matches?state=%FF", 422, "The field “state” is not UTF-8 text."),
    ("/matches?state=%00", 422, "The field “state” holds a NUL character"),
    ("/matches?state=void&state=void", 422, "The field “state” comes more than once"),
    ("/signup?next=%FF", 422, "The field “next” is not UTF-8 text."),
    ("/login?next=%00", 422, "The field “next” holds a NUL character"),
    ("/upload?bot=%FF", 422, "The field “bot” is not UTF-8 text."),
    ("/games/jockey/editor?from=x", 404, "There is no such set-up."),
    ("/games/jockey/editor?from=x/y", 404, "There is no such pool."),
    ("/games/labyrinth/editor", 404, "There is no editor for the set-ups of Labyrinth."),
    ("/games/jockey/editor/draw?width=4", 422, "Width: found 4, allowed is a whole number from 5"),
    ("/games/jockey/editor/draw?colour=4", 422, "Field: found `colour`, allowed: seed, width"),
    (
        "/games/jockey/setups/courses/official-00/file?format=pdf",
        400,
        "There is no format “pdf”; allowed are official, own.",
    ),
    ("/matches/new?game=jockey&setup=x", 404, "There is no such set-up."),
    ("/matches/new?game=jockey&setup=courses/x", 404, "There is no such set-up."),
    ("/matches/new?game=chess", 404, "There is no such game."),
    ("/matches/new?seat-0=%FF", 422, "The field “seat-0” is not UTF-8 text."),
];

//! Pages, sessions, live streams, and what workers ask.
//!
//! It faces the internet and holds the database, and so can start no program:
//! what runs bots are workers, which it knows only by what they say. It knows
//! no SQL, no jail and no rules of any game.

#![forbid(unsafe_code)]

mod api;
pub mod auth;
mod config;
mod error;
mod live;
mod machine;
pub mod pages;
mod routes;
mod shipped;
mod state;
mod views;

use std::{
    future::Future,
    io::{self, Write},
    net::SocketAddr,
    time::Duration,
};

use axum::{
    Router,
    extract::Request,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::IntoResponse,
};
use tokio_util::sync::CancellationToken;
use tower::ServiceBuilder;
use tower_http::{
    catch_panic::CatchPanicLayer,
    compression::CompressionLayer,
    request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer},
    set_header::SetResponseHeaderLayer,
    timeout::TimeoutLayer,
    trace::TraceLayer,
};

pub use crate::{
    config::{Config, ConfigError},
    error::{Error, FieldError, Problem},
    machine::{
        FitStrengthsError, RatingDifference, RecomputeError, check_ratings, fit_strengths,
        new_token, recompute_ratings, token_digest,
    },
    routes::Route,
    state::{AppState, Games, Parts},
};

/// Requests under way get so long to end once we stop.
const FAREWELL: Duration = Duration::from_secs(10);
/// Name of the worker whose token `server.local_worker_token_digest` is of.
const LOCAL_WORKER: &str = "local";
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Why a server does not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// A value of the configuration makes no sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The database is not as it should be.
    #[error("the database is not usable")]
    Store(#[from] store::Error),
    /// Blobs cannot be kept.
    #[error("blobs cannot be kept in `server.data_dir`")]
    Blobs(#[from] store::BlobError),
    /// The worker beside us cannot be admitted.
    #[error("the local worker cannot be admitted")]
    Worker(#[from] store::WorkerError),
    /// A game's ladder is not described as it should be.
    #[error("a ladder is not described as it should be")]
    Ladder(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The pages lack something.
    #[error("the pages cannot be shown")]
    Site(#[from] pages::SiteError),
    /// The listening socket failed.
    #[error("the listening socket failed")]
    Socket(#[from] std::io::Error),
}

impl From<machine::LadderError> for ServeError {
    fn from(why: machine::LadderError) -> ServeError {
        ServeError::Ladder(why.into())
    }
}

/// Serves until `shutdown` comes; then lets requests under way come to their end.
///
/// # Errors
///
/// Where the database, the blobs, the ladders or the socket are not as they should be.
pub async fn serve(
    config: Config,
    listener: std::net::TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    config.check()?;
    let stopping = CancellationToken::new();
    let state = AppState::open(config, Games(games::GAMES), stopping.clone()).await?;
    if let Some(digest) = state.config.server.worker_digest()
        && state.store.worker_by_token(&digest).await?.is_none()
    {
        state.store.admit_worker(LOCAL_WORKER, &digest).await?;
    }
    machine::start_chores(&state, &stopping);
    invite_first_admin(&state).await?;

    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    tracing::info!(listen = %listener.local_addr()?, "serving");
    let store = state.store.clone();
    let app = router(state).into_make_service_with_connect_info::<SocketAddr>();
    let asked = {
        let stopping = stopping.clone();
        async move {
            shutdown.await;
            tracing::info!("stopping");
            stopping.cancel();
        }
    };
    let serving = axum::serve(listener, app).with_graceful_shutdown(asked).into_future();
    tokio::select! {
        served = serving => served?,
        () = async { stopping.cancelled().await; tokio::time::sleep(FAREWELL).await } => {
            tracing::warn!("some requests did not end in time");
        }
    }
    store.close().await;
    Ok(())
}

/// Prints the link by which the first admin comes in, for as long as nobody has used one.
async fn invite_first_admin(state: &AppState) -> Result<(), store::Error> {
    match auth::first_admin(&state.store).await {
        Ok(Some(token)) => {
            let url = &state.config.server.public_url;
            let link =
                format!("No admin can sign in yet. Open this link once: {url}/setup/{token}\n");
            // It can be had again by `agon admin link`; that nobody listens ends no server.
            if let Err(error) = io::stdout().write_all(link.as_bytes()) {
                tracing::warn!(%error, "the first admin's link could not be printed");
            }
            Ok(())
        }
        Ok(None) => Ok(()),
        Err(store::AccountError::NameTaken) => {
            let name = auth::FIRST_ADMIN_NAME;
            tracing::warn!("there is no admin, and somebody else is called {name}");
            Ok(())
        }
        Err(store::AccountError::Store(why)) => Err(why),
    }
}

/// Everything there is to ask, as a list.
pub fn routes(state: &AppState) -> Vec<Route> {
    let parts = [machine::routes(), pages::routes(state), machine::slow_routes()];
    parts.into_iter().flat_map(routes::Routes::into_list).collect()
}

/// Everything there is to ask, and what every answer has in common.
pub fn router(state: AppState) -> Router {
    let request = Duration::from_secs(state.config.limits.request_s);
    let quick = Router::new()
        .merge(machine::routes().into_router())
        .merge(pages::router(&state))
        .merge(api::router(&state))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, request));
    let around = ServiceBuilder::new()
        .layer(SetRequestIdLayer::new(REQUEST_ID, MakeRequestUuid))
        .layer(TraceLayer::new_for_http().make_span_with(span))
        .layer(PropagateRequestIdLayer::new(REQUEST_ID))
        .layer(always(
            header::CONTENT_SECURITY_POLICY,
            "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'; \
             object-src 'none'; img-src 'self' data:",
        ))
        .layer(always(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(always(header::REFERRER_POLICY, "same-origin"))
        .layer(always(
            HeaderName::from_static("permissions-policy"),
            "camera=(), geolocation=(), microphone=(), payment=()",
        ))
        .layer(always(HeaderName::from_static("cross-origin-opener-policy"), "same-origin"))
        .option_layer(
            state
                .config
                .server
                .is_https()
                .then(|| always(header::STRICT_TRANSPORT_SECURITY, "max-age=31536000")),
        )
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(|_| Error::internal("a handler panicked").into_response()));
    quick.merge(machine::slow_routes().into_router()).layer(around).with_state(state)
}

fn always(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}

fn span(request: &Request) -> tracing::Span {
    let id = request.headers().get(REQUEST_ID).and_then(|it| it.to_str().ok()).unwrap_or_default();
    // The path alone: what follows it may be a signature.
    tracing::info_span!("request", method = %request.method(), path = request.uri().path(), id)
}

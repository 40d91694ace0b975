//! What all pages share: settings, limits, the catalogue, and who is looking.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
};

use axum::{
    extract::{ConnectInfo, FromRef, FromRequestParts, OptionalFromRequestParts},
    http::{HeaderMap, request::Parts},
};
use store::Account;
use tokio::sync::Semaphore;

use super::{
    Assets, AssetsError, Catalogue, CatalogueError, Refusal, archives::Archives,
    replay::ReplayCache,
};
use crate::{
    AppState, Config, Games,
    auth::{CookieRules, Limits, PasswordError, Passwords, SignedIn},
    live::{LiveMatches, Streams},
    views::{Frame, News},
};

/// What all pages share.
pub struct Site {
    pub(crate) cookies: CookieRules,
    pub(crate) passwords: Passwords,
    pub(crate) limits: Limits,
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) assets: Arc<Assets>,
    pub(crate) live: LiveMatches,
    pub(crate) streams: Streams,
    pub(crate) replays: ReplayCache,
    /// Replays and charts computed at once.
    pub(crate) replaying: Arc<Semaphore>,
    /// Set-ups read, judged and drawn at once.
    pub(crate) judging: Arc<Semaphore>,
    pub(crate) archives: Archives,
    trusted_proxies: Vec<IpAddr>,
}

/// Why there is no site to show.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// Games or languages cannot be shown.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// Scripts and styles are missing.
    #[error(transparent)]
    Assets(#[from] AssetsError),
    /// Passwords cannot be kept.
    #[error(transparent)]
    Passwords(#[from] PasswordError),
}

impl Site {
    /// Reads all that pages need.
    ///
    /// # Errors
    ///
    /// Where a part of it is missing or wrong.
    pub(crate) fn load(config: &Config, games: Games) -> Result<Site, SiteError> {
        Ok(Site {
            cookies: CookieRules { secure: config.server.is_https() },
            passwords: Passwords::new()?,
            limits: Limits::default(),
            catalogue: Arc::new(Catalogue::load(&config.config_dir, games)?),
            assets: Arc::new(Assets::load()?),
            live: LiveMatches::default(),
            streams: Streams::default(),
            replays: ReplayCache::default(),
            replaying: Arc::new(Semaphore::new(2)),
            judging: Arc::new(Semaphore::new(2)),
            archives: Archives::new(config),
            trusted_proxies: config.server.trusted_proxies.clone(),
        })
    }

    /// Where a request comes from, as far as proxies are believed.
    pub(crate) fn address_of(&self, headers: &HeaderMap, peer: Option<SocketAddr>) -> IpAddr {
        address_of(&self.trusted_proxies, headers, peer)
    }
}

fn address_of(proxies: &[IpAddr], headers: &HeaderMap, peer: Option<SocketAddr>) -> IpAddr {
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |it| it.ip().to_canonical());
    if !proxies.contains(&peer) {
        return peer;
    }
    let forwarded: Vec<&str> = headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|it| it.to_str().ok())
        .flat_map(|it| it.split(','))
        .collect();
    let mut last = peer;
    for hop in forwarded.iter().rev() {
        let Ok(address) = hop.trim().parse::<IpAddr>() else { break };
        last = address.to_canonical();
        if !proxies.contains(&last) {
            break;
        }
    }
    last
}

/// What every page handler needs: who is looking, at what, from where.
pub(crate) struct Page {
    pub(crate) who: Option<SignedIn>,
    pub(crate) address: IpAddr,
    pub(crate) frame: Frame,
}

impl Page {
    pub(crate) fn account(&self) -> Option<&Account> {
        self.who.as_ref().map(|it| &it.account)
    }

    /// Whether the visitor is `account`, or runs the server.
    pub(crate) fn may_see_all_of(&self, account: uuid::Uuid) -> bool {
        self.account().is_some_and(|it| it.id == account || it.role == store::Role::Admin)
    }
}

impl<S> FromRequestParts<S> for Page
where
    AppState: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Page, Refusal> {
        let state = AppState::from_ref(state);
        let site = &state.site;
        let who =
            <SignedIn as OptionalFromRequestParts<AppState>>::from_request_parts(parts, &state)
                .await?;
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|it| it.0);
        let calls = match &who {
            Some(who) => state.store.calls_for(who.account.id).await?,
            None => 0,
        };
        let frame = Frame {
            calls,
            who: who.as_ref().map(|it| it.account.clone()),
            path: parts.uri.path().to_owned(),
            news: News::of_query(parts.uri.query()),
            assets: Arc::clone(&site.assets),
            catalogue: Arc::clone(&site.catalogue),
        };
        Ok(Page { who, address: site.address_of(&parts.headers, peer), frame })
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn forwarded_addresses_are_believed_of_trusted_proxies_only() {
        let table = [
            ("198.51.100.1", &["203.0.113.9"][..], "198.51.100.1"),
            ("10.0.0.1", &["203.0.113.9"][..], "203.0.113.9"),
            ("10.0.0.1", &["1.2.3.4, 203.0.113.9"][..], "203.0.113.9"),
            ("10.0.0.1", &["1.2.3.4", "203.0.113.9, 10.0.0.2"][..], "203.0.113.9"),
            ("10.0.0.1", &["nonsense"][..], "10.0.0.1"),
            ("10.0.0.1", &[][..], "10.0.0.1"),
            ("::ffff:10.0.0.1", &["203.0.113.9"][..], "203.0.113.9"),
        ];
        for (peer, forwarded, expected) in table {
            let proxies = ["10.0.0.1", "10.0.0.2"].map(|it| it.parse().unwrap());
            let mut headers = HeaderMap::new();
            for it in forwarded {
                headers.append("x-forwarded-for", HeaderValue::from_static(it));
            }
            let peer = SocketAddr::new(peer.parse().unwrap(), 1);
            let found = address_of(&proxies, &headers, Some(peer));
            assert_eq!(found, expected.parse::<IpAddr>().unwrap(), "{peer} {forwarded:?}");
        }
    }
}

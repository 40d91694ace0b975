//! A program that asks: it shows a token, or none, and says what it sends.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicU32, Ordering},
};

use axum::{
    body::Body,
    extract::ConnectInfo,
    http::{Request, header},
};
use chrono::{TimeDelta, Utc};
use serde_json::Value;
use store::{NewApiToken, Role, Scope};
use uuid::Uuid;

use crate::kit::{Answer, Site};

/// What stands before every path.
pub(crate) const ROOT: &str = "/api/v1";

/// A program with a token, or with none.
pub(crate) struct Program<'a> {
    site: &'a Site,
    pub(crate) token: Option<String>,
    peer: SocketAddr,
}

/// What it sends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sends {
    pub(crate) kind: &'static str,
    pub(crate) body: Vec<u8>,
    pub(crate) headers: Vec<(&'static str, String)>,
}

impl Sends {
    pub(crate) fn json(value: &Value) -> Sends {
        let body = value.to_string().into();
        Sends { kind: "application/json", body, headers: Vec::new() }
    }

    pub(crate) fn bytes(bytes: &[u8]) -> Sends {
        let kind = "application/octet-stream";
        Sends { kind, body: bytes.to_vec(), headers: Vec::new() }
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Sends {
        self.headers.push((name, value.into()));
        self
    }
}

impl<'a> Program<'a> {
    /// One without a token, at an address of its own.
    pub(crate) fn bare(site: &'a Site) -> Program<'a> {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let [_, a, b, c] = NEXT.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        Program { site, token: None, peer: SocketAddr::from(([172, a, b, c], 4000)) }
    }

    /// One that acts for this account.
    pub(crate) async fn of(site: &'a Site, account: Uuid, scopes: &[Scope]) -> Program<'a> {
        Program::until(site, account, scopes, TimeDelta::days(1)).await
    }

    /// The same program with this token.
    pub(crate) fn showing(self, token: impl Into<String>) -> Program<'a> {
        Program { token: Some(token.into()), ..self }
    }

    /// One whose token is good for so long.
    pub(crate) async fn until(
        site: &'a Site,
        account: Uuid,
        scopes: &[Scope],
        life: TimeDelta,
    ) -> Program<'a> {
        let token = format!("agon_{}", Uuid::new_v4().simple());
        let digest = server::token_digest(&token);
        let expires_at = Utc::now() + life;
        let new = NewApiToken { account, name: "test", digest, scopes, expires_at };
        site.state.store.create_api_token(&new).await.unwrap();
        Program { token: Some(token), ..Program::bare(site) }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, Sends::default()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, Sends::json(body)).await
    }

    /// Asks for a path below the root.
    pub(crate) async fn ask(&self, method: &str, path: &str, sends: Sends) -> Answer {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("{ROOT}{path}"))
            .header(header::HOST, "agon.test")
            .extension(ConnectInfo(self.peer));
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        if !sends.kind.is_empty() {
            request = request.header(header::CONTENT_TYPE, sends.kind);
        }
        for (name, value) in &sends.headers {
            request = request.header(*name, value);
        }
        self.site.send(request.body(Body::from(sends.body)).unwrap()).await
    }
}

/// The account of somebody who has just signed up, in this role.
pub(crate) async fn account(site: &Site, name: &str, role: Role) -> Uuid {
    site.signed_up(name).await;
    let store = &site.state.store;
    let account = server::auth::find_account(store, name).await.unwrap().unwrap();
    store.set_role(account, role).await.unwrap();
    account
}

/// What an answer says, as JSON.
pub(crate) fn json(answer: &Answer) -> Value {
    serde_json::from_slice(&answer.body).unwrap_or_else(|why| panic!("{why}: {}", answer.text()))
}

/// It says no, with this status and these words, as a problem.
pub(crate) fn refused(answer: &Answer, status: u16, words: &str) {
    let kind = answer.header(header::CONTENT_TYPE);
    assert_eq!(kind, "application/problem+json", "{}", answer.text());
    let problem = json(answer);
    assert_eq!(problem["status"], answer.status.as_u16());
    assert!(problem["title"].as_str().is_some_and(|it| !it.is_empty()), "{problem}");
    let detail = problem["detail"].as_str().unwrap();
    assert_eq!(answer.status.as_u16(), status, "{detail}");
    assert!(detail.contains(words), "{words:?} is not in {detail:?}");
}

//! The server as a worker sees it: one function for each thing that is said.

use std::{
    fs::File,
    io::{self, Seek, Write},
    time::{Duration, SystemTime},
};

use jobs::{
    Deeds, DeedsRequest, Frames, Hello, Input, LeaseAnswer, LeaseRequest, Renewed, Report, Upload,
    Uploaded, Welcome,
};
use reqwest::{
    Body, Client, ClientBuilder, Method, RequestBuilder, Response, StatusCode, Url, header,
};
use serde::{Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};
use thiserror::Error;
use uuid::Uuid;

use crate::config::Config;

const CONNECT_WAIT: Duration = Duration::from_secs(10);
/// An answer that has no reason to take long.
const ANSWER_WAIT: Duration = Duration::from_secs(30);
/// What a lease request may take longer than the wait it asks for.
const LEASE_SLACK: Duration = Duration::from_secs(15);
/// Moving an artefact over a slow line.
const BLOB_WAIT: Duration = Duration::from_secs(300);
/// Most of an answer that says what is wrong.
const WHY_CHARS_MAX: usize = 500;
/// Largest answer that is read as JSON.
const ANSWER_BYTES_MAX: usize = 16 << 20;

/// One server, over as many connections as it takes.
#[derive(Clone)]
pub(crate) struct Server {
    http: Client,
    url: Url,
    token: header::HeaderValue,
}

/// Why the server could not be talked to.
#[derive(Debug, Error)]
pub enum ServerError {
    /// It could not be reached, or broke off.
    #[error("{what}: {why}")]
    Away {
        /// What was said to it.
        what: &'static str,
        /// What happened, with causes.
        why: String,
    },
    /// It answered that it will not.
    #[error("{what}: {status}: {why}")]
    Refused {
        /// What was said to it.
        what: &'static str,
        /// Its answer.
        status: StatusCode,
        /// Its words.
        why: String,
    },
    /// What it sent is not what it promised.
    #[error("{what}: {why}")]
    Broken {
        /// What was asked for.
        what: &'static str,
        /// What is wrong.
        why: String,
    },
}

impl ServerError {
    /// It does not know our token, or has dismissed us.
    pub(crate) fn turns_away(&self) -> bool {
        self.status().is_some_and(|it| matches!(it.as_u16(), 401 | 403))
    }

    /// The lease is lost.
    pub(crate) fn is_lost(&self) -> bool {
        self.status() == Some(StatusCode::GONE)
    }

    /// It was reached, and said no.
    pub(crate) fn is_answer(&self) -> bool {
        self.status().is_some()
    }

    /// Saying the same again would be refused again.
    pub(crate) fn is_our_fault(&self) -> bool {
        let passing = |it: StatusCode| matches!(it.as_u16(), 408 | 425 | 429);
        self.status().is_some_and(|it| it.is_client_error() && !passing(it))
    }

    fn status(&self) -> Option<StatusCode> {
        match self {
            ServerError::Refused { status, .. } => Some(*status),
            ServerError::Away { .. } | ServerError::Broken { .. } => None,
        }
    }
}

/// For servers whose addresses begin with this scheme. Where nothing is encrypted nobody needs the
/// certificates of authorities, and a machine may have none: Debian's smallest has not.
pub fn http_client(scheme: &str) -> ClientBuilder {
    // Whoever else is in this process may have chosen already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    match scheme {
        "http" => Client::builder().tls_certs_only([]),
        _ => Client::builder(),
    }
}

impl Server {
    pub(crate) fn new(config: &Config) -> Result<Server, reqwest::Error> {
        let http = http_client(config.server_url.scheme())
            .connect_timeout(CONNECT_WAIT)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("agon-worker/", env!("CARGO_PKG_VERSION")))
            .build()?;
        let bearer = format!("Bearer {}", config.token.reveal());
        let mut token = header::HeaderValue::from_str(&bearer)
            .expect("a token has been checked to be plain characters");
        token.set_sensitive(true);
        Ok(Server { http, url: config.server_url.clone(), token })
    }

    pub(crate) async fn hello(&self, hello: &Hello) -> Result<Welcome, ServerError> {
        json("saying hello", self.post("worker/v1/hello", hello).timeout(ANSWER_WAIT)).await
    }

    pub(crate) async fn lease(&self, request: &LeaseRequest) -> Result<LeaseAnswer, ServerError> {
        let wait = Duration::from_secs(request.wait_s) + LEASE_SLACK;
        json("asking for jobs", self.post("worker/v1/lease", request).timeout(wait)).await
    }

    pub(crate) async fn renew(&self, lease: Uuid) -> Result<Renewed, ServerError> {
        let path = format!("worker/v1/leases/{lease}/renew");
        json("renewing a lease", self.request(Method::POST, &path).timeout(ANSWER_WAIT)).await
    }

    pub(crate) async fn plies(&self, lease: Uuid, frames: &Frames) -> Result<(), ServerError> {
        let path = format!("worker/v1/leases/{lease}/plies");
        send("sending plies", self.post(&path, frames).timeout(ANSWER_WAIT)).await.map(drop)
    }

    pub(crate) async fn deeds(
        &self,
        lease: Uuid,
        request: &DeedsRequest,
    ) -> Result<Deeds, ServerError> {
        let path = format!("worker/v1/leases/{lease}/deeds");
        let wait = Duration::from_secs(request.wait_s) + LEASE_SLACK;
        json("asking what people have decided", self.post(&path, request).timeout(wait)).await
    }

    /// `report` is a [`Report`] as JSON: the same bytes each time it is sent.
    pub(crate) async fn report(&self, lease: Uuid, report: &[u8]) -> Result<(), ServerError> {
        let path = format!("worker/v1/leases/{lease}/report");
        let request = self
            .request(Method::POST, &path)
            .header(header::CONTENT_TYPE, "application/json")
            .body(report.to_vec());
        send("reporting", request.timeout(ANSWER_WAIT)).await.map(drop)
    }

    /// Writes what `input` names into `to`, and no more than `bytes_max` of it.
    pub(crate) async fn fetch(
        &self,
        input: &Input,
        bytes_max: u64,
        mut to: impl Write,
    ) -> Result<(), ServerError> {
        let what = "fetching what a job needs";
        let broken = |why| ServerError::Broken { what, why };
        if input.bytes > bytes_max {
            let found = input.bytes;
            return Err(broken(format!("it has {found} bytes, allowed are {bytes_max}")));
        }
        let url = self.below(what, &input.url)?;
        let mut response = send(what, self.http.get(url).timeout(BLOB_WAIT)).await?;
        let (mut digest, mut bytes) = (Sha256::new(), 0_u64);
        while let Some(part) = response.chunk().await.map_err(|error| away(what, &error))? {
            bytes += part.len() as u64;
            if bytes > input.bytes {
                return Err(broken(format!(
                    "it has more than the {} bytes it should",
                    input.bytes
                )));
            }
            digest.update(&part);
            to.write_all(&part).map_err(|error| broken(format!("storing it: {error}")))?;
        }
        let digest = hex::encode(digest.finalize());
        if bytes != input.bytes || digest != input.digest {
            let wanted = format!("{} bytes with digest {}", input.bytes, input.digest);
            return Err(broken(format!("found {bytes} bytes with digest {digest}, not {wanted}")));
        }
        Ok(())
    }

    /// Puts a file where the server wants it.
    pub(crate) async fn put(
        &self,
        upload: &Upload,
        file: &File,
        uploaded: &Uploaded,
    ) -> Result<(), ServerError> {
        let what = "uploading what a job made";
        let (found, allowed) = (uploaded.bytes, upload.bytes_max);
        if found > allowed {
            let why = format!("it has {found} bytes, allowed are {allowed}");
            return Err(ServerError::Broken { what, why });
        }
        let again = || {
            let mut file = file.try_clone()?;
            file.rewind()?;
            Ok(tokio::fs::File::from_std(file))
        };
        let file = again().map_err(|error: io::Error| away(what, &error))?;
        let request = self
            .http
            .put(self.below(what, &upload.url)?)
            .header(header::CONTENT_TYPE, "application/octet-stream")
            .header(header::CONTENT_LENGTH, found)
            .body(Body::from(file))
            .timeout(BLOB_WAIT);
        send(what, request).await.map(drop)
    }

    fn post(&self, path: &str, body: &impl Serialize) -> RequestBuilder {
        self.request(Method::POST, path).json(body)
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let mut url = self.url.clone();
        url.set_path(&format!("{}/{path}", self.url.path().trim_end_matches('/')));
        self.http.request(method, url).header(header::AUTHORIZATION, self.token.clone())
    }

    /// An address in full: a path is meant below the server's own. Nobody is
    /// shown our token there; such addresses are signed.
    fn below(&self, what: &'static str, url: &str) -> Result<Url, ServerError> {
        let broken = || ServerError::Broken { what, why: format!("{url:?} is no address") };
        let url = self.url.join(url).map_err(|_| broken())?;
        if matches!(url.scheme(), "http" | "https") { Ok(url) } else { Err(broken()) }
    }
}

/// Waits between attempts, longer each time, and never the same for all workers.
#[derive(Default)]
pub(crate) struct Backoff {
    n_attempts: u32,
}

impl Backoff {
    const FIRST: Duration = Duration::from_millis(200);
    const LONGEST: Duration = Duration::from_secs(5);

    pub(crate) fn next(&mut self) -> Duration {
        let wait = (Backoff::FIRST * 2_u32.pow(self.n_attempts.min(10))).min(Backoff::LONGEST);
        self.n_attempts += 1;
        let chance = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        wait / 2 + wait * (chance.subsec_nanos() % 1000) / 2000
    }
}

/// A report as it is sent.
pub(crate) fn report_bytes(report: &Report) -> Vec<u8> {
    serde_json::to_vec(report).expect("a report is plain data")
}

async fn json<T: DeserializeOwned>(
    what: &'static str,
    request: RequestBuilder,
) -> Result<T, ServerError> {
    let mut response = send(what, request).await?;
    let mut body = Vec::new();
    while let Some(part) = response.chunk().await.map_err(|error| away(what, &error))? {
        if body.len() + part.len() > ANSWER_BYTES_MAX {
            let why = format!("the answer has more than {ANSWER_BYTES_MAX} bytes");
            return Err(ServerError::Broken { what, why });
        }
        body.extend_from_slice(&part);
    }
    serde_json::from_slice(&body)
        .map_err(|error| ServerError::Broken { what, why: format!("its answer: {error}") })
}

async fn send(what: &'static str, request: RequestBuilder) -> Result<Response, ServerError> {
    let mut response = request.send().await.map_err(|error| away(what, &error))?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let mut why = Vec::new();
    while let Ok(Some(part)) = response.chunk().await {
        why.extend_from_slice(&part);
        if why.len() > 4 * WHY_CHARS_MAX {
            break;
        }
    }
    let why = String::from_utf8_lossy(&why).chars().take(WHY_CHARS_MAX).collect();
    Err(ServerError::Refused { what, status, why })
}

fn away(what: &'static str, error: &dyn std::error::Error) -> ServerError {
    ServerError::Away { what, why: runner::causes(error) }
}

#[cfg(test)]
mod tests {
    use super::Backoff;

    #[test]
    fn waits_grow_up_to_the_longest() {
        let mut backoff = Backoff::default();
        for n in 0..40 {
            let most = (Backoff::FIRST * 2_u32.pow(n.min(10))).min(Backoff::LONGEST);
            let wait = backoff.next();
            assert!(most / 2 <= wait && wait <= most, "{n}: {wait:?}");
        }
    }
}

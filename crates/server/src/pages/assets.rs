//! Scripts, styles and viewers, built by `web/build.mjs` and carried by the program.
//!
//! Their names hold a hash of their content, so a browser keeps each for ever.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use rust_embed::RustEmbed;
use serde::Deserialize;

use super::{Path, Refusal};
use crate::AppState;

const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const MARK: &[u8] = include_bytes!("../../../../web/static/mark.svg");

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Dist;

/// All assets, ready to be sent.
#[derive(Debug)]
pub(crate) struct Assets {
    files: BTreeMap<String, Asset>,
    manifest: BTreeMap<String, Bundle>,
}

#[derive(Debug)]
struct Asset {
    plain: Bytes,
    gzip: Option<Bytes>,
    content_type: &'static str,
}

#[derive(Debug, Deserialize)]
struct Bundle {
    file: String,
    needs: Vec<String>,
}

/// Why there are no assets.
#[derive(Debug, thiserror::Error)]
pub enum AssetsError {
    /// The program was built without them.
    #[error(
        "the program was built without web/dist/{0}: run `npm ci` and `node build.mjs` in web/, then build it again"
    )]
    Missing(String),
    /// The manifest is none.
    #[error("web/dist/manifest.json cannot be read")]
    Manifest(#[from] serde_json::Error),
    /// There is no memory to compress into.
    #[error("cannot compress an asset")]
    Compress(#[from] io::Error),
}

impl Assets {
    /// Unpacks them, and compresses what is worth it.
    ///
    /// # Errors
    ///
    /// Where the program was built without them.
    pub(crate) fn load() -> Result<Assets, AssetsError> {
        let missing = |name: &str| AssetsError::Missing(name.to_owned());
        let manifest = Dist::get("manifest.json").ok_or_else(|| missing("manifest.json"))?;
        let manifest: BTreeMap<String, Bundle> = serde_json::from_slice(&manifest.data)?;
        let mut files = BTreeMap::new();
        for name in Dist::iter().filter(|it| it != "manifest.json") {
            let file = Dist::get(&name).ok_or_else(|| missing(&name))?;
            files.insert(name.to_string(), Asset::new(&name, file.data.into_owned().into())?);
        }
        files.insert("mark.svg".to_owned(), Asset::new("mark.svg", Bytes::from_static(MARK))?);
        for needed in ["main.css", "page.js", "viewer.js", "licences.txt"] {
            let bundle = manifest.get(needed).ok_or_else(|| missing(needed))?;
            if !files.contains_key(&bundle.file) {
                return Err(missing(&bundle.file));
            }
        }
        Ok(Assets { files, manifest })
    }

    /// Whether there is a script or style of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.manifest.contains_key(name)
    }

    /// Address of what `name` was built into.
    pub(crate) fn url(&self, name: &str) -> String {
        let file = self.manifest.get(name).map_or(name, |it| &it.file);
        format!("/assets/{file}")
    }

    /// Addresses of what a browser may fetch at once, because `name` cannot start without.
    pub(crate) fn needs(&self, name: &str) -> Vec<String> {
        let needs = self.manifest.get(name).map_or(&[][..], |it| &it.needs);
        needs.iter().map(|it| format!("/assets/{it}")).collect()
    }
}

impl Asset {
    fn new(name: &str, plain: Bytes) -> io::Result<Asset> {
        let content_type = match name.rsplit('.').next() {
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("txt") => "text/plain; charset=utf-8",
            Some("json") => "application/json",
            Some("png") => "image/png",
            Some("woff2") => "font/woff2",
            _ => "application/octet-stream",
        };
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(&plain)?;
        let gzip = gzip.finish()?;
        let gzip = (gzip.len() < plain.len()).then(|| gzip.into());
        Ok(Asset { plain, gzip, content_type })
    }
}

/// `GET /assets/{file}`
pub(super) async fn send_asset(
    State(state): State<AppState>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let asset = state.site.assets.files.get(&file);
    let asset = asset.ok_or_else(|| Refusal::unknown("file"))?;
    let content_type = HeaderValue::from_static(asset.content_type);
    let common = [(header::CONTENT_TYPE, content_type), (header::CACHE_CONTROL, FOR_EVER)];
    Ok(match &asset.gzip {
        Some(gzip) if accepts_gzip(&headers) => {
            let encoding = [(header::CONTENT_ENCODING, "gzip"), (header::VARY, "accept-encoding")];
            (StatusCode::OK, common, encoding, gzip.clone()).into_response()
        }
        _ => (StatusCode::OK, common, asset.plain.clone()).into_response(),
    })
}

/// Whether the other side unpacks gzip.
pub(super) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|it| it.to_str().ok());
    accepted.is_some_and(|it| {
        it.split(',').any(|it| {
            let mut parts = it.split(';').map(str::trim);
            parts.next() == Some("gzip") && parts.all(|it| it.replace(' ', "") != "q=0")
        })
    })
}

//! Lists: a page of one at a time, as JSON, CSV or JSON lines. A page says where the next begins
//! by a cursor, which is for whoever made it alone to read, and is checked when it comes back.

use std::{borrow::Cow, fmt::Display, str::FromStr};

use axum::{
    Json,
    extract::{FromRequestParts, OriginalUri},
    http::{HeaderMap, HeaderValue, header, request::Parts},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::input::{decoded, pairs};
use crate::{AppState, pages::Refusal};

/// Rows of a page, where nothing is said.
const LIMIT_DEFAULT: u16 = 50;
/// Most rows of a page.
pub(super) const LIMIT_MAX: u16 = 500;
/// Parameters of every list.
const COMMON: [&str; 3] = ["cursor", "limit", "format"];

/// Which page of a list, and in which form.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct PageParams {
    /// Where the page begins: `next` of the page before. None: at the beginning.
    #[param(max_length = 400)]
    cursor: Option<String>,
    /// Most rows of the page; 50 where nothing is said.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u16>,
    /// In which form; else what `Accept` asks for, and JSON where it does not.
    #[param(inline)]
    format: Option<Format>,
}

/// The form of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Format {
    /// One object with `items` and `next`.
    Json,
    /// A table with a line of names; what lies within others has names with dots.
    Csv,
    /// An object on each line.
    Jsonl,
}

/// A page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Page<T> {
    /// Its rows.
    pub(super) items: Vec<T>,
    /// What to give as `cursor` for the page after it; none at the end.
    #[schema(required)]
    pub(super) next: Option<String>,
}

/// What a list is asked for: filters of its own, and which page.
pub(super) struct Listed<F> {
    pub(super) filter: F,
    cursor: Option<String>,
    pub(super) limit: u16,
    format: Format,
    path: String,
    /// The query without a cursor.
    query: Vec<(String, String)>,
}

impl<F: DeserializeOwned> FromRequestParts<AppState> for Listed<F> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Listed<F>, Refusal> {
        let all = pairs(parts.uri.query().unwrap_or_default())?;
        let (common, own): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(name, _)| COMMON.contains(&name.as_str()));
        let filter = decoded(&own)?;
        let page: PageParams = decoded(&common)?;
        let limit = page.limit.unwrap_or(LIMIT_DEFAULT);
        if !(1..=LIMIT_MAX).contains(&limit) {
            return Err(Refusal::malformed(format!(
                "“limit” is {limit}; allowed are 1 to {LIMIT_MAX}."
            )));
        }
        // What this router sees is cut off at its root.
        let path = match parts.extensions.get::<OriginalUri>() {
            Some(it) => it.path().to_owned(),
            None => parts.uri.path().to_owned(),
        };
        let kept = common.into_iter().filter(|(name, _)| name != "cursor");
        Ok(Listed {
            filter,
            cursor: page.cursor,
            limit,
            format: page.format.unwrap_or_else(|| accepted(&parts.headers)),
            path,
            query: own.into_iter().chain(kept).collect(),
        })
    }
}

impl<F> Listed<F> {
    /// Where the page begins, in a list of this kind.
    pub(super) fn after<P: FromStr>(&self, kind: &str) -> Result<Option<P>, Refusal> {
        let Some(cursor) = &self.cursor else { return Ok(None) };
        let position = hex::decode(cursor).ok().and_then(|it| String::from_utf8(it).ok());
        let position = position.as_deref().and_then(|it| it.strip_prefix(kind)?.strip_prefix(':'));
        match position.and_then(|it| it.parse().ok()) {
            Some(position) => Ok(Some(position)),
            None => Err(Refusal::malformed(
                "“cursor” is none of this list; give what the page before has as “next”.",
            )),
        }
    }

    /// A page out of a list of which all is at hand.
    pub(super) fn part<T>(&self, kind: &str, all: Vec<T>) -> Result<Page<T>, Refusal> {
        let from: u32 = self.after(kind)?.unwrap_or(0);
        let to = from.saturating_add(self.limit.into());
        let more = all.len() as u64 > u64::from(to);
        let items = all.into_iter().skip(from as usize).take(self.limit.into());
        Ok(Page { items: items.collect(), next: more.then(|| cursor(kind, to)) })
    }

    /// The page as it was asked for.
    pub(super) fn respond<T: Serialize>(&self, page: &Page<T>) -> Result<Response, Refusal> {
        let rows = || page.items.iter().map(serde_json::to_value).collect::<Result<Vec<_>, _>>();
        let mut response = match self.format {
            Format::Json => Json(page).into_response(),
            Format::Csv => {
                let table = csv(&rows().map_err(Refusal::ours)?).map_err(Refusal::ours)?;
                ([(header::CONTENT_TYPE, "text/csv; charset=utf-8")], table).into_response()
            }
            Format::Jsonl => {
                let rows = rows().map_err(Refusal::ours)?;
                let lines: String = rows.iter().map(|it| format!("{it}\n")).collect();
                ([(header::CONTENT_TYPE, "application/x-ndjson")], lines).into_response()
            }
        };
        let headers = response.headers_mut();
        headers.insert(header::VARY, HeaderValue::from_static("accept"));
        if let Some(next) = &page.next {
            let mut query = self.query.clone();
            query.push(("cursor".to_owned(), next.clone()));
            let query = serde_urlencoded::to_string(&query).map_err(Refusal::ours)?;
            let link = format!("<{}?{query}>; rel=\"next\"", self.path);
            headers.insert(header::LINK, HeaderValue::from_str(&link).map_err(Refusal::ours)?);
        }
        Ok(response)
    }
}

/// Where a page begins, for whoever asks to send back.
pub(super) fn cursor(kind: &str, position: impl Display) -> String {
    hex::encode(format!("{kind}:{position}"))
}

/// The first of our forms that `Accept` names.
fn accepted(headers: &HeaderMap) -> Format {
    let accept = headers.get(header::ACCEPT).and_then(|it| it.to_str().ok()).unwrap_or_default();
    let named =
        accept.split(',').filter_map(|it| match it.split(';').next().unwrap_or_default().trim() {
            "application/json" => Some(Format::Json),
            "text/csv" => Some(Format::Csv),
            "application/x-ndjson" | "application/jsonl" => Some(Format::Jsonl),
            _ => None,
        });
    named.into_iter().next().unwrap_or(Format::Json)
}

/// A table of objects: a column for each value, however deep it lies.
fn csv(rows: &[Value]) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
    let mut columns: Vec<String> = Vec::new();
    let mut flat = Vec::new();
    for row in rows {
        let mut cells = Vec::new();
        flatten("", row, &mut cells);
        for (name, _) in &cells {
            if !columns.contains(name) {
                columns.push(name.clone());
            }
        }
        flat.push(cells);
    }
    let mut table = csv::Writer::from_writer(Vec::new());
    if !columns.is_empty() {
        table.write_record(&columns)?;
    }
    for cells in &flat {
        let of = |name: &String| cells.iter().find(|(it, _)| it == name).map(|(_, text)| &**text);
        table.write_record(columns.iter().map(|it| of(it).unwrap_or_default()))?;
    }
    Ok(table.into_inner().map_err(|why| why.into_error())?)
}

fn flatten<'a>(name: &str, value: &'a Value, cells: &mut Vec<(String, Cow<'a, str>)>) {
    let within = |part: &str| match name {
        "" => part.to_owned(),
        name => format!("{name}.{part}"),
    };
    match value {
        Value::Object(all) => all.iter().for_each(|(part, it)| flatten(&within(part), it, cells)),
        Value::Array(all) => {
            all.iter()
                .enumerate()
                .for_each(|(no, it)| flatten(&within(&no.to_string()), it, cells));
        }
        Value::Null => cells.push((name.to_owned(), "".into())),
        Value::String(text) => cells.push((name.to_owned(), text.into())),
        it @ (Value::Bool(_) | Value::Number(_)) => {
            cells.push((name.to_owned(), it.to_string().into()));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tables_have_a_column_for_each_value_however_deep() {
        let rows = [
            json!({ "id": 1, "seats": [{ "name": "A, \"B\"" }, { "name": null }] }),
            json!({ "id": 2, "seats": [{ "name": "C", "fault": true }] }),
        ];
        let table = String::from_utf8(csv(&rows).unwrap()).unwrap();
        let expected = "id,seats.0.name,seats.1.name,seats.0.fault\n\
                        1,\"A, \"\"B\"\"\",,\n\
                        2,C,,true\n";
        assert_eq!(table, expected);
        assert_eq!(csv(&[]).unwrap(), b"");
    }

    #[test]
    fn cursors_are_of_one_kind_of_list() {
        let listed = |cursor: &str| Listed {
            filter: (),
            cursor: Some(cursor.to_owned()),
            limit: 2,
            format: Format::Json,
            path: String::new(),
            query: Vec::new(),
        };
        let page = listed(&cursor("bots", 2)).part("bots", vec![1, 2, 3, 4, 5]).unwrap();
        assert_eq!((page.items, page.next), (vec![3, 4], Some(cursor("bots", 4))));
        let page = listed(&cursor("bots", 4)).part("bots", vec![1, 2, 3, 4, 5]).unwrap();
        assert_eq!((page.items, page.next), (vec![5], None));
        for wrong in [cursor("pools", 2), cursor("bots", "x"), "zz".into(), String::new()] {
            assert!(listed(&wrong).part("bots", vec![1]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn forms_are_asked_for_by_accept() {
        let table = [
            ("", Format::Json),
            ("*/*", Format::Json),
            ("text/csv", Format::Csv),
            ("text/html, text/csv;q=0.9", Format::Csv),
            ("application/x-ndjson", Format::Jsonl),
        ];
        for (accept, expected) in table {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
            assert_eq!(accepted(&headers), expected, "{accept}");
        }
    }
}

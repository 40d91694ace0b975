//! Bodies of requests: so many bytes at most, and of the form they should have.

use axum::{
    body::{Body, Bytes},
    extract::{Path, rejection::PathRejection},
};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use crate::error::Error;

/// All of a body.
pub(super) async fn read(body: Body, what: &'static str, allowed: u64) -> Result<Bytes, Error> {
    let limit = usize::try_from(allowed).unwrap_or(usize::MAX);
    match Limited::new(body, limit).collect().await {
        Ok(it) => Ok(it.to_bytes()),
        Err(why) if why.is::<LengthLimitError>() => Err(Error::TooLarge { what, allowed }),
        Err(why) => Err(Error::Malformed(format!("The connection broke off: {why}."))),
    }
}

/// JSON of a known form.
pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(bytes).map_err(malformed)
}

/// The same, with every NUL in its texts replaced: Postgres takes none.
pub(super) fn parse_clean<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    let mut value: Value = parse(bytes)?;
    clean(&mut value);
    serde_json::from_value(value).map_err(malformed)
}

/// The lease in a path.
pub(super) fn lease(path: Result<Path<Uuid>, PathRejection>) -> Result<Uuid, Error> {
    path.map(|it| it.0).map_err(|_| Error::NotFound("lease"))
}

fn malformed(why: serde_json::Error) -> Error {
    Error::Malformed(format!("This is not the JSON that belongs here: {why}."))
}

/// Replaces every NUL in its texts.
pub(super) fn clean(value: &mut Value) {
    match value {
        Value::String(text) if text.contains('\0') => *text = text.replace('\0', "\u{fffd}"),
        Value::Array(items) => items.iter_mut().for_each(clean),
        Value::Object(fields) => {
            fields.values_mut().for_each(clean);
            if fields.keys().any(|it| it.contains('\0')) {
                *fields = std::mem::take(fields)
                    .into_iter()
                    .map(|(key, it)| (key.replace('\0', "\u{fffd}"), it))
                    .collect();
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_nul_comes_through() {
        let dirty = br#"{"a\u0000":["\u0000b",{"c":"d\u0000"}],"e":"\\u0000"}"#;
        let clean: Value = parse_clean(dirty).unwrap();
        let expected = "{\"a\u{fffd}\":[\"\u{fffd}b\",{\"c\":\"d\u{fffd}\"}],\"e\":\"\\\\u0000\"}";
        assert_eq!(clean.to_string(), expected);
    }
}

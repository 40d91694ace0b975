//! Reading the upload form as it comes: fields into memory, sources into the
//! store of blobs, none of it beyond its limit.

use std::collections::BTreeMap;

use axum::{
    extract::{
        Multipart,
        multipart::{Field, MultipartError},
    },
    http::StatusCode,
};
use bytes::Bytes;
use sources::{Format, LOOK_BYTES_MAX};
use store::Incoming;
use uuid::Uuid;

use super::super::{FormErrors, Refusal};
use crate::{AppState, Config, views::bytes};

const FILE_NAME_CHARS_MAX: usize = 100;
const TEXT_FIELD_BYTES_MAX: usize = 4 << 10;
const FIELDS_MAX: usize = 30;

/// What was sent, read and not yet judged.
pub(crate) struct Sent {
    /// By whom.
    pub(crate) account: Uuid,
    /// Fields of text, by name.
    pub(crate) fields: BTreeMap<String, String>,
    /// Sources on their way in; there should be one.
    pub(crate) sources: Vec<Source>,
}

/// A source on its way in.
pub(crate) struct Source {
    /// What its sender calls it; may be empty.
    pub(crate) file_name: String,
    /// How it begins.
    pub(crate) head: Vec<u8>,
    /// All of it.
    pub(crate) incoming: Incoming,
    /// How many bytes have come.
    pub(crate) bytes: u64,
}

/// Reads all fields. What is too large is read on and thrown away, as far as
/// the limit of the whole request allows, so that the sender hears the answer.
pub(super) async fn read_form(
    state: &AppState,
    account: Uuid,
    mut form: Multipart,
) -> Result<(Sent, Option<FormErrors>), Refusal> {
    let allowed = upload_bytes_max(&state.config);
    let mut sent = Sent { account, fields: BTreeMap::new(), sources: Vec::new() };
    let mut too_large = None;
    let mut n_fields = 0;
    while let Some(field) = form.next_field().await.map_err(|it| broken(it, allowed))? {
        n_fields += 1;
        if n_fields > FIELDS_MAX {
            return Err(Refusal::malformed(format!(
                "The form has more than {FIELDS_MAX} fields, which is the most allowed."
            )));
        }
        let name = field.name().unwrap_or_default().to_owned();
        match name.as_str() {
            "file" | "source" => {
                let pasted = name == "source";
                let given = field.file_name().unwrap_or_default().to_owned();
                match read_source(state, field, pasted).await? {
                    Ok(source) if source.bytes == 0 && given.is_empty() => {}
                    Ok(source) => sent.sources.push(Source { file_name: given, ..source }),
                    Err(TooLarge { format, allowed }) => {
                        let mut errors = FormErrors::default();
                        let what = match format {
                            Format::File => "source",
                            Format::Zip | Format::TarGz => "archive",
                        };
                        let allowed = bytes(allowed);
                        errors.add(
                            "file",
                            format!("The {what} is larger than the {allowed} that are allowed."),
                        );
                        too_large = Some(errors);
                    }
                }
            }
            _ => {
                let text = read_text(field, &name, allowed).await?;
                sent.fields.insert(name, text);
            }
        }
    }
    Ok((sent, too_large))
}

/// What a program sends: fields in the address, and the source as it is.
pub(crate) async fn read_bytes(
    state: &AppState,
    account: Uuid,
    fields: BTreeMap<String, String>,
    bytes: Bytes,
) -> Result<Sent, Refusal> {
    let limits = &state.config.limits;
    let (what, allowed) = match sources::format(&bytes) {
        Format::File => ("The source", limits.source_bytes_max),
        Format::Zip | Format::TarGz => ("The archive", limits.archive_bytes_max),
    };
    if bytes.len() as u64 > allowed {
        return Err(Refusal::too_large(what, allowed));
    }
    let mut source = Source {
        file_name: fields.get("file_name").cloned().unwrap_or_default(),
        head: bytes[..bytes.len().min(LOOK_BYTES_MAX)].to_vec(),
        incoming: state.blobs.receive(allowed),
        bytes: bytes.len() as u64,
    };
    source.incoming.write(bytes).await?;
    Ok(Sent { account, fields, sources: vec![source] })
}

struct TooLarge {
    format: Format,
    allowed: u64,
}

async fn read_source(
    state: &AppState,
    mut field: Field<'_>,
    pasted: bool,
) -> Result<Result<Source, TooLarge>, Refusal> {
    let limits = &state.config.limits;
    let allowed = upload_bytes_max(&state.config);
    let mut source = Source {
        file_name: String::new(),
        head: Vec::new(),
        incoming: state.blobs.receive(allowed),
        bytes: 0,
    };
    let mut lines = LineEnds::default();
    let mut too_large = None;
    while let Some(chunk) = field.chunk().await.map_err(|it| broken(it, allowed))? {
        if too_large.is_some() {
            continue;
        }
        // Browsers send pasted text with the line ends of forms.
        let chunk = if pasted { lines.unix(&chunk) } else { chunk };
        let room = LOOK_BYTES_MAX.saturating_sub(source.head.len());
        source.head.extend_from_slice(&chunk[..chunk.len().min(room)]);
        source.bytes += chunk.len() as u64;
        // What it is shows as soon as it is large enough for that to matter.
        let format = sources::format(&source.head);
        let allowed = match format {
            Format::File => limits.source_bytes_max,
            Format::Zip | Format::TarGz => limits.archive_bytes_max,
        };
        if source.bytes > allowed {
            too_large = Some(TooLarge { format, allowed });
            continue;
        }
        source.incoming.write(chunk).await?;
    }
    Ok(too_large.map_or(Ok(source), Err))
}

/// Most bytes of an upload, whatever it is.
pub(crate) fn upload_bytes_max(config: &Config) -> u64 {
    config.limits.source_bytes_max.max(config.limits.archive_bytes_max)
}

async fn read_text(mut field: Field<'_>, name: &str, allowed: u64) -> Result<String, Refusal> {
    let shown: String = name.chars().take(40).collect();
    let mut text = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|it| broken(it, allowed))? {
        if text.len() + chunk.len() > TEXT_FIELD_BYTES_MAX {
            return Err(Refusal::too_large("A field of the form", TEXT_FIELD_BYTES_MAX as u64));
        }
        text.extend_from_slice(&chunk);
    }
    match String::from_utf8(text) {
        Ok(text) if text.contains('\0') => Err(Refusal::invalid(format!(
            "The field “{shown}” holds a NUL character, which no text may."
        ))),
        Ok(text) => Ok(text),
        Err(_) => Err(Refusal::invalid(format!("The field “{shown}” is not UTF-8 text."))),
    }
}

fn broken(why: MultipartError, allowed: u64) -> Refusal {
    match why.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Refusal::too_large("The upload", allowed),
        _ => Refusal::malformed(format!(
            "The form broke off or is damaged ({}). Please send it again.",
            why.body_text()
        )),
    }
}

/// Makes `\r\n` into `\n`, in pieces.
#[derive(Default)]
struct LineEnds {
    held: bool,
}

impl LineEnds {
    fn unix(&mut self, chunk: &[u8]) -> Bytes {
        let mut out = Vec::with_capacity(chunk.len() + 1);
        for &it in chunk {
            if self.held && it != b'\n' {
                out.push(b'\r');
            }
            self.held = it == b'\r';
            if !self.held {
                out.push(it);
            }
        }
        out.into()
    }
}

/// The last part of a path, if it is a name we would keep.
pub(super) fn plain_file_name(given: &str) -> Option<String> {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept = last.chars().filter(|it| !it.is_control() && *it != '\u{fffd}');
    let name: String = kept.take(FILE_NAME_CHARS_MAX).collect();
    let name = name.trim();
    (!name.is_empty() && name != "." && name != "..").then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pasted_line_ends_are_those_of_unix_however_they_are_cut() {
        let table: [(&[&str], &str); 4] = [
            (&["a\r\nb\r\n"], "a\nb\n"),
            (&["a\r", "\nb"], "a\nb"),
            (&["a\r", "b"], "a\rb"),
            (&["", "\r", "", "\n"], "\n"),
        ];
        for (chunks, expected) in table {
            let mut lines = LineEnds::default();
            let out: Vec<u8> =
                chunks.iter().flat_map(|it| lines.unix(it.as_bytes()).to_vec()).collect();
            assert_eq!(out, expected.as_bytes());
        }
    }

    #[test]
    fn file_names_are_plain() {
        let table = [
            ("bot.py", Some("bot.py")),
            ("C:\\bots\\bot.py", Some("bot.py")),
            ("../../etc/passwd", Some("passwd")),
            ("a\0b\n.py", Some("ab.py")),
            ("..", None),
            ("dir/", None),
            ("", None),
        ];
        for (given, expected) in table {
            assert_eq!(plain_file_name(given).as_deref(), expected, "{given:?}");
        }
        assert_eq!(plain_file_name(&"ü".repeat(300)).unwrap().chars().count(), 100);
    }
}

//! The official course file: one object of JSON, its cells a list of numbers, its thinking time
//! in seconds.

use alloc::{format, string::String, vec::Vec};

use game::{Illegal, SetupFormat};
use serde_json::{Map, Value, json};

use crate::{
    course::{Course, Ground},
    setup::{LENGTH_MAX, STEP_LIMIT_MAX, Setup, THINK_MS_MAX, VISION_MAX, WIDTH_MAX, WIDTH_MIN},
};

/// Bytes of a course file.
pub const COURSE_BYTES_MAX: usize = 1 << 20;

/// What a course file says it is.
const FILETYPE: &str = "race course 2018";

/// Course files of SamurAI Coding 2018-19.
pub const OFFICIAL_COURSE: SetupFormat<Setup> = SetupFormat {
    name: "official",
    extension: "crs",
    about: "course files of SamurAI Coding 2018-19",
    read,
    write,
};

/// What one second of thinking time is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// As in course files.
    Seconds,
    /// As in logs.
    Milliseconds,
}

/// Reads a course object; `within` names the object in front of its fields.
pub(crate) fn read_course(object: &Value, within: &str, unit: Unit) -> Result<Setup, Illegal> {
    let object = Fields::of(object, within)?;
    object.expects_filetype(FILETYPE)?;
    object.allows_only(&[
        "filetype",
        "width",
        "length",
        "vision",
        "stepLimit",
        "thinkTime",
        "x0",
        "x1",
        "squares",
    ])?;
    let width = object.whole("width", WIDTH_MIN, WIDTH_MAX)?;
    let length = object.whole("length", 1, LENGTH_MAX)?;
    let setup = Setup {
        width,
        length,
        vision: object.whole("vision", 1, VISION_MAX)?,
        step_limit: object.whole("stepLimit", 1, STEP_LIMIT_MAX)?,
        think_ms: match unit {
            Unit::Seconds => object.seconds("thinkTime", THINK_MS_MAX)?,
            Unit::Milliseconds => object.whole("thinkTime", 1, THINK_MS_MAX)?,
        },
        x0: object.whole("x0", 0, width - 1)?,
        x1: object.whole("x1", 0, width - 1)?,
        rows: rows(&object, width, length)?,
    };
    // What is left to be wrong is about fields that are called the same here and there.
    Course::new(&setup).map_err(|why| Illegal(format!("{within}{why}").into()))?;
    Ok(setup)
}

/// Writes a course object.
pub(crate) fn course_object(setup: &Setup, unit: Unit) -> Value {
    let squares = setup.rows.iter().flat_map(|it| it.bytes()).map(|it| it.wrapping_sub(b'0'));
    let think_time = match (unit, setup.think_ms) {
        (Unit::Milliseconds, ms) => json!(ms),
        (Unit::Seconds, ms) if ms % 1000 == 0 => json!(ms / 1000),
        (Unit::Seconds, ms) => decimal(ms),
    };
    json!({
        "filetype": FILETYPE,
        "width": setup.width,
        "length": setup.length,
        "vision": setup.vision,
        "stepLimit": setup.step_limit,
        "thinkTime": think_time,
        "x0": setup.x0,
        "x1": setup.x1,
        "squares": squares.collect::<Vec<u8>>(),
    })
}

fn read(bytes: &[u8]) -> Result<Setup, Illegal> {
    read_course(&parse(bytes, COURSE_BYTES_MAX)?, "", Unit::Seconds)
}

fn write(setup: &Setup) -> Result<Vec<u8>, Illegal> {
    Course::new(setup)?;
    let mut text = format!("{}", course_object(setup, Unit::Seconds));
    text.push('\n');
    Ok(text.into_bytes())
}

fn rows(object: &Fields<'_>, width: u32, length: u32) -> Result<Vec<String>, Illegal> {
    let squares = object.list("squares")?;
    let (found, allowed) = (squares.len(), (width * length) as usize);
    if found != allowed {
        let text = format!("found {found} cells, allowed are {allowed}, width times length");
        return Err(object.wrong("squares", text));
    }
    let letter = |(at, it): (usize, &Value)| {
        let ground = it.as_u64().and_then(|it| u8::try_from(it).ok());
        let ground = ground.and_then(|it| Ground::from_letter(b'0'.saturating_add(it)));
        ground.map(|it| char::from(it.letter())).ok_or_else(|| {
            let (x, y) = (at % width as usize, at / width as usize);
            let text = format!(
                "found {} in column {x} of row {y}, allowed is 0 (flat), 1 (obstacle) or 2 (pond)",
                shown(it)
            );
            object.wrong("squares", text)
        })
    };
    let letters: String = squares.iter().enumerate().map(letter).collect::<Result<_, _>>()?;
    let width = width as usize;
    Ok((0..length as usize).map(|y| letters[y * width..(y + 1) * width].into()).collect())
}

/// Reads JSON that has a limit.
pub(crate) fn parse(bytes: &[u8], bytes_max: usize) -> Result<Value, Illegal> {
    if bytes.len() > bytes_max {
        let found = bytes.len();
        return Err(Illegal(format!("file: found {found} bytes, allowed are {bytes_max}").into()));
    }
    serde_json::from_slice(bytes)
        .map_err(|why| Illegal(format!("file: found what is not JSON ({why})").into()))
}

/// The fields of an object, with the name it has in the file.
pub(crate) struct Fields<'v> {
    object: &'v Map<String, Value>,
    within: String,
}

impl<'v> Fields<'v> {
    pub(crate) fn of(value: &'v Value, within: &str) -> Result<Fields<'v>, Illegal> {
        let Some(object) = value.as_object() else {
            let what = if within.is_empty() { "file" } else { within.trim_end_matches('.') };
            let text = format!("{what}: found {}, allowed is an object", shown(value));
            return Err(Illegal(text.into()));
        };
        Ok(Fields { object, within: within.into() })
    }

    pub(crate) fn wrong(&self, name: &str, text: impl AsRef<str>) -> Illegal {
        Illegal(format!("{}{name}: {}", self.within, text.as_ref()).into())
    }

    pub(crate) fn expects_filetype(&self, allowed: &str) -> Result<(), Illegal> {
        match self.object.get("filetype") {
            Some(Value::String(found)) if found == allowed => Ok(()),
            found => {
                let found = found.map_or("nothing".into(), shown);
                Err(self.wrong("filetype", format!("found {found}, allowed is \"{allowed}\"")))
            }
        }
    }

    /// Refuses fields that nobody would read.
    pub(crate) fn allows_only(&self, names: &[&str]) -> Result<(), Illegal> {
        match self.object.keys().find(|it| !names.contains(&it.as_str())) {
            Some(name) => {
                let name: String = name.chars().take(40).collect();
                let text = format!("found such a field, allowed are {}", names.join(", "));
                Err(self.wrong(&name, text))
            }
            None => Ok(()),
        }
    }

    pub(crate) fn value(&self, name: &str) -> Result<&'v Value, Illegal> {
        self.object.get(name).ok_or_else(|| self.wrong(name, "found nothing, the field is needed"))
    }

    pub(crate) fn whole(&self, name: &str, min: u32, max: u32) -> Result<u32, Illegal> {
        let found = self.value(name)?;
        let number = found.as_u64().and_then(|it| u32::try_from(it).ok());
        number.filter(|it| (min..=max).contains(it)).ok_or_else(|| {
            let text =
                format!("found {}, allowed is a whole number from {min} to {max}", shown(found));
            self.wrong(name, text)
        })
    }

    pub(crate) fn list(&self, name: &str) -> Result<&'v [Value], Illegal> {
        let found = self.value(name)?;
        let list = found.as_array().map(Vec::as_slice);
        list.ok_or_else(|| self.wrong(name, format!("found {}, allowed is a list", shown(found))))
    }

    pub(crate) fn pair(&self, name: &str) -> Result<[&'v Value; 2], Illegal> {
        let found = self.value(name)?;
        match found.as_array().map(Vec::as_slice) {
            Some([one, other]) => Ok([one, other]),
            _ => {
                let text = format!("found {}, allowed is a list of two", shown(found));
                Err(self.wrong(name, text))
            }
        }
    }

    /// A number of seconds, to the millisecond.
    fn seconds(&self, name: &str, ms_max: u32) -> Result<u32, Illegal> {
        let found = self.value(name)?;
        let ms = found.is_number().then(|| thousandths(&format!("{found}"))).flatten();
        ms.filter(|it| (1..=ms_max).contains(it)).ok_or_else(|| {
            let text = format!(
                "found {}, allowed are seconds from 0.001 to {}, of three decimals at most",
                shown(found),
                ms_max / 1000
            );
            self.wrong(name, text)
        })
    }
}

/// `1.25` as 1250, exactly. Powers of ten are not written by anybody, and are not read.
pub(crate) fn thousandths(decimal: &str) -> Option<u32> {
    let (whole, part) = decimal.split_once('.').unwrap_or((decimal, ""));
    let part = part.trim_end_matches('0');
    let digits = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(part) || part.len() > 3 {
        return None;
    }
    let whole: u32 = whole.parse().ok()?;
    let part: u32 = format!("{part:0<3}").parse().ok()?;
    whole.checked_mul(1000)?.checked_add(part)
}

/// Thousandths as a decimal number.
fn decimal(thousandths: u32) -> Value {
    let text = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
    serde_json::from_str(&text).unwrap_or(Value::Null)
}

/// What was found, short enough for a message.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Array(it) => format!("a list of {}", it.len()),
        Value::Object(_) => "an object".into(),
        it => {
            let text = format!("{it}");
            let more = if text.chars().count() > 40 { "…" } else { "" };
            format!("{}{more}", text.chars().take(40).collect::<String>())
        }
    }
}

//! Whole numbers of a set-up, each within bounds of its own.

use alloc::format;
use core::fmt;

use serde::{Deserializer, de};

use crate::Illegal;

/// The bounds of one whole number in a set-up. Errors name it, what was found and what is allowed.
///
/// ```
/// # use serde::{Deserialize, Deserializer};
/// const SIZE: game::Bounds = game::Bounds { name: "size", min: 5, max: 25 };
///
/// #[derive(Debug, Deserialize)]
/// struct Setup {
///     #[serde(deserialize_with = "size")]
///     size: u32,
/// }
///
/// fn size<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
///     SIZE.read(from)
/// }
///
/// let error = serde_json::from_str::<Setup>(r#"{ "size": 26 }"#).unwrap_err();
/// assert!(error.to_string().contains("`26`, expected size to be a whole number from 5 to 25"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// What the number is called in the set-up.
    pub name: &'static str,
    /// The least it can be.
    pub min: u32,
    /// The most it can be.
    pub max: u32,
}

impl Bounds {
    /// Judges a number that was made rather than read.
    ///
    /// # Errors
    ///
    /// Where it is out of bounds.
    pub fn check(&self, found: u32) -> Result<(), Illegal> {
        let Bounds { name, min, max } = *self;
        if self.hold(found) {
            return Ok(());
        }
        let text = format!("{name}: found {found}, allowed is a whole number from {min} to {max}");
        Err(Illegal(text.into()))
    }

    /// Reads the number.
    ///
    /// # Errors
    ///
    /// Where it is no whole number, or out of bounds.
    pub fn read<'de, D: Deserializer<'de>>(self, from: D) -> Result<u32, D::Error> {
        from.deserialize_any(Whole(self))
    }

    fn hold(&self, found: u32) -> bool {
        (self.min..=self.max).contains(&found)
    }
}

struct Whole(Bounds);

impl de::Visitor<'_> for Whole {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bounds { name, min, max } = self.0;
        write!(f, "{name} to be a whole number from {min} to {max}")
    }

    fn visit_u64<E: de::Error>(self, found: u64) -> Result<u32, E> {
        let fits = u32::try_from(found).ok().filter(|it| self.0.hold(*it));
        fits.ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(found), &self))
    }

    fn visit_i64<E: de::Error>(self, found: i64) -> Result<u32, E> {
        match u64::try_from(found) {
            Ok(found) => self.visit_u64(found),
            Err(_) => Err(E::invalid_value(de::Unexpected::Signed(found), &self)),
        }
    }
}

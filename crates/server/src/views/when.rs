//! An instant: UTC in words for all, exact for machines. A small script makes
//! it local where it runs.

use std::fmt;

use askama::filters::HtmlSafe;
use chrono::{DateTime, SecondsFormat, Utc};

/// An instant to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct When(pub(crate) DateTime<Utc>);

/// The same, as templates hand it over.
pub(crate) fn when(instant: &DateTime<Utc>) -> When {
    When(*instant)
}

impl HtmlSafe for When {}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact = self.0.to_rfc3339_opts(SecondsFormat::Millis, true);
        let shown = self.0.format("%-d %b %Y, %H:%M UTC");
        write!(f, r#"<time datetime="{exact}" title="{exact}">{shown}</time>"#)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_shown_in_utc_and_kept_exact() {
        let when = When("2026-11-09T08:05:03.25Z".parse().unwrap());
        assert_eq!(
            when.to_string(),
            r#"<time datetime="2026-11-09T08:05:03.250Z" title="2026-11-09T08:05:03.250Z">9 Nov 2026, 08:05 UTC</time>"#
        );
    }
}

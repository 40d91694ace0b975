//! How many requests one account or one address may send, and how that is told: by the headers
//! `RateLimit` and `RateLimit-Policy` of the IETF's draft.
//!
//! Kept in memory, so each server counts for itself.

use std::{
    net::IpAddr,
    num::NonZeroU32,
    sync::atomic::{AtomicU32, Ordering},
};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::StateInformationMiddleware,
    state::keyed::DefaultKeyedStateStore,
};
use uuid::Uuid;

use crate::{auth::network, config::Api};

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// After so many counts, those who have been quiet for long are forgotten.
const COUNTS_REMEMBERED: u32 = 1024;

/// Who is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Holder {
    Account(Uuid),
    Address(IpAddr),
}

/// Counts requests.
pub(crate) struct Quotas {
    accounts: Meter,
    addresses: Meter,
    counted: AtomicU32,
}

type Limiter =
    RateLimiter<Holder, DefaultKeyedStateStore<Holder>, DefaultClock, StateInformationMiddleware>;

struct Meter {
    policy: &'static str,
    per_minute: u32,
    limiter: Limiter,
}

/// What is left after a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counted {
    policy: &'static str,
    per_minute: u32,
    left: u32,
    /// It is one too many; when to come again, in seconds.
    pub(super) retry_s: Option<u64>,
}

impl Quotas {
    pub(crate) fn new(api: &Api) -> Quotas {
        Quotas {
            accounts: Meter::new("account", api.account_requests_per_minute),
            addresses: Meter::new("address", api.address_requests_per_minute),
            counted: AtomicU32::new(0),
        }
    }

    /// Counts one request.
    pub(super) fn count(&self, holder: Holder) -> Counted {
        if self.counted.fetch_add(1, Ordering::Relaxed).is_multiple_of(COUNTS_REMEMBERED) {
            for it in [&self.accounts, &self.addresses] {
                it.limiter.retain_recent();
                it.limiter.shrink_to_fit();
            }
        }
        match holder {
            Holder::Account(_) => self.accounts.count(holder),
            Holder::Address(address) => self.addresses.count(Holder::Address(network(address))),
        }
    }
}

impl Meter {
    fn new(policy: &'static str, per_minute: u32) -> Meter {
        let quota = Quota::per_minute(NonZeroU32::new(per_minute).unwrap_or(NonZeroU32::MIN));
        let limiter = RateLimiter::keyed(quota).with_middleware::<StateInformationMiddleware>();
        Meter { policy, per_minute, limiter }
    }

    fn count(&self, holder: Holder) -> Counted {
        let Meter { policy, per_minute, .. } = *self;
        match self.limiter.check_key(&holder) {
            Ok(state) => {
                let left = state.remaining_burst_capacity();
                Counted { policy, per_minute, left, retry_s: None }
            }
            Err(until) => {
                let wait = until.wait_time_from(self.limiter.clock().now());
                let retry_s = wait.as_millis().div_ceil(1000).max(1) as u64;
                Counted { policy, per_minute, left: 0, retry_s: Some(retry_s) }
            }
        }
    }
}

impl Counted {
    /// Puts it into headers.
    pub(super) fn tell(&self, headers: &mut HeaderMap) {
        let Counted { policy, per_minute, left, retry_s } = *self;
        // Time until all of it is there again.
        let used = u64::from(per_minute.saturating_sub(left));
        let reset_s = (used * 60).div_ceil(u64::from(per_minute.max(1))).max(retry_s.unwrap_or(0));
        let policy_text = format!("\"{policy}\";q={per_minute};w=60");
        let text = format!("\"{policy}\";r={left};t={reset_s}");
        let pairs = [(RATE_LIMIT_POLICY, policy_text), (RATE_LIMIT, text)];
        for (name, text) in pairs {
            if let Ok(value) = HeaderValue::from_str(&text) {
                headers.insert(name, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_told_and_one_too_many_is_told_when_to_come_again() {
        let api = Api { account_requests_per_minute: 3, ..Api::default() };
        let quotas = Quotas::new(&api);
        let holder = Holder::Account(Uuid::nil());
        let told = |counted: Counted| {
            let mut headers = HeaderMap::new();
            counted.tell(&mut headers);
            headers[RATE_LIMIT].to_str().unwrap().to_owned()
        };
        for expected in ["\"account\";r=2;t=20", "\"account\";r=1;t=40", "\"account\";r=0;t=60"] {
            let counted = quotas.count(holder);
            assert_eq!(counted.retry_s, None);
            assert_eq!(told(counted), expected);
        }
        let counted = quotas.count(holder);
        assert!((1..=20).contains(&counted.retry_s.unwrap()), "{counted:?}");
        assert_eq!(quotas.count(Holder::Account(Uuid::max())).retry_s, None);
    }
}

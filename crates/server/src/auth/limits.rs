//! How often one address and one account may do what costs us much.
//!
//! Kept in memory, so each server counts for itself; what must never be
//! exceeded by many servers together is limited in the database.

use std::{
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter, clock::Clock};
use uuid::Uuid;

/// What is limited, with its burst and the time after which one more is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// Trying a password, counted for each address.
    SignIn,
    /// Trying a password, counted for each name.
    SignInAs,
    /// Making an account, counted for each address.
    SignUp,
    /// Sending a program, counted for each address.
    Upload,
    /// Sending a program, counted for each account.
    UploadAs,
    /// Having an archive read without uploading it, counted for each address or account.
    ReadArchive,
    /// Starting a match by hand, counted for each account.
    StartMatch,
    /// Deciding a turn of a match, or saying something in it, counted for each account.
    Decide,
    /// Inviting somebody, or answering an invitation, counted for each account.
    Invite,
    /// Having a set-up looked at, made or written, counted for each address.
    ReadSetup,
    /// Having one of a pool sent or drawn, counted for each address. A page may show a whole pool.
    SendSetup,
    /// Changing pools, counted for each account.
    ChangePool,
    /// Making a token, counted for each account.
    MakeToken,
}

impl Act {
    const ALL: [Act; 13] = [
        Act::SignIn,
        Act::SignInAs,
        Act::SignUp,
        Act::Upload,
        Act::UploadAs,
        Act::ReadArchive,
        Act::StartMatch,
        Act::Decide,
        Act::Invite,
        Act::ReadSetup,
        Act::SendSetup,
        Act::ChangePool,
        Act::MakeToken,
    ];

    /// How many may follow at once, and how long one of them is counted.
    const fn quota(self) -> (u32, Duration) {
        match self {
            Act::SignIn => (20, Duration::from_secs(6)),
            Act::SignInAs => (10, Duration::from_secs(30)),
            Act::SignUp => (20, Duration::from_secs(60)),
            Act::Upload => (60, Duration::from_secs(4)),
            Act::UploadAs => (30, Duration::from_secs(10)),
            Act::ReadArchive => (60, Duration::from_secs(2)),
            Act::StartMatch => (30, Duration::from_secs(10)),
            Act::Decide => (100, Duration::from_millis(100)),
            Act::Invite => (20, Duration::from_secs(30)),
            Act::ReadSetup => (120, Duration::from_millis(400)),
            Act::SendSetup => (600, Duration::from_millis(100)),
            Act::ChangePool => (120, Duration::from_secs(1)),
            Act::MakeToken => (20, Duration::from_secs(30)),
        }
    }
}

/// Too many; come back after `wait`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany {
    /// Of what.
    pub(crate) act: Act,
    /// How long until one more is free.
    pub(crate) wait: Duration,
}

/// Who is counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Address(IpAddr),
    Account(Uuid),
    Name(String),
}

/// Counts acts.
pub(crate) struct Limits {
    of: Vec<DefaultKeyedRateLimiter<Key>>,
    counted: AtomicU32,
}

/// After so many counts, those who have been quiet for long are forgotten.
const COUNTS_REMEMBERED: u32 = 1024;

impl Default for Limits {
    fn default() -> Limits {
        Limits { of: Act::ALL.iter().map(|it| limiter(*it)).collect(), counted: AtomicU32::new(0) }
    }
}

impl Limits {
    /// Counts one `act` from `address`.
    ///
    /// # Errors
    ///
    /// [`TooMany`]; then it counts for nothing.
    pub(crate) fn count_address(&self, act: Act, address: IpAddr) -> Result<(), TooMany> {
        self.count(act, Key::Address(network(address)))
    }

    /// Counts one `act` of `account`.
    ///
    /// # Errors
    ///
    /// [`TooMany`]; then it counts for nothing.
    pub(crate) fn count_account(&self, act: Act, account: Uuid) -> Result<(), TooMany> {
        self.count(act, Key::Account(account))
    }

    /// Counts one `act` on the account with this key of a name, whether or not there is one.
    ///
    /// # Errors
    ///
    /// [`TooMany`]; then it counts for nothing.
    pub(crate) fn count_name(&self, act: Act, name_key: &str) -> Result<(), TooMany> {
        self.count(act, Key::Name(name_key.to_owned()))
    }

    fn count(&self, act: Act, key: Key) -> Result<(), TooMany> {
        let limiter = &self.of[act as usize];
        if self.counted.fetch_add(1, Ordering::Relaxed).is_multiple_of(COUNTS_REMEMBERED) {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
        limiter
            .check_key(&key)
            .map_err(|until| TooMany { act, wait: until.wait_time_from(limiter.clock().now()) })
    }
}

fn limiter(act: Act) -> DefaultKeyedRateLimiter<Key> {
    let (burst, each) = act.quota();
    let quota = Quota::with_period(each).expect("no period above is zero");
    let burst = NonZeroU32::new(burst).expect("no burst above is zero");
    RateLimiter::keyed(quota.allow_burst(burst))
}

/// Whoever has one IPv6 address has the whole /64 around it.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => IpAddr::V4(v4),
            None => IpAddr::V6(Ipv6Addr::from(u128::from(v6) & (u128::MAX << 64))),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_free_and_one_more_is_told_when_to_come_back() {
        let limits = Limits::default();
        for act in Act::ALL {
            let (burst, each) = act.quota();
            let account = Uuid::from_u128(1);
            for _ in 0..burst {
                assert_eq!(limits.count_account(act, account), Ok(()));
            }
            let too_many = limits.count_account(act, account).unwrap_err();
            assert!(too_many.wait <= each && too_many.wait > Duration::ZERO, "{act:?}");
            assert_eq!(limits.count_account(act, Uuid::from_u128(2)), Ok(()));
        }
    }

    #[test]
    fn neighbours_in_one_v6_network_are_one() {
        let table = [
            ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", true),
            ("2001:db8:0:1::1", "2001:db8:0:2::1", false),
            ("::ffff:192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false),
        ];
        for (a, b, same) in table {
            let [a, b] = [a, b].map(|it| network(it.parse().unwrap()));
            assert_eq!(a == b, same, "{a} {b}");
        }
    }
}

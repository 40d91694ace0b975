//! Addresses of blobs that are good for one thing, for a while, and for
//! whoever holds them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hmac::{Hmac, KeyInit, Mac};
use jobs::{Input, Upload};
use serde::Deserialize;
use sha2::Sha256;
use store::Blob;
use uuid::Uuid;

use crate::error::Error;

/// A worker fetches at once what it has leased.
const GET_LIFE: Duration = Duration::from_secs(15 * 60);
/// A lease lasts as long as it is renewed; that it lives is looked at besides.
const PUT_LIFE: Duration = Duration::from_secs(24 * 3600);

/// Signs addresses, and knows its own signatures.
pub(crate) struct Signer {
    key: Hmac<Sha256>,
}

/// What a signed address carries besides its path.
#[derive(Deserialize)]
pub(super) struct Seal {
    /// Until when, in seconds since 1970.
    until: u64,
    /// How many bytes; of an upload, how many at most.
    bytes: u64,
    /// All of it, signed.
    sig: String,
}

impl Signer {
    pub(crate) fn new(secret: [u8; 32]) -> Signer {
        Signer { key: Hmac::new_from_slice(&secret).expect("a key of any length fits") }
    }

    /// Where a blob can be fetched.
    pub(super) fn input(&self, blob: &Blob) -> Input {
        let Blob { digest, bytes } = blob.clone();
        let until = from_now(GET_LIFE);
        let sig = self.sign("GET", &digest, bytes, until);
        let url = format!("/blobs/{digest}?until={until}&bytes={bytes}&sig={sig}");
        Input { digest, bytes, url }
    }

    /// Where a lease can put what it has made.
    pub(super) fn upload(&self, lease: Uuid, bytes_max: u64) -> Upload {
        let until = from_now(PUT_LIFE);
        let sig = self.sign("PUT", &lease.to_string(), bytes_max, until);
        let url = format!("/blobs/uploads/{lease}?until={until}&bytes={bytes_max}&sig={sig}");
        Upload { url, bytes_max }
    }

    /// Checks an address; says how many bytes it is good for.
    pub(super) fn check(&self, verb: &str, name: &str, seal: &Seal) -> Result<u64, Error> {
        let sig = hex::decode(&seal.sig).unwrap_or_default();
        let genuine = self.mac(verb, name, seal.bytes, seal.until).verify_slice(&sig).is_ok();
        if !genuine {
            return Err(Error::Forbidden("This address was not signed here.".to_owned()));
        }
        if seal.until < from_now(Duration::ZERO) {
            return Err(Error::Gone("This address is no longer good.".to_owned()));
        }
        Ok(seal.bytes)
    }

    fn sign(&self, verb: &str, name: &str, bytes: u64, until: u64) -> String {
        hex::encode(self.mac(verb, name, bytes, until).finalize().into_bytes())
    }

    fn mac(&self, verb: &str, name: &str, bytes: u64, until: u64) -> Hmac<Sha256> {
        let mut mac = self.key.clone();
        mac.update(format!("{verb} {name} {bytes} {until}").as_bytes());
        mac
    }
}

fn from_now(life: Duration) -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (now + life).as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seal(until: u64, bytes: u64, sig: &str) -> Seal {
        Seal { until, bytes, sig: sig.to_owned() }
    }

    #[test]
    fn an_address_is_good_for_what_it_was_signed_for_and_nothing_else() {
        let signer = Signer::new([7; 32]);
        let until = from_now(GET_LIFE);
        let sig = signer.sign("GET", "abc", 5, until);
        assert_eq!(signer.check("GET", "abc", &seal(until, 5, &sig)).unwrap(), 5);
        let other_key = Signer::new([8; 32]).sign("GET", "abc", 5, until);
        for (verb, name, until, bytes, sig) in [
            ("PUT", "abc", until, 5, sig.as_str()),
            ("GET", "abd", until, 5, &sig),
            ("GET", "abc", until + 1, 5, &sig),
            ("GET", "abc", until, 6, &sig),
            ("GET", "abc", until, 5, &other_key),
            ("GET", "abc", until, 5, "no hex"),
            ("GET", "abc", until, 5, ""),
        ] {
            let refused = signer.check(verb, name, &seal(until, bytes, sig));
            assert!(matches!(refused, Err(Error::Forbidden(_))), "{verb} {name} {bytes} {sig}");
        }
    }

    #[test]
    fn an_address_ends() {
        let signer = Signer::new([7; 32]);
        let sig = signer.sign("GET", "abc", 5, 1000);
        assert!(matches!(signer.check("GET", "abc", &seal(1000, 5, &sig)), Err(Error::Gone(_))));
    }
}

//! Passwords: how long they are, and the slow hash that is all we keep of them.
//!
//! A hash takes 19 MiB and some tens of milliseconds, so only as many are
//! worked on at once as there are cores to do it.

use std::{sync::Arc, thread::available_parallelism};

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use tokio::{sync::Semaphore, task::spawn_blocking};

/// Fewest characters of a password.
pub(crate) const PASSWORD_CHARS_MIN: usize = 10;
/// Most characters of a password.
pub(crate) const PASSWORD_CHARS_MAX: usize = 200;

/// Makes and checks password hashes.
#[derive(Clone)]
pub(crate) struct Passwords {
    at_once: Arc<Semaphore>,
    /// Checked where there is no hash to check, so that an unknown name takes
    /// as long as a wrong password.
    nobody: Arc<str>,
}

/// Why a password could not be hashed or checked: ours, never the visitor's.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// The hash function failed.
    #[error("hash a password: {0}")]
    Hash(argon2::password_hash::Error),
    /// A hash in the database is not a PHC string.
    #[error("a stored password hash is damaged: {0}")]
    Damaged(argon2::password_hash::phc::Error),
    /// The program is stopping.
    #[error("no hashing while the program stops")]
    Stopping,
}

impl Passwords {
    /// Gets ready.
    ///
    /// # Errors
    ///
    /// [`PasswordError::Hash`] where the system gives no random bytes.
    pub(crate) fn new() -> Result<Passwords, PasswordError> {
        let cores = available_parallelism().map_or(1, usize::from);
        let nobody = hash_now("nobody signs in with this").map_err(PasswordError::Hash)?;
        Ok(Passwords { at_once: Arc::new(Semaphore::new(cores)), nobody: nobody.into() })
    }

    /// The PHC string to keep of `password`.
    ///
    /// # Errors
    ///
    /// [`PasswordError`]; nothing about the password itself is judged here.
    pub(crate) async fn hash(&self, password: String) -> Result<String, PasswordError> {
        let permit = self.permit().await?;
        let hashed = spawn_blocking(move || {
            let _permit = permit;
            hash_now(&password)
        });
        hashed.await.map_err(|_| PasswordError::Stopping)?.map_err(PasswordError::Hash)
    }

    /// Whether `password` is the one that `hash` was made of. Without a hash
    /// the answer is no, after the same time.
    ///
    /// # Errors
    ///
    /// [`PasswordError`].
    pub(crate) async fn verify(
        &self,
        password: String,
        hash: Option<String>,
    ) -> Result<bool, PasswordError> {
        let permit = self.permit().await?;
        let known = hash.is_some();
        let hash = hash.unwrap_or_else(|| self.nobody.to_string());
        let checked = spawn_blocking(move || {
            let _permit = permit;
            let hash = PasswordHash::new(&hash).map_err(PasswordError::Damaged)?;
            Ok(Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
        });
        let matches = checked.await.map_err(|_| PasswordError::Stopping)??;
        Ok(matches && known)
    }

    async fn permit(&self) -> Result<tokio::sync::OwnedSemaphorePermit, PasswordError> {
        Arc::clone(&self.at_once).acquire_owned().await.map_err(|_| PasswordError::Stopping)
    }
}

/// What is wrong with `password` as a new one, in words for its owner.
pub(crate) fn complaint(password: &str) -> Option<String> {
    match password.chars().count() {
        0 => Some(format!("Choose a password of {PASSWORD_CHARS_MIN} characters or more.")),
        1 => Some(format!("This password has 1 character; it needs {PASSWORD_CHARS_MIN} or more.")),
        n if n < PASSWORD_CHARS_MIN => Some(format!(
            "This password has {n} characters; it needs {PASSWORD_CHARS_MIN} or more."
        )),
        n if n > PASSWORD_CHARS_MAX => Some(format!(
            "This password has {n} characters; at most {PASSWORD_CHARS_MAX} are allowed."
        )),
        _ => None,
    }
}

fn hash_now(password: &str) -> Result<String, argon2::password_hash::Error> {
    Ok(Argon2::default().hash_password(password.as_bytes())?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_passwords_have_10_to_200_characters() {
        let table = [
            (String::new(), false),
            ("a".repeat(9), false),
            ("a".repeat(10), true),
            ("ü".repeat(10), true),
            ("a".repeat(200), true),
            ("a".repeat(201), false),
        ];
        for (password, fine) in table {
            assert_eq!(complaint(&password).is_none(), fine, "{} bytes", password.len());
        }
    }

    #[tokio::test]
    async fn only_the_password_itself_matches_and_nobody_matches_nothing() {
        let passwords = Passwords::new().unwrap();
        let hash = passwords.hash("correct horse".into()).await.unwrap();
        assert!(hash.starts_with("$argon2id$"));
        let table = [
            ("correct horse", Some(hash.clone()), true),
            ("correct horse ", Some(hash), false),
            ("nobody signs in with this", None, false),
        ];
        for (password, hash, expected) in table {
            assert_eq!(passwords.verify(password.into(), hash).await.unwrap(), expected);
        }
    }
}

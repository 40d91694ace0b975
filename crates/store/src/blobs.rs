//! Bytes kept under their own digest: sources, artefacts, records.
//!
//! Written beside, then moved into place, so a name never stands for half of
//! what it promises. What is written twice is kept once.

mod doomed;

use std::{fmt::Write as _, path::Path as FsPath, sync::Arc, time::Duration};

use bytes::Bytes;
use chrono::Utc;
use futures::{StreamExt, TryStreamExt, stream::BoxStream};
use object_store::{
    GetResult, ObjectStore, ObjectStoreExt, buffered::BufWriter, local::LocalFileSystem, path::Path,
};
use sha2::{Digest, Sha256};
use tokio::io::AsyncWriteExt;
use uuid::Uuid;

/// Kept in memory before anything is written.
const BUFFER_BYTES: usize = 1 << 20;
const INCOMING: &str = "incoming";
const KEPT: &str = "sha256";

/// Bytes that are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// SHA-256, in lower-case hex.
    pub digest: String,
    /// How many.
    pub bytes: u64,
}

/// Where blobs are kept. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Blobs {
    store: Arc<dyn ObjectStore>,
}

/// A blob on its way in. Dropped before [`finish`](Incoming::finish), it leaves nothing behind.
#[derive(Debug)]
pub struct Incoming {
    blobs: Blobs,
    path: Path,
    writer: BufWriter,
    digest: Sha256,
    bytes: u64,
    bytes_max: u64,
}

/// A blob that is all there, and not kept yet. Dropped before [`keep`](Sealed::keep), it leaves
/// nothing behind.
#[derive(Debug)]
pub struct Sealed {
    blobs: Blobs,
    path: Path,
    blob: Blob,
    is_kept: bool,
}

/// Why bytes cannot be kept or found.
#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    /// There are more than may be.
    #[error("more than the {allowed} bytes that are allowed")]
    TooLarge {
        /// How many may be.
        allowed: u64,
    },
    /// There are none under this digest.
    #[error("nothing is kept under {digest}")]
    Unknown {
        /// Which.
        digest: String,
    },
    /// No digest has this form.
    #[error("a digest is 64 lower-case hex digits")]
    NoDigest,
    /// The storage failed.
    #[error("the blob storage failed")]
    Storage(#[from] object_store::Error),
    /// The directory cannot be made.
    #[error("cannot make the directory {dir}")]
    Directory {
        /// Which.
        dir: String,
        /// Why not.
        source: std::io::Error,
    },
}

impl Blobs {
    /// Keeps them in a directory of the local disk.
    ///
    /// # Errors
    ///
    /// Where the directory cannot be made.
    pub fn on_disk(dir: &FsPath) -> Result<Blobs, BlobError> {
        std::fs::create_dir_all(dir)
            .map_err(|source| BlobError::Directory { dir: dir.display().to_string(), source })?;
        let disk = LocalFileSystem::new_with_prefix(dir)?;
        // Of a day on which blobs were doomed, the folder goes with the last of them.
        let disk = disk.with_fsync(true).with_automatic_cleanup(true);
        Ok(Blobs::new(Arc::new(disk)))
    }

    /// Keeps them in any object store.
    pub fn new(store: Arc<dyn ObjectStore>) -> Blobs {
        Blobs { store }
    }

    /// Keeps bytes that are at hand.
    ///
    /// # Errors
    ///
    /// Where the storage fails.
    pub async fn put(&self, bytes: Bytes) -> Result<Blob, BlobError> {
        let mut incoming = self.receive(u64::MAX);
        incoming.write(bytes).await?;
        incoming.finish().await
    }

    /// Opens a way in for at most `bytes_max` bytes.
    pub fn receive(&self, bytes_max: u64) -> Incoming {
        let path = Path::from_iter([INCOMING, &Uuid::new_v4().to_string()]);
        Incoming {
            blobs: self.clone(),
            writer: BufWriter::with_capacity(self.store.clone(), path.clone(), BUFFER_BYTES)
                .with_max_concurrency(2),
            path,
            digest: Sha256::new(),
            bytes: 0,
            bytes_max,
        }
    }

    /// All bytes of a blob that is not larger than `bytes_max`.
    ///
    /// # Errors
    ///
    /// Where there is none, or it is larger.
    pub async fn get(&self, digest: &str, bytes_max: u64) -> Result<Bytes, BlobError> {
        let found = self.find(digest).await?;
        if found.meta.size > bytes_max {
            return Err(BlobError::TooLarge { allowed: bytes_max });
        }
        Ok(found.bytes().await?)
    }

    /// A blob of any size, and how many bytes it has.
    ///
    /// # Errors
    ///
    /// Where there is none.
    pub async fn stream(
        &self,
        digest: &str,
    ) -> Result<(u64, BoxStream<'static, Result<Bytes, BlobError>>), BlobError> {
        let found = self.find(digest).await?;
        let bytes = found.meta.size;
        Ok((bytes, found.into_stream().map_err(BlobError::from).boxed()))
    }

    /// Removes what was on its way in for longer than `age`: its sender is gone.
    ///
    /// # Errors
    ///
    /// Where the storage fails.
    pub async fn reap(&self, age: Duration) -> Result<u32, BlobError> {
        let before = Utc::now() - age;
        let mut listed = self.store.list(Some(&Path::from(INCOMING)));
        let mut reaped = 0;
        while let Some(it) = listed.try_next().await? {
            if it.last_modified < before {
                self.store.delete(&it.location).await?;
                reaped += 1;
            }
        }
        Ok(reaped)
    }

    /// Finds a blob, even one that is about to be removed.
    async fn find(&self, digest: &str) -> Result<GetResult, BlobError> {
        let path = path_of(digest)?;
        let mut found = self.store.get(&path).await;
        if matches!(found, Err(object_store::Error::NotFound { .. })) && self.spare(digest).await? {
            found = self.store.get(&path).await;
        }
        found.map_err(|why| missing(why, digest))
    }
}

impl Incoming {
    /// Takes in some more.
    ///
    /// # Errors
    ///
    /// Where there are too many, or the storage fails.
    pub async fn write(&mut self, bytes: Bytes) -> Result<(), BlobError> {
        self.bytes += bytes.len() as u64;
        if self.bytes > self.bytes_max {
            return Err(BlobError::TooLarge { allowed: self.bytes_max });
        }
        self.digest.update(&bytes);
        Ok(self.writer.put(bytes).await?)
    }

    /// That was all: from now on they are kept.
    ///
    /// # Errors
    ///
    /// Where the storage fails.
    pub async fn finish(self) -> Result<Blob, BlobError> {
        self.seal().await?.keep().await
    }

    /// That was all, and it is to be looked at before it is kept.
    ///
    /// # Errors
    ///
    /// Where the storage fails.
    pub async fn seal(mut self) -> Result<Sealed, BlobError> {
        self.writer
            .shutdown()
            .await
            .map_err(|why| object_store::Error::Generic { store: "blobs", source: why.into() })?;
        let blob = Blob { digest: hex::encode(self.digest.finalize()), bytes: self.bytes };
        Ok(Sealed { blobs: self.blobs, path: self.path, blob, is_kept: false })
    }
}

impl Sealed {
    /// All of its bytes.
    ///
    /// # Errors
    ///
    /// Where the storage fails.
    pub async fn bytes(&self) -> Result<Bytes, BlobError> {
        Ok(self.blobs.store.get(&self.path).await?.bytes().await?)
    }

    /// From now on it is kept.
    ///
    /// # Errors
    ///
    /// Where the storage fails.
    pub async fn keep(mut self) -> Result<Blob, BlobError> {
        self.blobs.store.rename(&self.path, &path_of(&self.blob.digest)?).await?;
        self.is_kept = true;
        Ok(self.blob.clone())
    }
}

impl Drop for Sealed {
    fn drop(&mut self) {
        if self.is_kept {
            return;
        }
        // Nobody can wait here. Where it is not removed now, it is reaped.
        let (store, path) = (self.blobs.store.clone(), self.path.clone());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { store.delete(&path).await });
        }
    }
}

/// The digest as it is written: SHA-256, in lower-case hex.
pub fn digest_of(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Two levels, so that no directory grows without bound.
fn path_of(digest: &str) -> Result<Path, BlobError> {
    let fits = digest.len() == 64
        && digest.bytes().all(|it| it.is_ascii_digit() || (b'a'..=b'f').contains(&it));
    if !fits {
        return Err(BlobError::NoDigest);
    }
    let mut path = String::with_capacity(80);
    write!(path, "{KEPT}/{}/{digest}", &digest[..2]).expect("a string takes any text");
    Ok(Path::from(path))
}

fn missing(why: object_store::Error, digest: &str) -> BlobError {
    match why {
        object_store::Error::NotFound { .. } => BlobError::Unknown { digest: digest.to_owned() },
        why => why.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn fresh() -> (tempfile::TempDir, Blobs) {
        let dir = tempfile::tempdir().unwrap();
        let blobs = Blobs::on_disk(&dir.path().join("blobs")).unwrap();
        (dir, blobs)
    }

    #[tokio::test]
    async fn what_is_put_is_got_whatever_its_size() {
        let (_dir, blobs) = fresh().await;
        for n_bytes in [0, 1, BUFFER_BYTES - 1, BUFFER_BYTES, 3 * BUFFER_BYTES + 5] {
            let bytes: Bytes = (0..n_bytes).map(|it| (it % 251) as u8).collect();
            let mut incoming = blobs.receive(n_bytes as u64);
            for chunk in bytes.chunks(70_000) {
                incoming.write(Bytes::copy_from_slice(chunk)).await.unwrap();
            }
            let blob = incoming.finish().await.unwrap();
            assert_eq!(blob, Blob { digest: digest_of(&bytes), bytes: n_bytes as u64 });
            assert_eq!(blobs.get(&blob.digest, blob.bytes).await.unwrap(), bytes);
            let (streamed, parts) = blobs.stream(&blob.digest).await.unwrap();
            assert_eq!(streamed, blob.bytes);
            let parts: Vec<Bytes> = parts.try_collect().await.unwrap();
            assert_eq!(parts.concat(), bytes);
        }
    }

    #[tokio::test]
    async fn the_same_bytes_twice_are_kept_once() {
        let (dir, blobs) = fresh().await;
        let first = blobs.put(Bytes::from_static(b"abc")).await.unwrap();
        assert_eq!(blobs.put(Bytes::from_static(b"abc")).await.unwrap(), first);
        let kept = dir.path().join("blobs/sha256/ba");
        assert_eq!(std::fs::read_dir(kept).unwrap().count(), 1);
        assert_eq!(std::fs::read_dir(dir.path().join("blobs/incoming")).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn what_is_looked_at_is_kept_or_leaves_nothing() {
        let (dir, blobs) = fresh().await;
        let files = |folder: &str| {
            let entries = std::fs::read_dir(dir.path().join("blobs").join(folder));
            entries.map_or(0, |it| it.count())
        };
        for is_kept in [true, false] {
            let mut incoming = blobs.receive(3);
            incoming
                .write(Bytes::from_static(if is_kept { b"abc" } else { b"xyz" }))
                .await
                .unwrap();
            let sealed = incoming.seal().await.unwrap();
            assert_eq!(sealed.bytes().await.unwrap(), if is_kept { "abc" } else { "xyz" });
            assert_eq!(files(INCOMING), 1);
            match is_kept {
                true => drop(sealed.keep().await.unwrap()),
                false => drop(sealed),
            }
            for _ in 0..500 {
                if files(INCOMING) == 0 {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            assert_eq!((files(INCOMING), files(KEPT)), (0, 1));
        }
    }

    #[tokio::test]
    async fn one_byte_too_many_is_refused() {
        let (_dir, blobs) = fresh().await;
        let mut incoming = blobs.receive(3);
        incoming.write(Bytes::from_static(b"abc")).await.unwrap();
        let refused = incoming.write(Bytes::from_static(b"d")).await;
        assert!(matches!(refused, Err(BlobError::TooLarge { allowed: 3 })));
        let blob = blobs.put(Bytes::from_static(b"abcd")).await.unwrap();
        let refused = blobs.get(&blob.digest, 3).await;
        assert!(matches!(refused, Err(BlobError::TooLarge { allowed: 3 })));
    }

    #[tokio::test]
    async fn names_that_are_no_digests_reach_no_file() {
        let (_dir, blobs) = fresh().await;
        let upper = "A".repeat(64);
        for name in ["", "../../etc/passwd", &upper, &"a".repeat(63)] {
            assert!(matches!(blobs.get(name, 10).await, Err(BlobError::NoDigest)), "{name}");
        }
        let unknown = blobs.get(&"a".repeat(64), 10).await;
        assert!(matches!(unknown, Err(BlobError::Unknown { .. })));
    }

    #[tokio::test]
    async fn what_never_came_in_whole_is_reaped() {
        let (_dir, blobs) = fresh().await;
        blobs.store.put(&Path::from("incoming/left"), "half".into()).await.unwrap();
        assert_eq!(blobs.reap(Duration::from_secs(60)).await.unwrap(), 0);
        assert_eq!(blobs.reap(Duration::ZERO).await.unwrap(), 1);
    }
}

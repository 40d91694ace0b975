//! Removal in two steps. A blob is doomed: moved aside, under the day of that. Days later it is
//! removed. Whoever asks for it in between has it back; and whoever puts the same bytes in puts
//! them where they belong, where no removal reaches them. So uploads need not wait for anybody.

use std::future::ready;

use chrono::{DateTime, NaiveDate, Utc};
use futures::{StreamExt, TryStreamExt, stream::BoxStream};
use object_store::{Error::NotFound, ObjectStore, ObjectStoreExt, path::Path};

use super::{BlobError, Blobs, KEPT, path_of};

const DOOMED: &str = "doomed";

/// A blob that waits for its removal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Doomed {
    day: NaiveDate,
    pub(crate) digest: String,
}

impl Blobs {
    /// Digests that begin with `part`, of blobs that came in before `moment`.
    pub(crate) fn older(
        &self,
        part: u8,
        moment: DateTime<Utc>,
    ) -> BoxStream<'static, Result<String, BlobError>> {
        self.store
            .list(Some(&Path::from_iter([KEPT, &format!("{part:02x}")])))
            .try_filter(move |it| ready(it.last_modified < moment))
            .try_filter_map(|it| ready(Ok(it.location.filename().map(str::to_owned))))
            .map_err(BlobError::from)
            .boxed()
    }

    /// Moves a blob aside.
    pub(crate) async fn doom(&self, digest: &str, day: NaiveDate) -> Result<(), BlobError> {
        let doomed = Doomed { day, digest: digest.to_owned() };
        was_there(self.store.rename(&path_of(digest)?, &doomed.path()).await).map(drop)
    }

    /// Those that were doomed on `day` or before.
    pub(crate) fn doomed_until(
        &self,
        day: NaiveDate,
    ) -> BoxStream<'static, Result<Doomed, BlobError>> {
        self.store
            .list(Some(&Path::from(DOOMED)))
            .try_filter_map(|it| ready(Ok(Doomed::at(&it.location))))
            .try_filter(move |it| ready(it.day <= day))
            .map_err(BlobError::from)
            .boxed()
    }

    /// Moves a blob back to where it belongs, if it is doomed; says whether it was.
    pub(crate) async fn spare(&self, digest: &str) -> Result<bool, BlobError> {
        let path = path_of(digest)?;
        let days = self.store.list_with_delimiter(Some(&Path::from(DOOMED))).await?;
        for day in days.common_prefixes {
            if was_there(self.store.rename(&day.join(digest), &path).await)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Removes a doomed blob for good.
    pub(crate) async fn remove(&self, doomed: &Doomed) -> Result<(), BlobError> {
        was_there(self.store.delete(&doomed.path()).await).map(drop)
    }
}

impl Doomed {
    /// None where somebody else has put something.
    fn at(path: &Path) -> Option<Doomed> {
        let mut parts = path.parts().skip(1);
        let day = parts.next()?.as_ref().parse().ok()?;
        let digest = parts.next()?.as_ref().to_owned();
        Some(Doomed { day, digest })
    }

    fn path(&self) -> Path {
        Path::from_iter([DOOMED, &self.day.to_string(), &self.digest])
    }
}

/// Where another server came first, there is nothing left to be done, and that is well.
fn was_there(done: Result<(), object_store::Error>) -> Result<bool, BlobError> {
    match done {
        Ok(()) => Ok(true),
        Err(NotFound { .. }) => Ok(false),
        Err(why) => Err(why.into()),
    }
}

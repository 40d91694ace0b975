//! Blobs that nothing refers to go; all others stay, whatever happens meanwhile.

use bytes::Bytes;
use chrono::{DateTime, Days, Utc};
use store::{BlobError, Blobs, Collected, Store, UNREFERENCED_LIFE, testing};

use crate::kit::*;

const NOTHING: Collected = Collected { doomed: 0, spared: 0, removed: 0 };
const DOOMED: Collected = Collected { doomed: 1, ..NOTHING };
const SPARED: Collected = Collected { spared: 1, ..NOTHING };
const REMOVED: Collected = Collected { removed: 1, ..NOTHING };

struct Site {
    store: Store,
    blobs: Blobs,
    _dir: tempfile::TempDir,
}

impl Site {
    async fn open() -> Site {
        let dir = tempfile::tempdir().unwrap();
        let blobs = Blobs::on_disk(&dir.path().join("blobs")).unwrap();
        Site { store: testing::store().await, blobs, _dir: dir }
    }

    async fn put(&self, text: &'static str) {
        self.blobs.put(Bytes::from_static(text.as_bytes())).await.unwrap();
    }

    async fn is_kept(&self, text: &str) -> bool {
        match self.blobs.get(&blob(text).digest, 100).await {
            Ok(found) => found == text.as_bytes(),
            Err(BlobError::Unknown { .. }) => false,
            Err(why) => panic!("{text}: {why}"),
        }
    }

    /// A round through all parts, at some moment.
    async fn collect(&self, now: DateTime<Utc>) -> Collected {
        let mut all = NOTHING;
        for part in 0..=u8::MAX {
            let it = self.store.collect_blobs(&self.blobs, part, now).await.unwrap();
            all.doomed += it.doomed;
            all.spared += it.spared;
            all.removed += it.removed;
        }
        all
    }

    /// A source that is uploaded, as far as the database knows.
    async fn refer_to_source(&self) {
        let account = testing::account(&self.store).await;
        let bot = new_bot(&self.store, account, "architect").await;
        upload(&self.store, account, bot).await;
    }
}

/// When all that is here by now is old.
fn later() -> DateTime<Utc> {
    Utc::now() + UNREFERENCED_LIFE * 2
}

fn days(n: u64) -> Days {
    Days::new(n)
}

#[tokio::test]
async fn what_any_row_refers_to_stays_and_the_rest_goes() {
    let site = Site::open().await;
    let store = &site.store;
    let (one, two) = (bot(store, "architect").await, bot(store, "adventurer").await);
    let worker = worker(store, "worker").await;
    // One match is finished, the report of the next is not believed, and a third still uploads.
    for (record, believed) in [("record", true), ("evidence", false)] {
        ladder_match(store, one, two).await;
        let lease = lease_one(store, worker).await.lease;
        store.note_upload(lease, &blob(record)).await.unwrap();
        if believed {
            finish(store, worker, lease, 50).await.unwrap();
        } else {
            let it = reporting(lease, worker, record);
            store.refuse_report(&it, &blob(record), "untrue", &limits()).await.unwrap();
        }
    }
    let lease = lease_one(store, worker).await.lease;
    store.note_upload(lease, &blob("upload")).await.unwrap();

    let kept = ["source", "artefact", "record", "evidence", "upload"];
    for text in kept.into_iter().chain(["orphan"]) {
        site.put(text).await;
    }
    assert_eq!(site.collect(Utc::now()).await, NOTHING, "all of them are young");
    assert_eq!(site.collect(later()).await, DOOMED);
    assert_eq!(site.collect(later() + days(1)).await, NOTHING, "it waits");
    assert_eq!(site.collect(later() + days(2)).await, REMOVED);
    for text in kept {
        assert!(site.is_kept(text).await, "{text}");
    }
    assert!(!site.is_kept("orphan").await);
    assert_eq!(site.collect(later() + days(9)).await, NOTHING);
}

#[tokio::test]
async fn what_comes_in_again_after_it_was_doomed_stays() {
    let site = Site::open().await;
    site.put("source").await;
    assert_eq!(site.collect(later()).await, DOOMED);
    site.put("source").await;
    site.refer_to_source().await;
    assert!(site.is_kept("source").await);
    assert_eq!(site.collect(later() + days(2)).await, SPARED);
    assert!(site.is_kept("source").await);
}

#[tokio::test]
async fn what_comes_in_again_just_before_it_is_doomed_is_back_when_it_is_asked_for() {
    for asked_for in [true, false] {
        let site = Site::open().await;
        // It comes in after it was found to be old, and what refers to it after it was moved.
        site.put("source").await;
        assert_eq!(site.collect(later()).await, DOOMED);
        site.refer_to_source().await;
        if asked_for {
            assert!(site.is_kept("source").await);
            assert_eq!(site.collect(later() + days(2)).await, NOTHING);
        } else {
            assert_eq!(site.collect(later() + days(2)).await, SPARED);
        }
        assert!(site.is_kept("source").await);
    }
}

#[tokio::test]
async fn servers_that_collect_at_once_do_not_trip_over_each_other() {
    let site = Site::open().await;
    for text in ["one", "two", "three", "four"] {
        site.put(text).await;
    }
    for now in [later(), later() + days(2)] {
        let (one, two) = tokio::join!(site.collect(now), site.collect(now));
        let n_done = |it: Collected| it.doomed + it.removed;
        assert!(n_done(one) + n_done(two) >= 4, "{one:?} {two:?}");
    }
    assert!(!site.is_kept("one").await && !site.is_kept("four").await);
    assert_eq!(site.collect(later() + days(2)).await, NOTHING);
}

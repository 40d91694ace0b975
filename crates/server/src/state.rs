//! What every handler can reach.

use std::{ops::Deref, sync::Arc};

use referee::AnyGame;
use store::{Blobs, Store};
use tokio_util::sync::CancellationToken;

use crate::{
    ServeError,
    api::Quotas,
    config::Config,
    machine::{Dispatcher, Ladders, Signer},
    pages::Site,
};

/// What every handler can reach. Cheap to clone.
#[derive(Clone)]
pub struct AppState(Arc<Parts>);

/// The parts of [`AppState`].
pub struct Parts {
    /// What the operator has set.
    pub config: Config,
    /// The database.
    pub store: Store,
    /// Sources, artefacts, records.
    pub blobs: Blobs,
    /// The games.
    pub games: Games,
    /// Cancelled when the server stops: streams end, long polls answer.
    pub stopping: CancellationToken,
    /// What all pages share.
    pub site: Site,
    /// What programs may ask.
    pub(crate) quotas: Quotas,
    /// Their ladders' set-ups.
    pub(crate) ladders: Ladders,
    /// Hands jobs to workers that wait.
    pub(crate) dispatcher: Dispatcher,
    /// Signs the addresses of blobs.
    pub(crate) signer: Signer,
}

/// The games of this server.
#[derive(Clone, Copy)]
pub struct Games(pub &'static [&'static dyn AnyGame]);

impl Games {
    /// The game of this id.
    pub fn get(&self, id: &str) -> Option<&'static dyn AnyGame> {
        self.0.iter().find(|it| it.id() == id).copied()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn AnyGame> {
        self.0.iter().copied()
    }
}

impl AppState {
    /// Connects to all that is needed.
    ///
    /// # Errors
    ///
    /// Where the database, the blobs, the pages or the games' ladders are not as they should be.
    pub async fn open(
        config: Config,
        games: Games,
        stopping: CancellationToken,
    ) -> Result<AppState, ServeError> {
        let store = Store::connect(&config.database.url, config.store_limits()).await?;
        let blobs = Blobs::on_disk(&config.server.data_dir.join("blobs"))?;
        let ladders = Ladders::load(&config.config_dir, games)?;
        let site = Site::load(&config, games)?;
        let signer = Signer::new(store.secret("blob addresses").await?);
        let dispatcher = Dispatcher::start(store.clone(), config.queue_limits(), stopping.clone());
        let quotas = Quotas::new(&config.api);
        let parts = Parts {
            config,
            store,
            blobs,
            games,
            stopping,
            site,
            quotas,
            ladders,
            dispatcher,
            signer,
        };
        Ok(AppState(Arc::new(parts)))
    }
}

impl Deref for AppState {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}

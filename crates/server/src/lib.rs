//! Pages, REST, sessions and live streams.

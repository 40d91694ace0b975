//! Which values make sense, each with what it has to be.

use super::{Config, ConfigError};

impl Config {
    /// Refuses values that make no sense.
    ///
    /// # Errors
    ///
    /// The first of them, with what it has to be.
    pub fn check(&self) -> Result<(), ConfigError> {
        let Config { server, database, queue, ladder, limits, api, config_dir: _ } = self;
        let url = &server.public_url;
        let host = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"));
        require(
            host.is_some_and(|it| !it.is_empty() && !it.contains(['/', '?', '#', ' ', '@'])),
            "server.public_url",
            url,
            "http:// or https://, then a host, with no path after it",
        )?;
        let digest = &server.local_worker_token_digest;
        require(
            digest.is_empty() || server.worker_digest().is_some(),
            "server.local_worker_token_digest",
            digest,
            "empty, or 64 hex digits: the SHA-256 of the worker's token",
        )?;
        require(
            !server.data_dir.as_os_str().is_empty(),
            "server.data_dir",
            "empty",
            "a directory",
        )?;
        require(
            database.url.starts_with("postgres://") || database.url.starts_with("postgresql://"),
            "database.url",
            if database.url.is_empty() { "not set" } else { "of another kind" },
            "postgres://user:password@host/database (DATABASE_URL sets it too)",
        )?;
        within("database.connections_max", database.connections_max, 2, 100, "2 to 100")?;
        within("database.acquire_timeout_s", database.acquire_timeout_s, 1, 60, "1 to 60")?;
        within("database.statement_timeout_s", database.statement_timeout_s, 1, 300, "1 to 300")?;
        within("queue.renew_s", queue.renew_s, 1, 300, "1 to 300")?;
        within("queue.attempts_max", queue.attempts_max, 1, 100, "1 to 100")?;
        within("queue.backoff_s", queue.backoff_s, 0, 3600, "0 to 3600")?;
        within("queue.backoff_max_s", queue.backoff_max_s, 0, 86_400, "0 to 86400")?;
        within("queue.people_match_s", queue.people_match_s, 60, 7 * 86_400, "60 to 604800")?;
        within("ladder.look_s", ladder.look_s, 1, 3600, "1 to 3600")?;
        within("ladder.pending", ladder.pending, 1, 100, "1 to 100")?;
        within("ladder.promise_s", ladder.promise_s, 60, 30 * 86_400, "60 to 2592000")?;
        within("ladder.fit_matches", ladder.fit_matches, 1, 1_000_000, "1 to 1000000")?;
        within("ladder.fit_s", ladder.fit_s, 10, 86_400, "10 to 86400")?;
        within("ladder.interval_s", ladder.interval_s, 1, 30 * 86_400, "1 to 2592000")?;
        require(
            (30.0..=contest::PLACED_DEVIATION_MAX).contains(&ladder.settled_deviation),
            "ladder.settled_deviation",
            &ladder.settled_deviation.to_string(),
            "30 to 110",
        )?;
        let mib = 1 << 20;
        for (key, bytes, most, allowed) in [
            ("limits.source_bytes_max", limits.source_bytes_max, 16 * mib, "1024 to 16777216"),
            ("limits.archive_bytes_max", limits.archive_bytes_max, 64 * mib, "1024 to 67108864"),
            (
                "limits.archive_unpacked_bytes_max",
                limits.archive_unpacked_bytes_max,
                256 * mib,
                "1024 to 268435456",
            ),
            ("limits.artefact_bytes_max", limits.artefact_bytes_max, 1 << 30, "1024 to 1073741824"),
            ("limits.record_bytes_max", limits.record_bytes_max, 1 << 30, "1024 to 1073741824"),
            ("limits.report_bytes_max", limits.report_bytes_max, 64 * mib, "1024 to 67108864"),
            ("limits.plies_bytes_max", limits.plies_bytes_max, 64 * mib, "1024 to 67108864"),
        ] {
            within(key, bytes, 1024, most, allowed)?;
        }
        for (key, found, most, allowed) in [
            ("limits.archive_files_max", limits.archive_files_max, 4_000, "1 to 4000"),
            ("limits.archive_entries_max", limits.archive_entries_max, 20_000, "1 to 20000"),
            ("limits.archive_ratio_max", limits.archive_ratio_max, 1_000, "1 to 1000"),
            ("limits.archives_at_once", limits.archives_at_once, 64, "1 to 64"),
        ] {
            within(key, found, 1, most, allowed)?;
        }
        within("limits.plies_max", limits.plies_max, 1, i32::MAX as u32, "1 to 2147483647")?;
        within("limits.bots_max", limits.bots_max, 1, 100_000, "1 to 100000")?;
        within("limits.builds_waiting_max", limits.builds_waiting_max, 1, 100_000, "1 to 100000")?;
        within(
            "limits.matches_waiting_max",
            limits.matches_waiting_max,
            1,
            100_000,
            "1 to 100000",
        )?;
        let most = 100_000;
        within("limits.people_matches_max", limits.people_matches_max, 1, most, "1 to 100000")?;
        within("limits.invitations_max", limits.invitations_max, 1, most, "1 to 100000")?;
        within("limits.invitation_h", limits.invitation_h, 1, 720, "1 to 720")?;
        within("limits.request_s", limits.request_s, 1, 600, "1 to 600")?;
        within("limits.session_days", limits.session_days, 1, 3650, "1 to 3650")?;
        for (key, found, most, allowed) in [
            (
                "api.account_requests_per_minute",
                api.account_requests_per_minute,
                1_000_000,
                "1 to 1000000",
            ),
            (
                "api.address_requests_per_minute",
                api.address_requests_per_minute,
                1_000_000,
                "1 to 1000000",
            ),
            ("api.token_days_max", api.token_days_max, 3650, "1 to 3650"),
        ] {
            within(key, found, 1, most, allowed)?;
        }
        within("api.idempotency_h", api.idempotency_h, 1, 720, "1 to 720")?;
        let most = 100_000;
        within("api.idempotency_keys_max", api.idempotency_keys_max, 1, most, "1 to 100000")
    }
}

fn require(
    holds: bool,
    key: &'static str,
    found: &str,
    allowed: &'static str,
) -> Result<(), ConfigError> {
    match holds {
        true => Ok(()),
        false => Err(ConfigError::Value { key, found: found.to_owned(), allowed }),
    }
}

fn within<T: PartialOrd + ToString>(
    key: &'static str,
    found: T,
    least: T,
    most: T,
    allowed: &'static str,
) -> Result<(), ConfigError> {
    require(least <= found && found <= most, key, &found.to_string(), allowed)
}

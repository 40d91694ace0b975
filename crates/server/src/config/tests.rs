//! What a file and the environment may say, and what of it is refused.

use super::*;

fn load(toml: &str, environment: &[(&str, &str)]) -> Result<Config, String> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("agon.toml");
    std::fs::write(&file, toml).unwrap();
    let environment = environment.iter().map(|&(k, v)| (k.into(), v.into())).collect();
    Config::from_parts(Some(&file), environment, dir.path()).map_err(|it| it.to_string())
}

const URL: (&str, &str) = ("DATABASE_URL", "postgres:///agon");

#[test]
fn the_environment_overrides_the_file_and_other_tables_are_not_ours() {
    let toml = "[server]\nlisten = '0.0.0.0:80'\n[worker]\nslots = 3\n[ladder]\npending = 4";
    let config = load(
        toml,
        &[
            URL,
            ("AGON_SERVER__LISTEN", "127.0.0.1:81"),
            ("AGON_SERVER__TRUSTED_PROXIES", "10.0.0.1, ::1"),
            ("AGON_LADDER__ENABLED", "false"),
            ("AGON_QUEUE__RENEW_S", "7"),
            ("AGON_PG_BIN", "/nowhere"),
            ("AGON_CONFIG_DIR", "/nowhere"),
        ],
    )
    .unwrap();
    assert_eq!(config.server.listen.to_string(), "127.0.0.1:81");
    assert_eq!(config.server.trusted_proxies.len(), 2);
    assert_eq!(config.ladder.pending, 4);
    assert!(!config.ladder.enabled);
    assert_eq!(config.queue_limits().lease.as_secs(), 21);
    assert_eq!(config.database.url, URL.1);
}

#[test]
fn keys_nobody_knows_and_values_of_no_sense_are_refused_by_name() {
    let table = [
        ("[server]\nlitsen = '127.0.0.1:1'", "litsen"),
        ("[limits]\nbots_max = 'many'", "bots_max"),
        ("[limits]\narchive_files_max = 4001", "limits.archive_files_max is 4001"),
        ("[limits]\narchives_at_once = 0", "limits.archives_at_once is 0; it has to be 1 to 64"),
        ("[limits]\nbots_max = 0", "limits.bots_max is 0; it has to be 1 to 100000"),
        ("[server]\npublic_url = 'agon.example'", "server.public_url"),
        ("[server]\npublic_url = 'https://agon.example/path'", "server.public_url"),
        ("[server]\ntrusted_proxies = ['proxy']", "proxy"),
        ("[server]\nlocal_worker_token_digest = 'abc'", "local_worker_token_digest"),
        ("[queue]\nrenew_s = 0", "queue.renew_s"),
        ("[ladder]\nsettled_deviation = 10", "ladder.settled_deviation"),
        ("[ladder]\npromise_s = 5", "ladder.promise_s is 5; it has to be 60 to 2592000"),
        ("[ladder]\nfit_s = 5", "ladder.fit_s"),
        ("[ladder]\nfit_matches = 0", "ladder.fit_matches"),
        ("[ladder]\nsettled_deviation = 111", "it has to be 30 to 110"),
        ("[api]\ntoken_days_max = 0", "api.token_days_max is 0; it has to be 1 to 3650"),
        ("[api]\nburst = 1", "burst"),
        ("[server", "agon.toml"),
    ];
    for (toml, names) in table {
        let why = load(toml, &[URL]).unwrap_err();
        assert!(why.contains(names), "{toml}: {why}");
    }
    let why = load("", &[]).unwrap_err();
    assert!(why.contains("database.url is not set"), "{why}");
    let why = load("", &[URL, ("AGON_LIMITS__BOTS", "1")]).unwrap_err();
    assert!(why.contains("bots"), "{why}");
}

#[test]
fn no_archive_is_taken_that_nobody_would_build() {
    let sources::Limits { bytes_max, files_max, entries_max, unpacked_bytes_max, .. } =
        sources::Limits::CEILING;
    for (key, most) in [
        ("archive_bytes_max", bytes_max),
        ("archive_files_max", files_max.into()),
        ("archive_entries_max", entries_max.into()),
        ("archive_unpacked_bytes_max", unpacked_bytes_max),
        ("archive_ratio_max", sources::Limits::CEILING.ratio_max.into()),
    ] {
        load(&format!("[limits]\n{key} = {most}"), &[URL]).unwrap();
        let why = load(&format!("[limits]\n{key} = {}", most + 1), &[URL]).unwrap_err();
        assert!(why.contains(&format!("to {most}")), "{why}");
    }
}

#[test]
fn the_shipped_file_holds_every_key_with_its_default() {
    const OURS: [&str; 6] = ["server", "database", "queue", "ladder", "limits", "api"];
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config/agon.toml");
    let text = std::fs::read_to_string(&shipped).unwrap();
    let set: String = text
        .lines()
        .map(|it| it.strip_prefix("# ").filter(|it| it.contains(" = ")).unwrap_or(it))
        .map(|it| format!("{it}\n"))
        .collect();
    let mut set: toml::Table = set.parse().unwrap();
    // The rest is the worker's and the machine's, and they check it.
    set.retain(|it, _| OURS.contains(&it));
    let defaults = format!("{:?}", Config::default());
    let shipped = load(&toml::to_string(&set).unwrap(), &[URL]).unwrap();
    let shipped = Config {
        database: Database { url: String::new(), ..shipped.database },
        config_dir: PathBuf::new(),
        ..shipped
    };
    assert_eq!(format!("{shipped:?}"), defaults);
    for (table, keys) in
        [("server", 5), ("database", 4), ("queue", 5), ("ladder", 8), ("limits", 20), ("api", 5)]
    {
        assert_eq!(set[table].as_table().unwrap().len(), keys, "keys of [{table}]");
    }
}

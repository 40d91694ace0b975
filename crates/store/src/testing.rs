//! A private Postgres for tests: nothing needs to run before, nothing stays behind.
//!
//! Each test process runs one, from a directory that is prepared once and then
//! copied; each test has a database of its own. A shell holds the server, and
//! ends it when the process is gone, however it went.

use std::{
    env, fs,
    os::unix::{
        fs::{MetadataExt as _, PermissionsExt as _, chown},
        process::CommandExt as _,
    },
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use sqlx::{Connection, PgConnection};
use uuid::Uuid;

use crate::{Limits, MIGRATIONS, Store, digest_of, migrate};

const START_MAX: Duration = Duration::from_secs(60);
const SUPERUSER: &str = "agon";
/// Runs until the test process, which holds the other end of its input, is gone.
const HOLDER: &str = r#""$1/postgres" -D "$3" -k "$2" -h '' -F -c max_connections=300 \
    -c synchronous_commit=off -c full_page_writes=off -c autovacuum=off >"$2/log" 2>&1 &
pg=$!
read -r _
kill -INT $pg
wait $pg
rm -rf "$2""#;

/// A store of its own, with the schema and nothing in it.
///
/// # Panics
///
/// Where no Postgres can be found or started; the message says what to do.
pub async fn store() -> Store {
    store_with(Limits::default()).await
}

/// The same, with other limits.
///
/// # Panics
///
/// As [`store`].
pub async fn store_with(limits: Limits) -> Store {
    Store::connect(&database().await, limits).await.expect("the test database takes connections")
}

/// Address of a database of its own, with the schema and nothing in it.
///
/// # Panics
///
/// As [`store`].
pub async fn database() -> String {
    database_like("pristine").await
}

/// Address of a database of its own, with nothing in it at all.
///
/// # Panics
///
/// As [`store`].
pub async fn empty_database() -> String {
    database_like("template0").await
}

async fn database_like(template: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let server = tokio::task::spawn_blocking(server)
        .await
        .expect("starting Postgres does not panic")
        .unwrap_or_else(|why| panic!("no Postgres for tests: {why}"));
    let name = format!("t{}", NEXT.fetch_add(1, Ordering::Relaxed));
    let mut db = connect(&server, "postgres").await;
    let create = format!("create database {name} template {template}");
    sqlx::raw_sql(sqlx::AssertSqlSafe(create))
        .execute(&mut db)
        .await
        .expect("a test database can be made");
    address(&server, &name)
}

/// Makes an account; its name and id are unique.
///
/// # Panics
///
/// Where the database fails.
pub async fn account(store: &Store) -> Uuid {
    let id = Uuid::now_v7();
    let name = format!("someone {}", &id.simple().to_string()[16..]);
    sqlx::query!("insert into accounts (id, name, name_key) values ($1, $2, $2)", id, name)
        .execute(store.pool())
        .await
        .expect("an account can be made");
    id
}

/// Runs any SQL, to arrange what no function of the store would: time that has passed.
///
/// # Panics
///
/// Where it fails.
pub async fn sql(store: &Store, statements: &str) {
    sqlx::raw_sql(sqlx::AssertSqlSafe(statements.to_owned()))
        .execute(store.pool())
        .await
        .unwrap_or_else(|why| panic!("{statements}: {why}"));
}

/// What was noted of an object, the oldest first: act, by whom, detail.
///
/// # Panics
///
/// Where the database fails.
pub async fn acts(store: &Store, object: &str) -> Vec<(String, Option<Uuid>, serde_json::Value)> {
    let acts = sqlx::query!(
        "select act, account, detail from audit_log where object = $1 order by id",
        object
    );
    let acts = acts.fetch_all(store.pool()).await.expect("acts can be read");
    acts.into_iter().map(|it| (it.act, it.account, it.detail)).collect()
}

fn address(dir: &Path, name: &str) -> String {
    let dir = dir.display().to_string().replace('/', "%2F");
    format!("postgres://{SUPERUSER}@{dir}/{name}")
}

async fn connect(dir: &Path, name: &str) -> PgConnection {
    PgConnection::connect(&address(dir, name)).await.expect("the test server takes connections")
}

/// Starts this process's server at the first call; says where its socket is.
fn server() -> Result<PathBuf, String> {
    static SERVER: OnceLock<Result<(PathBuf, Holder), String>> = OnceLock::new();
    let server = SERVER.get_or_init(|| {
        let bin = binaries()?;
        let user = User::of_postgres()?;
        let pristine = pristine(&bin, user)?;
        let dir = fresh_dir("agon-test-pg", user)?;
        let data = dir.join("data");
        output(Command::new("cp").arg("-a").arg(&pristine).arg(&data))?;
        let holder = hold(&bin, &dir, &data, user)?;
        Ok((dir, holder))
    });
    server.as_ref().map(|it| it.0.clone()).map_err(Clone::clone)
}

/// A data directory with a database `pristine`, prepared once for each
/// version of Postgres and of the schema.
fn pristine(bin: &Path, user: Option<User>) -> Result<PathBuf, String> {
    let version = output(Command::new(bin.join("postgres")).arg("--version"))?;
    let mut schema = version.clone();
    MIGRATIONS.iter().for_each(|it| schema.push_str(&hex::encode(&*it.checksum)));
    let owner = user.map_or_else(|| env::var("USER").unwrap_or_default(), |it| it.uid.to_string());
    let name = format!("agon-pristine-pg-{owner}-{}", &digest_of(schema.as_bytes())[..16]);
    let done = env::temp_dir().join(&name);
    if done.is_dir() {
        return Ok(done);
    }
    // Prepared beside and moved into place: of two processes that do it at once, one wins.
    let data = fresh_dir(&name, user)?;
    let mut initdb = Command::new(bin.join("initdb"));
    initdb.arg("-D").arg(&data).args(["-U", SUPERUSER, "-A", "trust", "-E", "UTF8"]);
    initdb.args(["--locale=C", "--no-sync"]);
    output(dropped(&mut initdb, user))?;
    let dir = fresh_dir("agon-pg", user)?;
    let holder = hold(bin, &dir, &data, user)?;
    with_runtime(async move {
        let mut db = connect(&dir, "postgres").await;
        sqlx::raw_sql("create database pristine").execute(&mut db).await?;
        let options = address(&dir, "pristine").parse()?;
        migrate(&options).await
    })?
    .map_err(|why| format!("the schema cannot be made: {why:?}"))?;
    // Stopped in order, so that copies have nothing to recover.
    holder.stop()?;
    match fs::rename(&data, &done) {
        Ok(()) => Ok(done),
        Err(_) if done.is_dir() => Ok(done),
        Err(why) => Err(format!("cannot keep {}: {why}", done.display())),
    }
}

/// Starts a server that lives as long as what is returned, and as this process.
fn hold(bin: &Path, dir: &Path, data: &Path, user: Option<User>) -> Result<Holder, String> {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", HOLDER, "sh"]).arg(bin).arg(dir).arg(data).process_group(0);
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir(dir);
    let mut shell = dropped(&mut shell, user).spawn().map_err(|why| format!("/bin/sh: {why}"))?;
    let input = shell.stdin.take();
    let since = Instant::now();
    let address = address(dir, "postgres");
    loop {
        let address = address.clone();
        if with_runtime(async move { PgConnection::connect(&address).await })?.is_ok() {
            return Ok(Holder { input, shell });
        }
        if since.elapsed() > START_MAX || shell.try_wait().is_ok_and(|it| it.is_some()) {
            let log = fs::read_to_string(dir.join("log")).unwrap_or_default();
            return Err(format!("it does not start: {log}"));
        }
        thread::sleep(Duration::from_millis(30));
    }
}

/// Runs something to its end on a thread of its own: whoever calls may be
/// inside a runtime, or not.
fn with_runtime<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> Result<T, String> {
    let thread = thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.map(|it| it.block_on(work)).map_err(|why| why.to_string())
    });
    thread.join().map_err(|_| "preparing it went wrong".to_owned())?
}

/// The shell that holds a server. As long as its input is open, the server runs.
struct Holder {
    input: Option<ChildStdin>,
    shell: Child,
}

impl Holder {
    fn stop(mut self) -> Result<(), String> {
        drop(self.input.take());
        self.shell.wait().map_err(|why| format!("/bin/sh: {why}"))?;
        Ok(())
    }
}

/// Whom Postgres runs as, where we are root.
#[derive(Clone, Copy)]
struct User {
    uid: u32,
    gid: u32,
}

impl User {
    fn of_postgres() -> Result<Option<User>, String> {
        let myself = fs::metadata("/proc/self").map_err(|why| format!("/proc/self: {why}"))?;
        if myself.uid() != 0 {
            return Ok(None);
        }
        let passwd = fs::read_to_string("/etc/passwd").map_err(|why| format!("passwd: {why}"))?;
        ["postgres", "nobody"]
            .iter()
            .find_map(|name| User::named(&passwd, name))
            .map(Some)
            .ok_or_else(|| "there is neither a user `postgres` nor `nobody` to drop to".to_owned())
    }

    fn named(passwd: &str, name: &str) -> Option<User> {
        let fields: Vec<&str> =
            passwd.lines().map(|it| it.split(':').collect()).find(|it: &Vec<_>| it[0] == name)?;
        Some(User { uid: fields.get(2)?.parse().ok()?, gid: fields.get(3)?.parse().ok()? })
    }
}

/// The same command, without root.
fn dropped(command: &mut Command, user: Option<User>) -> &mut Command {
    if let Some(user) = user {
        command.gid(user.gid).uid(user.uid);
    }
    command
}

fn binaries() -> Result<PathBuf, String> {
    let wanted = env::var_os("AGON_PG_BIN").map(PathBuf::from);
    let on_path = env::var_os("PATH").unwrap_or_default();
    let mut of_debian: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|it| it.path().join("bin"))
        .collect();
    of_debian.sort();
    let places = match wanted {
        Some(it) => vec![it],
        None => env::split_paths(&on_path).chain(of_debian.into_iter().rev()).collect(),
    };
    places
        .into_iter()
        .find(|it| it.join("initdb").is_file() && it.join("postgres").is_file())
        // Behind a link lies what belongs to it.
        .and_then(|it| fs::canonicalize(it.join("postgres")).ok()?.parent().map(Path::to_owned))
        .ok_or_else(|| {
            "initdb and postgres are neither in AGON_PG_BIN, nor on PATH, nor in \
             /usr/lib/postgresql/*/bin; install Debian's package `postgresql`"
                .to_owned()
        })
}

fn fresh_dir(name: &str, user: Option<User>) -> Result<PathBuf, String> {
    let dir = env::temp_dir().join(format!("{name}-{}", &Uuid::new_v4().simple().to_string()[..8]));
    let failed = |why: std::io::Error| format!("{}: {why}", dir.display());
    fs::create_dir(&dir).map_err(failed)?;
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o700)).map_err(failed)?;
    if let Some(user) = user {
        chown(&dir, Some(user.uid), Some(user.gid)).map_err(failed)?;
    }
    Ok(dir)
}

fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().display().to_string();
    let done = command
        .current_dir("/")
        .stdin(Stdio::null())
        .output()
        .map_err(|why| format!("{name}: {why}"))?;
    match done.status.success() {
        true => Ok(String::from_utf8_lossy(&done.stdout).into_owned()),
        false => Err(format!("{name}: {}", String::from_utf8_lossy(&done.stderr).trim())),
    }
}

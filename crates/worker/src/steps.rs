//! What is done for a build and for a match: fetch, run, upload, tell.

use std::{
    fs::File,
    io::{BufReader, Read, Seek, Write},
    sync::Arc,
    time::Duration,
};

use game::{PerSeat, Sitter};
use jobs::{
    BUILD_LOG_BYTES_MAX, BuildJob, BuildReport, Deeds, DeedsRequest, Frames, Input, KnownBuild,
    MatchJob, MatchReport, POLL_S_MAX, STDERR_BYTES_MAX, SeatJob, SeatReport, Upload, Uploaded,
};
use runner::{
    Artefact, Batch, Built, Compliance, Deed, FromPeople, JailedProgram, Language, Order, Played,
    Sources, Terms, Wires, causes,
    sources::{Adapted, Limits},
};
use sha2::{Digest, Sha256};
use tokio::{
    sync::mpsc,
    time::{sleep, timeout},
};
use uuid::Uuid;

use crate::{
    lease::Context,
    server::{Backoff, Server},
    thread,
};

/// Largest artefact that is played.
const ARTEFACT_BYTES_MAX: u64 = 256 << 20;
/// Times that a download or an upload is tried.
const TRIES_MAX: u32 = 5;
/// How long plies that are behind may hold up the report of a match that is over.
const PLIES_WAIT: Duration = Duration::from_secs(5);
/// What the dialogue of a new bot may take in all.
const COMPLIANCE_WAIT: Duration = Duration::from_secs(120);

/// Makes a version ready to play.
///
/// # Errors
///
/// Ours, for the operator, as in all that follows.
pub(crate) async fn build(context: Context, job: BuildJob) -> Result<BuildReport, String> {
    let language = language(&context, &job.language)?;
    context.machine.look_again(&language).await;
    let toolchain = toolchain(&context, &job.language)?;
    let game = games::find(&job.game).ok_or_else(|| no_game(&job.game))?;
    if usize::from(job.seat.0) >= game.roles().len() {
        return Err(format!("{} has no seat {}", job.game, job.seat.0));
    }
    let mut bytes = Vec::new();
    let mut file = fetch(&context, &job.source, Limits::CEILING.bytes_max).await?;
    file.read_to_end(&mut bytes).map_err(|error| io("reading the source", &error))?;
    drop(file);
    let mut report = BuildReport {
        artefact: None,
        log: String::new(),
        why: None,
        toolchain,
        recipe: None,
        reused: false,
        build_ms: 0,
        compliance: None,
    };
    let file_name = job.file_name.clone();
    let read = move || Sources::read(&file_name, &bytes, &Limits::CEILING);
    let read = tokio::task::spawn_blocking(read).await.map_err(|error| causes(&error))?;
    let upload = match read {
        Ok(upload) => Arc::new(upload),
        Err(why) => {
            report.why = Some(why.to_string());
            return Ok(report);
        }
    };
    let adapters = context.machine.config.adapters.clone();
    let (game_id, language_id, its) = (job.game.clone(), job.language.clone(), upload.clone());
    let adapt = move || adapters.adapt(&game_id, &language_id, &its);
    let adapted = tokio::task::spawn_blocking(adapt).await.map_err(|error| causes(&error))?;
    let (upload, main) = match adapted {
        Ok(Some(Adapted { sources, main })) => (Arc::new(sources), Some(main)),
        Ok(None) => (upload, None),
        Err(why) => {
            report.why = Some(why.to_string());
            return Ok(report);
        }
    };
    if let Ok(plan) = language.plan_by(&job.file_name, &upload, main.as_deref()) {
        report.recipe = Some(plan.recipe(&language, &report.toolchain));
    }
    let known = job.known.iter().find(|it| Some(&it.recipe) == report.recipe.as_ref());
    let known = match known {
        Some(known) => known_artefact(&context, known).await,
        None => None,
    };
    let artefact = match known {
        Some((artefact, uploaded)) => {
            report.reused = true;
            report.artefact = Some(uploaded);
            artefact
        }
        None => match compile(&context, &job, &language, (upload, main), &mut report).await? {
            Some(artefact) => artefact,
            None => return Ok(report),
        },
    };

    let Context { cancel, slot, .. } = context.clone();
    let fairness = context.machine.config.fairness;
    let core = context.machine.core(slot, job.seat.0);
    let program = JailedProgram::new(&context.machine.client, &language, &artefact, core);
    let run = move || async move {
        let terms =
            Terms { wall_max: COMPLIANCE_WAIT, stderr_bytes_max: STDERR_BYTES_MAX, fairness };
        runner::comply(game, &job.setup, job.seat, program, &terms).await
    };
    let complied = thread::alone(format!("dialogue-{slot}"), cancel, run).await?;
    report.compliance = Some(compliance(complied.map_err(|error| causes(&error))?));
    Ok(report)
}

/// What was built before of the same source by the same recipe. Where it cannot be had,
/// it is built again.
async fn known_artefact(context: &Context, known: &KnownBuild) -> Option<(Artefact, Uploaded)> {
    let Input { digest, bytes, .. } = known.artefact.clone();
    match ready(context, &known.artefact).await {
        Ok(artefact) => Some((artefact, Uploaded { digest, bytes })),
        Err(why) => {
            tracing::warn!(digest, why, "what was built before cannot be had");
            None
        }
    }
}

/// Builds, and puts what came of it where it belongs; none where there is nothing, and the
/// report says why.
async fn compile(
    context: &Context,
    job: &BuildJob,
    language: &Language,
    (upload, main): (Arc<Sources>, Option<String>),
    report: &mut BuildReport,
) -> Result<Option<Artefact>, String> {
    let Context { machine, cancel, slot, .. } = context.clone();
    let (pack_bytes_max, file_name) = (job.artefact.bytes_max, job.file_name.clone());
    let its = language.clone();
    let run = move || async move {
        let order = Order {
            language: &its,
            file_name: &file_name,
            upload: &upload,
            main: main.as_deref(),
            scratch: &machine.scratch,
            core: machine.core(slot, 0),
            log_bytes_max: BUILD_LOG_BYTES_MAX,
            pack_bytes_max,
        };
        runner::build(&machine.client, &order).await
    };
    let built = thread::alone(format!("build-{slot}"), cancel, run).await?;
    let Built { pack, log, took } = built.map_err(|error| causes(&error))?;
    (report.log, report.build_ms) = (log, took.as_millis() as u64);
    let pack = match pack {
        Ok(pack) => pack,
        Err(why) => {
            report.why = Some(why);
            return Ok(None);
        }
    };
    let uploaded = Uploaded { digest: pack.digest, bytes: pack.bytes };
    put(context, &job.artefact, &pack.file, &uploaded).await?;
    let artefact = unpack(context, &uploaded.digest, pack.file).await?;
    report.artefact = Some(uploaded);
    Ok(Some(artefact))
}

/// Plays a match.
pub(crate) async fn play(context: Context, job: MatchJob) -> Result<MatchReport, String> {
    let game = games::find(&job.game).ok_or_else(|| no_game(&job.game))?;
    if game.rules() != job.rules {
        let (ours, wanted) = (game.rules(), job.rules);
        return Err(format!(
            "this worker has rules {ours} of {}, the match wants {wanted}",
            job.game
        ));
    }
    if job.seats.n_seats() != game.roles().len() {
        let (found, wanted) = (job.seats.n_seats(), game.roles().len());
        return Err(format!("the match has {found} seats, {} has {wanted}", job.game));
    }
    let mut programs = Vec::new();
    for (seat, bot) in job.seats.iter() {
        let Some(SeatJob { language: id, artefact, .. }) = bot else {
            programs.push(None);
            continue;
        };
        let language = language(&context, id)?;
        context.machine.look_again(&language).await;
        toolchain(&context, id)?;
        let artefact = ready(&context, artefact).await?;
        let core = context.machine.core(context.slot, seat.0);
        programs.push(Some(JailedProgram::new(
            &context.machine.client,
            &language,
            &artefact,
            core,
        )));
    }
    let programs = PerSeat::from(programs);
    let sitters = programs.map(|_, it| if it.is_some() { Sitter::Bot } else { Sitter::Person });
    let has_people = sitters.iter().any(|(_, it)| *it == Sitter::Person);
    let referee = match job.played.is_empty() {
        true => game.referee(&job.setup, sitters).map_err(|why| format!("the set-up: {why}"))?,
        false => game
            .resume(&job.setup, sitters, &job.played)
            .map_err(|why| format!("what was played before: {why}"))?,
    };

    let (feed, plies) = mpsc::channel(1);
    let (heard, people) = mpsc::channel(1);
    let wires = Wires {
        plies: Some(feed),
        plies_told: job.played.len() as u32,
        people: has_people.then_some(people),
    };
    let wall_s = job.left_s.unwrap_or_else(|| context.machine.config.match_s_max.into());
    let terms = Terms {
        wall_max: Duration::from_secs(wall_s),
        stderr_bytes_max: STDERR_BYTES_MAX,
        fairness: context.machine.config.fairness,
    };
    let run = move || async move { runner::play(referee, &programs, &terms, wires).await };
    let name = format!("match-{}", context.slot);
    let playing = thread::alone(name, context.cancel.clone(), run);
    let streaming = stream(context.server.clone(), context.lease, plies);
    tokio::pin!(streaming);
    let mut streamed = false;
    let listening = listen(context.server.clone(), context.lease, heard);
    tokio::pin!(listening);
    let mut listened = !has_people;
    tokio::pin!(playing);
    let played = loop {
        tokio::select! {
            played = &mut playing => break played?,
            () = &mut streaming, if !streamed => streamed = true,
            heard = &mut listening, if !listened => {
                heard?;
                listened = true;
            }
        }
    };
    let Played { outcome, record, plies, seats } = played.map_err(|error| causes(&error))?;
    if !streamed && timeout(PLIES_WAIT, streaming).await.is_err() {
        tracing::debug!(lease = %context.lease, "the last plies are told by the record alone");
    }
    let (file, uploaded) = compress(&context, record).await?;
    put(&context, &job.record, &file, &uploaded).await?;
    let seats = seats.map(|_, it| seat_report(it.clone()));
    Ok(MatchReport { outcome, record: uploaded, plies, seats })
}

/// Sends plies as they come. Where that cannot be, the record tells them.
async fn stream(server: Server, lease: Uuid, mut batches: mpsc::Receiver<Batch>) {
    while let Some(Batch { from, plies }) = batches.recv().await {
        let frames = Frames { from, plies };
        let mut backoff = Backoff::default();
        while let Err(error) = server.plies(lease, &frames).await {
            if error.is_our_fault() {
                tracing::debug!(%lease, %error, "plies are told by the record alone from here");
                return;
            }
            sleep(backoff.next()).await;
        }
    }
}

/// Passes on what people decide, for as long as the match goes on. While the server is away they
/// cannot be heard: their clocks stand still, and what they had decided comes when it is back.
///
/// # Errors
///
/// Where the server will never tell: nobody may lose a match by that.
async fn listen(server: Server, lease: Uuid, to: mpsc::Sender<FromPeople>) -> Result<(), String> {
    let mut request = DeedsRequest { after: 0, wait_s: POLL_S_MAX };
    let mut backoff = Backoff::default();
    let mut away = false;
    loop {
        let mut news = Vec::new();
        match server.deeds(lease, &request).await {
            Ok(Deeds { deeds, last }) => {
                backoff = Backoff::default();
                request.after = last;
                news.extend(deeds.into_iter().map(|jobs::Deed { ply, seat, action, log }| {
                    FromPeople::Decided(Deed { ply, seat, action, log })
                }));
                if std::mem::take(&mut away) {
                    news.push(FromPeople::Back);
                }
            }
            // Nothing that comes of the match counts any more.
            Err(error) if error.is_lost() => return Ok(()),
            Err(error) if error.is_our_fault() => {
                return Err(format!("people cannot be heard: {error}"));
            }
            Err(error) => {
                tracing::debug!(%lease, %error, "people cannot be heard; trying again");
                if !std::mem::replace(&mut away, true) {
                    news.push(FromPeople::Away);
                }
            }
        }
        for it in news {
            if to.send(it).await.is_err() {
                return Ok(());
            }
        }
        if away {
            sleep(backoff.next()).await;
        }
    }
}

fn language(context: &Context, id: &str) -> Result<Language, String> {
    let language = context.machine.config.languages.get(id).cloned();
    language.ok_or_else(|| format!("this worker has no language {id}"))
}

fn toolchain(context: &Context, id: &str) -> Result<String, String> {
    let toolchain = context.machine.toolchain(id);
    toolchain.map_err(|why| format!("the language {id} is not available on this worker: {why}"))
}

/// The artefact, unpacked, from the cache or from the server.
async fn ready(context: &Context, input: &Input) -> Result<Artefact, String> {
    if let Some(artefact) = context.machine.cache.get(&input.digest) {
        return Ok(artefact);
    }
    let file = fetch(context, input, ARTEFACT_BYTES_MAX).await?;
    unpack(context, &input.digest, file).await
}

async fn unpack(context: &Context, digest: &str, mut file: File) -> Result<Artefact, String> {
    let (machine, digest) = (Arc::clone(&context.machine), digest.to_owned());
    let unpacked = tokio::task::spawn_blocking(move || {
        file.rewind().map_err(|error| io("unpacking", &error))?;
        machine.cache.put(&digest, BufReader::new(file)).map_err(|error| causes(&error))
    });
    unpacked.await.map_err(|error| causes(&error))?
}

/// Fetches into a file without a name, several times if need be.
async fn fetch(context: &Context, input: &Input, bytes_max: u64) -> Result<File, String> {
    let mut backoff = Backoff::default();
    let mut n_tries = 0;
    loop {
        n_tries += 1;
        let made = tempfile::tempfile_in(&context.machine.scratch);
        let mut file = made.map_err(|error| io("storing", &error))?;
        match context.server.fetch(input, bytes_max, &mut file).await {
            Ok(()) => {
                file.rewind().map_err(|error| io("storing", &error))?;
                return Ok(file);
            }
            Err(error) if error.is_our_fault() || n_tries == TRIES_MAX => {
                return Err(error.to_string());
            }
            Err(_) => sleep(backoff.next()).await,
        }
    }
}

/// Uploads, several times if need be.
async fn put(
    context: &Context,
    upload: &Upload,
    file: &File,
    uploaded: &Uploaded,
) -> Result<(), String> {
    let mut backoff = Backoff::default();
    let mut n_tries = 0;
    loop {
        n_tries += 1;
        match context.server.put(upload, file, uploaded).await {
            Ok(()) => return Ok(()),
            Err(error) if error.is_our_fault() || n_tries == TRIES_MAX => {
                return Err(error.to_string());
            }
            Err(_) => sleep(backoff.next()).await,
        }
    }
}

/// The record as it is stored.
async fn compress(context: &Context, record: Vec<u8>) -> Result<(File, Uploaded), String> {
    let scratch = context.machine.scratch.clone();
    let compressed = tokio::task::spawn_blocking(move || {
        let bytes = runner::pack_record(&record)?;
        let mut file = tempfile::tempfile_in(scratch)?;
        file.write_all(&bytes)?;
        let digest = hex::encode(Sha256::digest(&bytes));
        Ok((file, Uploaded { digest, bytes: bytes.len() as u64 }))
    });
    let compressed = compressed.await.map_err(|error| causes(&error))?;
    compressed.map_err(|error| io("compressing the record", &error))
}

fn compliance(it: Compliance) -> jobs::Compliance {
    jobs::Compliance {
        answers: it.answers,
        fault: it.fault,
        remarks: it.remarks,
        stderr: it.stderr,
        first_answer_ms: ms(it.first_answer.unwrap_or_default()),
    }
}

fn seat_report(it: runner::SeatReport) -> SeatReport {
    SeatReport {
        fault: it.fault,
        faults: it.faults,
        warnings: it.warnings,
        charged_ms: ms(it.charged),
        slowest_ms: ms(it.slowest),
        cpu_ms: ms(it.cpu),
        memory_peak_bytes: it.memory_peak_bytes,
        stderr: it.stderr,
    }
}

fn ms(duration: Duration) -> u64 {
    duration.as_millis() as u64
}

fn no_game(id: &str) -> String {
    format!("this worker has no game {id}")
}

fn io(doing: &str, error: &std::io::Error) -> String {
    format!("{doing}: {error}")
}

-- The first schema. Ids are made by the program (UUID v7 where rows are listed
-- by age, v4 where they must not be guessed). Every text has a limit here too,
-- so that no path around the forms can break a page.

-- People --------------------------------------------------------------------

create table accounts (
    id            uuid primary key,
    name          text not null check (char_length(name) between 2 and 32),
    -- Normalised for comparing (NFKC, lower case): no two names that look the same.
    name_key      text not null unique check (octet_length(name_key) <= 256),
    password_hash text check (octet_length(password_hash) <= 512),
    role          text not null default 'contestant' check (role in ('contestant', 'organiser', 'admin')),
    -- Bots of the house: documented, never rewarded.
    house         boolean not null default false,
    created_at    timestamptz not null default now(),
    disabled_at   timestamptz
);

create table sessions (
    -- SHA-256 of the cookie, which is known to the browser alone.
    digest     bytea primary key check (octet_length(digest) = 32),
    account    uuid not null references accounts on delete cascade,
    created_at timestamptz not null default now(),
    seen_at    timestamptz not null default now(),
    expires_at timestamptz not null,
    user_agent text not null check (char_length(user_agent) <= 256)
);
create index sessions_by_account on sessions (account);

-- Links that let their holder in once: the first admin, a forgotten password.
create table one_time_links (
    digest     bytea primary key check (octet_length(digest) = 32),
    account    uuid not null references accounts on delete cascade,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at    timestamptz
);

create table audit_log (
    id      bigint generated always as identity primary key,
    at      timestamptz not null default now(),
    -- Null: the program itself.
    account uuid references accounts,
    act     text not null check (char_length(act) between 1 and 64),
    object  text not null check (char_length(object) <= 128),
    detail  jsonb not null default '{}'
);

-- Keys the program makes for itself at its first start.
create table secrets (
    name  text primary key,
    value bytea not null
);

-- Bots ----------------------------------------------------------------------

create table bots (
    id             uuid primary key,
    account        uuid not null references accounts,
    game           text not null,
    role           text not null,
    name           text not null check (char_length(name) between 2 and 32),
    name_key       text not null check (octet_length(name_key) <= 256),
    -- waiting: no version is ready. validating: its first match is to come.
    -- active: on the ladder. benched: taken off it, by its owner or for a fault.
    state          text not null default 'waiting' check (state in ('waiting', 'validating', 'active', 'benched')),
    benched_by     text check (benched_by in ('owner', 'fault')),
    benched_why    text check (char_length(benched_why) <= 1000),
    -- When a version of it last came through a validation match; null again
    -- once one has failed there.
    validated_at   timestamptz,
    active_version uuid,
    created_at     timestamptz not null default now(),
    check ((state = 'benched') = (benched_by is not null)),
    check ((state = 'benched') = (benched_why is not null)),
    check ((state = 'waiting') <= (active_version is null)),
    unique (game, name_key),
    unique (id, account)
);
create index bots_by_account on bots (account, created_at);
create index bots_on_ladder on bots (game, role) where state in ('validating', 'active');

create table versions (
    id               uuid primary key,
    bot              uuid not null references bots,
    number           integer not null check (number >= 1),
    language         text not null check (char_length(language) <= 32),
    file_name        text not null check (char_length(file_name) between 1 and 100),
    source_digest    text not null check (char_length(source_digest) = 64),
    source_bytes     bigint not null check (source_bytes > 0),
    -- queued, building, ready; refused: does not compile, an owner's matter;
    -- failed: ours, after every attempt.
    state            text not null default 'queued' check (state in ('queued', 'building', 'ready', 'refused', 'failed')),
    why              text check (char_length(why) <= 1000),
    build_log        text check (octet_length(build_log) <= 70000),
    toolchain        text check (char_length(toolchain) <= 1000),
    build_ms         bigint,
    artefact_digest  text check (char_length(artefact_digest) = 64),
    artefact_bytes   bigint,
    compliance       jsonb,
    created_at       timestamptz not null default now(),
    built_at         timestamptz,
    check ((state = 'ready') = (artefact_digest is not null)),
    check ((artefact_digest is null) = (artefact_bytes is null)),
    unique (bot, number),
    unique (id, bot)
);
alter table bots add foreign key (active_version, id) references versions (id, bot);

-- Matches -------------------------------------------------------------------

create table matches (
    id            uuid primary key,
    game          text not null,
    rules         integer not null,
    setup         jsonb not null,
    -- Name of the set-up in the game's ladder; null where somebody made his own.
    preset        text check (char_length(preset) between 1 and 64),
    purpose       text not null check (purpose in ('validation', 'ladder', 'friendly')),
    rated         boolean not null,
    state         text not null default 'queued' check (state in ('queued', 'running', 'finished', 'void')),
    void_why      text check (char_length(void_why) <= 1000),
    created_by    uuid references accounts,
    created_at    timestamptz not null default now(),
    started_at    timestamptz,
    finished_at   timestamptz,
    -- Counts finished matches of a game in the order in which they were rated:
    -- ratings are a fold over it, and anybody can do it again.
    finish_no     bigint,
    outcome       jsonb,
    plies         integer,
    record_digest text check (char_length(record_digest) = 64),
    record_bytes  bigint,
    check ((state = 'finished') = (outcome is not null)),
    check ((state = 'finished') = (finish_no is not null)),
    unique (game, finish_no),
    unique (id, rated)
);
create index matches_to_come on matches (game) where state in ('queued', 'running');
create index matches_void on matches (game, finished_at) where state = 'void';
create index matches_by_finish on matches (finished_at desc) where state = 'finished';

create table match_seats (
    match             uuid not null references matches on delete cascade,
    seat              smallint not null check (seat >= 0),
    bot               uuid not null,
    version           uuid not null,
    -- Copies of the bot's owner and of the match's flag, for the index below.
    account           uuid not null,
    rated             boolean not null,
    -- From the outcome, once there is one.
    place             smallint,
    score             double precision,
    measures          jsonb,
    -- The worker's report on this bot.
    report            jsonb,
    -- Of rated matches.
    rating_before     double precision,
    deviation_before  double precision,
    rating_after      double precision,
    deviation_after   double precision,
    primary key (match, seat),
    foreign key (bot, account) references bots (id, account),
    foreign key (version, bot) references versions (id, bot),
    foreign key (match, rated) references matches (id, rated) on delete cascade
);
-- An account's own bots never meet in rated play.
create unique index match_seats_of_strangers on match_seats (match, account) where rated;
create index match_seats_by_bot on match_seats (bot, match desc);
create index match_seats_by_version on match_seats (version);

-- Plies of matches under way; the record replaces them.
create table live_plies (
    match   uuid not null references matches on delete cascade,
    attempt integer not null,
    ply     integer not null,
    -- As the worker wrote it; passed on, never looked into.
    frame   json not null,
    primary key (match, attempt, ply)
);

create table ratings (
    bot          uuid primary key references bots,
    game         text not null,
    role         text not null,
    rating       double precision not null,
    deviation    double precision not null,
    volatility   double precision not null,
    matches      integer not null default 0,
    faults       integer not null default 0,
    last_version uuid references versions,
    changed_at   timestamptz not null default now()
);
create index ratings_by_place on ratings (game, role, rating desc);

-- One row a game: locked while a match is counted, so that all agree on the order.
create table ladders (
    game      text primary key,
    finish_no bigint not null default 0
);

-- The queue -----------------------------------------------------------------

create table workers (
    id           uuid primary key,
    name         text not null unique check (char_length(name) between 1 and 64),
    -- SHA-256 of its token.
    token_digest bytea not null unique check (octet_length(token_digest) = 32),
    created_at   timestamptz not null default now(),
    seen_at      timestamptz,
    hello        jsonb,
    disabled_at  timestamptz
);

create table jobs (
    id         uuid primary key,
    kind       text not null check (kind in ('build', 'match')),
    version    uuid references versions on delete cascade,
    match      uuid references matches on delete cascade,
    -- Smaller is sooner; see `Lane` in the store.
    lane       smallint not null,
    -- For whom it is; null: for the ladder.
    account    uuid references accounts,
    state      text not null default 'queued' check (state in ('queued', 'leased', 'done', 'void')),
    -- What a worker must be able to run.
    languages  text[] not null,
    -- Counts leases. Plies carry it, so that those of a lost one are told apart.
    attempt    integer not null default 0,
    queued_at  timestamptz not null default now(),
    -- Its place within the lane: the more jobs an account has waiting there,
    -- the later the next one counts as having come.
    fair_at    timestamptz not null default now(),
    not_before timestamptz not null default now(),
    -- The lease under way, or the one that ended the job.
    lease      uuid unique,
    worker     uuid references workers,
    leased_at  timestamptz,
    deadline   timestamptz,
    ended_at   timestamptz,
    check ((kind = 'build') = (version is not null)),
    check ((kind = 'match') = (match is not null)),
    check ((state = 'leased') <= (lease is not null and worker is not null and deadline is not null)),
    check ((state = 'queued') <= (lease is null and worker is null and deadline is null))
);
create unique index jobs_of_version on jobs (version) where kind = 'build';
create unique index jobs_of_match on jobs (match) where kind = 'match';
create index jobs_queued on jobs (lane, fair_at) where state = 'queued';
create index jobs_of_account on jobs (account, lane, fair_at) where state = 'queued';
create index jobs_leased on jobs (deadline) where state = 'leased';

-- How each lease ended: so that a report is welcome twice, and an operator
-- sees why a job is void.
create table attempts (
    lease         uuid primary key,
    job           uuid not null references jobs on delete cascade,
    attempt       integer not null,
    worker        uuid not null references workers,
    leased_at     timestamptz not null,
    ended_at      timestamptz not null default now(),
    ending        text not null check (ending in ('done', 'failed', 'expired')),
    -- Why, unless it is done.
    what          text check (char_length(what) <= 4000),
    -- Of the report that ended it.
    report_digest bytea check (octet_length(report_digest) = 32),
    check ((ending = 'done') = (what is null)),
    check ((ending = 'expired') = (report_digest is null))
);
create index attempts_by_job on attempts (job, attempt);

-- What a lease has put into its upload address, until it reports.
create table uploads (
    lease  uuid primary key,
    digest text not null check (char_length(digest) = 64),
    bytes  bigint not null check (bytes >= 0),
    at     timestamptz not null default now()
);

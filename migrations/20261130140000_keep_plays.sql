-- How a match went, to the last ply: SHA-256 of its set-up and plies. Where the same versions on
-- the same seats have played it before, it counts for no rating again.
alter table matches
    add column play_digest bytea check (octet_length(play_digest) = 32),
    add column repeat_of   uuid references matches,
    add check (repeat_of is null or (rated and state = 'finished' and play_digest is not null));
create index matches_by_play on matches (play_digest) where play_digest is not null and repeat_of is null;

-- Since when a bot has been on the ladder without a break: nobody is promised a match before.
alter table bots add column active_since timestamptz not null default now();

-- Strengths that explain all matches at once: the last fit of each game, made anew now and then.
create table fits (
    game       text primary key,
    made_at    timestamptz not null default now(),
    -- Of the last match in it.
    last_no    bigint not null,
    matches    bigint not null,
    dispersion double precision not null,
    -- The chance to be among so many best is told.
    top        integer not null check (top >= 1),
    -- What makes it easier for the first seat: a list of { of, points, deviation }.
    effects    jsonb not null,
    -- Covariates with too many values.
    left_out   text[] not null
);

create table fitted_strengths (
    bot        uuid primary key references bots,
    game       text not null references fits on delete cascade,
    role       text not null,
    version    uuid not null references versions,
    strength   double precision not null,
    deviation  double precision not null check (deviation >= 0),
    top_chance double precision not null check (top_chance between 0 and 1),
    matches    bigint not null
);
create index fitted_strengths_by_game on fitted_strengths (game);

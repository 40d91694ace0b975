-- Set-ups that organisers keep for matches to come, in pools. Pools that are shipped lie beside
-- the game's configuration, and not here.
create table pools (
    id         uuid primary key,
    game       text not null,
    -- In addresses; never changes. With the name of a set-up it is what a match is said to be on,
    -- within the 64 characters of `matches.preset`.
    name       text not null check (name ~ '^[a-z0-9][a-z0-9-]{0,23}$'),
    -- On pages.
    label      text not null check (char_length(label) between 1 and 60),
    -- How often the ladder plays each of its set-ups, in proportion to all others; 0: not at all.
    weight     integer not null default 0 check (weight between 0 and 1000),
    created_by uuid not null references accounts,
    created_at timestamptz not null default now(),
    -- When anything about it last changed, its set-ups included.
    changed_at timestamptz not null default clock_timestamp(),
    unique (game, name)
);

create table pool_setups (
    pool     uuid not null references pools on delete cascade,
    name     text not null check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,38}$'),
    setup    jsonb not null check (octet_length(setup::text) <= 262144),
    -- SHA-256 of the set-up: a pool has none twice.
    digest   bytea not null check (octet_length(digest) = 32),
    added_by uuid not null references accounts,
    added_at timestamptz not null default now(),
    primary key (pool, name),
    unique (pool, digest)
);

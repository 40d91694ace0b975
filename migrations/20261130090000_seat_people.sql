-- People play too. On their seats is neither bot nor version; `account` says who it is.
alter table match_seats
    alter column bot drop not null,
    alter column version drop not null,
    add check ((bot is null) = (version is null)),
    add check (bot is not null or not rated),
    add foreign key (account) references accounts;
create unique index match_seats_of_people on match_seats (match, account) where bot is null;
create index match_seats_by_person on match_seats (account, match desc) where bot is null;

-- When a ply came in: the clock of whoever is asked next has run since.
alter table live_plies add column at timestamptz not null default now();

-- What people decide, on its way to the worker that plays their match.
create table deeds (
    id      bigint generated always as identity primary key,
    match   uuid not null references matches on delete cascade,
    attempt integer not null,
    ply     integer not null check (ply >= 0),
    seat    smallint not null,
    action  json not null check (octet_length(action::text) <= 16384),
    at      timestamptz not null default now(),
    unique (match, attempt, ply, seat)
);

-- A match that waits for other people to say yes. It is made when the last one has.
create table invitations (
    id         uuid primary key,
    game       text not null,
    rules      integer not null,
    setup      jsonb not null,
    created_by uuid not null references accounts,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    state      text not null default 'open' check (state in ('open', 'accepted', 'declined', 'withdrawn', 'expired')),
    ended_at   timestamptz,
    -- Who declined.
    ended_by   uuid references accounts,
    match      uuid references matches on delete set null,
    check ((state = 'open') = (ended_at is null)),
    check (match is null or state = 'accepted')
);
create index invitations_by_maker on invitations (created_by, created_at desc);
create index invitations_open on invitations (expires_at) where state = 'open';

create table invitation_seats (
    invitation  uuid not null references invitations on delete cascade,
    seat        smallint not null check (seat >= 0),
    bot         uuid,
    version     uuid,
    -- A person, where there is no bot.
    account     uuid references accounts,
    accepted_at timestamptz,
    primary key (invitation, seat),
    foreign key (version, bot) references versions (id, bot),
    check ((bot is null) = (version is null)),
    check ((bot is null) = (account is not null)),
    check (accepted_at is null or account is not null)
);
create unique index invitation_seats_of_people on invitation_seats (invitation, account) where account is not null;
create index invitation_seats_by_account on invitation_seats (account) where account is not null and accepted_at is null;

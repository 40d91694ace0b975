-- Tokens by which programs act for accounts, and the answers kept so that a request that comes
-- twice is done once.

create table api_tokens (
    id uuid primary key,
    account uuid not null references accounts on delete cascade,
    name text not null check (char_length(name) between 1 and 60),
    -- SHA-256 of the token: the token itself is kept nowhere.
    digest bytea not null unique check (octet_length(digest) = 32),
    scopes text[] not null check (cardinality(scopes) between 1 and 3
        and scopes <@ array['read', 'play', 'organise']),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at timestamptz
);
create index api_tokens_by_account on api_tokens (account, id);

create table idempotency_keys (
    account uuid not null references accounts on delete cascade,
    key text not null check (char_length(key) between 1 and 255),
    -- SHA-256 of what was asked: method, address and body.
    request bytea not null check (octet_length(request) = 32),
    -- None while the first request is under way.
    status smallint,
    location text,
    body bytea,
    created_at timestamptz not null default now(),
    primary key (account, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

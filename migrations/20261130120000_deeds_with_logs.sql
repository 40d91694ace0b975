-- What people say for the log in a turn, on its way with their decision: a list of lines.
alter table deeds add column log json not null default '[]' check (octet_length(log::text) <= 524288);

-- Which set-up of a pool is meant, where it is one: `pool/name`.
alter table invitations add column preset text check (char_length(preset) between 1 and 64);

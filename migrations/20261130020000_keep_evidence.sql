-- What an operator needs of a report that was not believed: the record it came with.
alter table attempts
    add column record_digest text check (char_length(record_digest) = 64),
    add column record_bytes  bigint,
    add check ((record_digest is null) = (record_bytes is null)),
    add check (record_digest is null or ending = 'failed');

-- Whether anything refers to a blob is asked by its digest.
create index attempts_by_record on attempts (record_digest) where record_digest is not null;
create index matches_by_record on matches (record_digest) where record_digest is not null;
create index versions_by_artefact on versions (artefact_digest) where artefact_digest is not null;
create index versions_by_source on versions (source_digest);
create index uploads_by_digest on uploads (digest);

-- How a version was built: of the same source by the same recipe comes the same program, and none is built twice.
alter table versions
    add column recipe text check (char_length(recipe) = 64),
    -- What it plays with was built for another version.
    add column reused boolean not null default false,
    add check (not reused or recipe is not null);

create index versions_by_recipe on versions (source_digest, language, recipe)
    where recipe is not null and state = 'ready';

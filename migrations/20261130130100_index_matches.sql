-- Lists of matches, by each filter that pages and the API offer, the newest or the oldest first:
-- nearly all matches are finished, so that only the other states need an index of their own.
create index matches_by_game on matches (game, id);
create index matches_by_purpose on matches (purpose, id);
create index matches_by_game_and_purpose on matches (game, purpose, id);
create index matches_unfinished on matches (state, id) where state <> 'finished';

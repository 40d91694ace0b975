-- Which worker built what a version plays with: what one has built that is dismissed is not used again.
alter table versions add column built_by uuid references workers;

-- migrate:up
-- When a break's books and gateway diverged, by effective time, so that a close considers what had arisen before its cut-off.
-- diverged_at: the record that is known to cause it, else the first reading that shows a difference. diverged_after: until then
-- they agreed; null where nothing shows when they last did. since stays the run that found it.
alter table reconcile.breaks add column diverged_at timestamptz, add column diverged_after timestamptz;

-- A waiver is for one month: whether a break is waived follows from the waivers and the month, and is not stored beside them.
update reconcile.breaks
set status = case when explanation is not null then 'explained' when assigned_to is not null then 'assigned' else 'open' end
where status = 'waived';

-- migrate:down
alter table reconcile.breaks drop column diverged_at, drop column diverged_after;

-- migrate:up
-- Punctuation, spaces and accents do not make another person. The program compares names by what they look like, in every script
-- (src/base/names.ts), and verify ledger does it again; the database refuses the plainest of them, whatever client asks.
do $$
declare
  place regclass;
  plain constant text := $plain$lower(regexp_replace(normalize(%I, nfkd),
    '[[:space:][:punct:]\u00a0-\u00bf\u02b0-\u036f\u2000-\u206f\ufe00-\ufe0f\ufeff]', '', 'g'))$plain$;
begin
  alter table decide.approvals drop constraint another_person;
  alter table decide.seal_approvals drop constraint seal_approvals_check;
  foreach place in array array['decide.approvals', 'decide.seal_approvals']::regclass[] loop
    execute format('alter table %s add constraint another_person check (%s %s <> %s)', place,
      case place when 'decide.approvals'::regclass then 'duties_version is not null or' else '' end,
      format(plain, 'approved_by'), format(plain, 'prepared_by'));
  end loop;
end $$;

-- migrate:down
alter table decide.seal_approvals drop constraint another_person,
  add constraint seal_approvals_check check (lower(trim(approved_by)) <> lower(trim(prepared_by)));
alter table decide.approvals drop constraint another_person, add constraint another_person check (
  duties_version is not null
  or lower(regexp_replace(trim(normalize(approved_by, nfkc)), '\s+', ' ', 'g'))
    <> lower(regexp_replace(trim(normalize(prepared_by, nfkc)), '\s+', ' ', 'g'))
);

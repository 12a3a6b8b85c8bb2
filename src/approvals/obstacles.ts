// Obstacles: why a proposal cannot be posted now. Checked when it is proposed and again when it is approved, because the
// books may change in between. Also cautions for the approver to read.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import { pocketIn } from '../ledger/accounts.ts';
import { placeNow } from './place.ts';
import type { Content } from './proposal.ts';
import { notToCharge } from './transfer-fees.ts';

type About = { readonly entity: string; readonly content: Content };

/** Why the entry cannot be posted; null if nothing prevents it. */
export const obstacleTo = async (db: Kysely<DB>, about: About): Promise<string | null> => {
  const { action } = about.content;
  const own = action === 'reverse' ? null : await foreignPocket(db, about);
  if (own !== null) return own;
  if (action === 'settle') return notToSettle(db, about);
  if (action === 'reverse') return notToReverse(db, about);
  if (action === 'adjust') return notToCharge(db, about);
  return action === 'open' ? openedTooLate(db, about) : null;
};

const pocketsOf = (texts: readonly string[]): string[] => texts.map(pocketIn).filter((id) => id !== null);

/** A pocket that was never listed is not this account's: its id is probably mistyped. */
const foreignPocket = async (db: Kysely<DB>, { entity, content }: About): Promise<string | null> => {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${pocketsOf(content.legs.flat())}::text[]) as pocket (id)
    where exists (select from land.pockets where entity_id = ${entity})
      and not exists (select from land.pockets p where p.entity_id = ${entity} and lower(p.pocket_id) = id)
    limit 1`.execute(db);
  return rows[0] ? `assets:pocket:${rows[0].id} was never listed for ${entity}: check the pocket's id` : null;
};

type RejectRow = { version: string; settled_by: string | null; is_rejected: boolean };

const notToSettle = async (db: Kysely<DB>, { entity, content }: About): Promise<string | null> => {
  const { stream = '', record_id = '', version = '' } = content;
  const { rows } = await sql<RejectRow>`
    select r.version::text as version, r.outcome = 'rejected' as is_rejected, (
      select m.entry_id::text from books.manual_entries m
      where (m.entity_id, m.about_stream, m.about_record_id) = (r.entity_id, r.stream, r.record_id)
        and m.action = 'settle' and m.reversed_by is null
      limit 1
    ) as settled_by
    from books.records r
    where r.entity_id = ${entity} and r.stream = ${stream} and r.record_id = ${record_id}`.execute(db);
  const [reject] = rows;
  const name = `${stream} ${record_id}`;
  if (!reject?.is_rejected)
    return `${name} is no longer rejected, because a rule accepts it now: there is nothing to settle`;
  if (reject.version !== version)
    return `${name} has changed since to version ${reject.version}: propose a settlement of that version`;
  return reject.settled_by === null
    ? null
    : `${name} is settled by entry ${reject.settled_by}: reverse that first, or it counts twice`;
};

/** A reopening posts the entry again under another id, and what was proposed for the former entry has lost its object. */
const notToReverse = async (db: Kysely<DB>, { entity, content }: About): Promise<string | null> => {
  const { reverses = '', record_id = '' } = content;
  const { rows } = await sql<{ entry_id: string; reversed_by: string | null }>`
    select entry_id::text as entry_id, reversed_by::text as reversed_by from books.manual_entries
    where entity_id = ${entity} and proposal_id = ${record_id}`.execute(db);
  const [entry] = rows;
  if (entry && entry.entry_id !== reverses)
    return `entry ${reverses} was posted again as ${entry.entry_id} when its month was reopened: propose the reversal of that entry`;
  return entry?.reversed_by ? `entry ${reverses} was reversed by ${entry.reversed_by}` : null;
};

const placesOf = ({ lots = [] }: Content) => ({
  accounts: lots.map(({ account }) => account),
  currencies: lots.map(({ currency }) => currency),
});

/** An opening must precede everything that is booked on the account: a later one would count it twice. */
const openedTooLate = async (db: Kysely<DB>, { entity, content }: About): Promise<string | null> => {
  const { accounts, currencies } = placesOf(content);
  const { rows } = await sql<{ place: string; first: string }>`
    select p.account || ' ' || p.currency as place, min(p.effective_at) as first
    from books.postings p
    where p.entity_id = ${entity} and p.stream <> 'manual'
      and (p.account, p.currency) in (select * from unnest(${accounts}::text[], ${currencies}::text[]))
    group by 1 having min(p.effective_at) < ${content.effective_at}::timestamptz
    order by 1 limit 1`.execute(db);
  const [account] = rows;
  return account
    ? `${account.place} has records since ${account.first}, before the opening at ${content.effective_at}: use an earlier date for the opening`
    : null;
};

/** Warnings for the approver of a proposal, one sentence each. */
export const cautionsOf = async (db: Kysely<DB>, proposed: Reviewed): Promise<string[]> => [
  ...(await otherCurrencies(db, proposed)),
  ...(await lateCaution(db, proposed)),
  ...(proposed.content.action === 'open' ? await openingCautions(db, proposed) : []),
  ...(proposed.content.action === 'adjust' ? await sameAdjustments(db, proposed) : []),
];

/** The month in which the entry counts, if its own is closed. */
const lateCaution = async (db: Kysely<DB>, proposed: Reviewed): Promise<string[]> => {
  const { period, originalPeriod } = await placeNow(db, proposed);
  return originalPeriod === null ? [] : [`${originalPeriod} is closed: this entry would count in ${period}`];
};

/** Nothing but its legs and its date tells an adjustment from another: a second one counts twice, and no tie-out shows that of a fee. */
const sameAdjustments = async (
  db: Kysely<DB>,
  { entity, content, proposalId }: Reviewed,
): Promise<string[]> => {
  const { rows } = await sql<{ caution: string }>`
    select format('%s has the same legs and date: approve this one only if it happened twice',
      coalesce('entry ' || m.entry_id || ' by ' || p.prepared_by, 'proposal ' || p.proposal_id || ' by ' || p.prepared_by || ', which awaits approval,'))
      as caution
    from books.proposals p
    left join books.manual_entries m on (m.entity_id, m.proposal_id, m.kind) = (p.entity_id, p.proposal_id, 'manual')
    where p.entity_id = ${entity} and p.action = 'adjust' and p.proposal_id <> ${proposalId}
      and p.legs = ${JSON.stringify(content.legs)}::jsonb and p.effective_at = ${content.effective_at}
      and (p.verdict = 'waiting' or m.entry_id is not null and m.reversed_by is null)
    order by 1`.execute(db);
  return rows.map(({ caution }) => caution);
};

/** Pockets of another currency than a leg books on them: the id is probably that of another pocket. */
const otherCurrencies = async (db: Kysely<DB>, { entity, content }: About): Promise<string[]> => {
  const legs = content.legs.flatMap(([debit, credit, currency]) =>
    pocketsOf([debit, credit]).map((id) => ({ id, currency })),
  );
  const { rows } = await sql<{ caution: string }>`
    select distinct format('assets:pocket:%s is a pocket of %s, and this books %s on it: check the id of the pocket', leg.id, p.currency, leg.currency)
      as caution
    from unnest(${legs.map(({ id }) => id)}::text[], ${legs.map(({ currency }) => currency)}::text[]) as leg (id, currency)
    join land.pockets p on p.entity_id = ${entity} and lower(p.pocket_id) = leg.id and p.currency <> leg.currency
    order by 1`.execute(db);
  return rows.map(({ caution }) => caution);
};

const openingCautions = async (
  db: Kysely<DB>,
  { entity, content, proposalId }: Reviewed,
): Promise<string[]> => {
  const { accounts, currencies } = placesOf(content);
  const { rows } = await sql<{ caution: string }>`
    select distinct p.account || ' ' || p.currency || ' was opened before, by entry ' || m.entry_id as caution
    from books.manual_entries m
    join books.postings p using (entity_id, entry_id)
    where m.entity_id = ${entity} and m.action = 'open' and m.kind = 'manual' and m.reversed_by is null
      and (p.account, p.currency) in (select * from unnest(${accounts}::text[], ${currencies}::text[]))
    union all
    select 'every list of ' || ${entity} || ' is proved complete from its beginning, so the gateway knows of nothing before: '
      || 'be sure that no record of it tells the same'
    where exists (select from books_internal.lists where entity_id = ${entity}) and not exists (
      select from books_internal.lists where entity_id = ${entity} and lower(covered) is distinct from '-infinity'
    )
    order by 1`.execute(db);
  const others = await otherOpenings(db, { entity, content, proposalId });
  return [...rows, ...others].map(({ caution }) => caution);
};

type Reviewed = About & { readonly proposalId: string; readonly timezone: string };

/** The accounts that another opening opens too, which also waits: an approval of both counts the balance twice. */
const otherOpenings = async (db: Kysely<DB>, { entity, content, proposalId }: Omit<Reviewed, 'timezone'>) => {
  const { accounts, currencies } = placesOf(content);
  const { rows } = await sql<{ caution: string }>`
    select distinct concat(lot ->> 'account', ' ', lot ->> 'currency', ' is in another opening that awaits approval, proposal ', p.proposal_id,
      ': approve both only if each has its own part of the balance') as caution
    from books.proposals p
    cross join lateral jsonb_array_elements(p.content::jsonb -> 'lots') as opened (lot)
    where p.entity_id = ${entity} and p.action = 'open' and p.verdict = 'waiting' and p.proposal_id <> ${proposalId}
      and (lot ->> 'account', lot ->> 'currency') in (select * from unnest(${accounts}::text[], ${currencies}::text[]))
    order by caution`.execute(db);
  return rows;
};

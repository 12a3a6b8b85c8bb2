// The books of one seed: a database of its own, in which records land without a network, nights book them, and people decide.
import { randomBytes } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import { bookLanded, returnEntries } from '../../../jobs/book.ts';
import { reopenMonths } from '../../../src/actions/close.ts';
import { submitProposal } from '../../../src/actions/proposals.ts';
import { type Change, type Content, setDuties } from '../../../src/approvals/approvals.ts';
import { sha256 } from '../../../src/base/json.ts';
import type { StreamName, WireRecord } from '../../../src/base/streams.ts';
import { msOf } from '../../../src/base/time.ts';
import { sealMonth } from '../../../src/close/seal.ts';
import type { Config } from '../../../src/config/environment.ts';
import { inSession } from '../../../src/database/connection.ts';
import { landWalk } from '../../../src/land/pages.ts';
import { monthAfter } from '../../../src/ledger/ledger.ts';
import { peopleKey } from '../../../src/privacy/people-key.ts';
import { pairAcross } from '../../../src/reconcile/reconcile.ts';
import { bookedEntities } from '../../../src/run/run.ts';
import { type Work, withRun } from '../../../src/run/work.ts';
import { valueAll } from '../../../src/valuation/value-all.ts';
import { booksConfig } from '../../books-config.ts';
import { urlOf } from '../../database-url.ts';
import { COINS } from './market.ts';
import { pocketOf } from './records.ts';

export type Month = { readonly entity: string; readonly period: string };

export type Books = {
  /** Runs a job as a run of its own, as a command does. */
  readonly run: <T>(job: (work: Work) => Promise<T>) => Promise<T>;
};

/** Lends new books, cloned from those at an address, and drops them afterwards. */
export const withBooks = async <T>(url: string, use: (books: Books) => Promise<T>): Promise<T> => {
  const name = `values_${randomBytes(6).toString('hex')}`;
  const administer = (statement: string) =>
    inSession(urlOf(url, 'postgres'), 'tieout simulation', (session) => session.query(statement));
  await administer(`create database ${name} template ${new URL(url).pathname.slice(1)} strategy file_copy`);
  try {
    const config: Config = { ...booksConfig('/nonexistent'), databaseUrl: urlOf(url, name) };
    return await use({ run: (job) => inRun(config, job) });
  } finally {
    await administer(`drop database ${name} with (force)`);
  }
};

const inRun = async <T>(config: Config, job: (work: Work) => Promise<T>): Promise<T> => {
  const outcome: T[] = [];
  await withRun(config, 'simulation', {
    tell: () => {},
    as: 'owner',
    work: async (work) => {
      outcome.push(await job({ ...work, as: async () => work.db }));
      return { exitCode: 0, requests: 0, pages: 0, fewest: 0, summary: '' };
    },
  });
  return outcome[0] as T;
};

const write = async (db: Work['db'], text: string, values: readonly unknown[]): Promise<void> =>
  void (await db.executeQuery(CompiledQuery.raw(text, [...values])));

export type Owner = {
  readonly taxpayer: string;
  readonly entities: readonly string[];
  readonly method: string;
  readonly rules: string | null;
};

/** Opens the books of some taxpayers, with a pocket for each currency; one person decides everything. */
export const openEntities = async ({ db }: Work, owners: readonly Owner[]): Promise<void> => {
  for (const { taxpayer, entities, method, rules } of owners)
    for (const entity of entities) {
      await write(
        db,
        `insert into run.entities (entity_id, name, subaccount_id, timezone, currency, first_seen_at)
         values ($1, $1, 'user-' || $1, 'UTC', 'EUR', '2026-01-01')`,
        [entity],
      );
      await write(
        db,
        `insert into decide.profiles (entity_id, version, taxpayer, owner, cost_method, lot_rules, by_name, at)
         values ($1, 1, $2, 'own', $3, $4, 'Ada', now())`,
        [entity, taxpayer, method, rules],
      );
      for (const currency of [...COINS, 'EUR'])
        await write(
          db,
          "insert into land.pockets (entity_id, pocket_id, currency, first_listed_at) values ($1, $2, $3, '2026-01-01')",
          [entity, pocketOf(entity, currency), currency],
        );
    }
  await setDuties(db, { isOnePerson: true, by: 'Ada', reason: 'a simulation' });
};

type Page = {
  readonly entity: string;
  readonly stream: StreamName;
  readonly rows: readonly WireRecord[];
};

/** Lands a page of one list. */
export const land = async ({ db, run }: Work, { entity, stream, rows }: Page): Promise<void> => {
  const scope = stream === 'earn-movements' ? String(rows[0]?.walletId) : '';
  const key = await peopleKey(db, entity);
  await landWalk({ db, run, entity, stream, scope, key }, walkOf(rows, run.startedAt), () => {});
};

async function* walkOf(rows: readonly WireRecord[], date: string) {
  const bodySha256 = sha256(JSON.stringify(rows));
  const proof = {
    method: 'GET',
    target: '/v1/simulated',
    status: 200,
    date,
    requestId: null,
    tries: 1,
    bodySha256,
    sentAtMs: msOf(date),
  } as const;
  yield { page: { rows, proof, isFull: false }, covers: { from: null, to: date, proof: 'cursor' } as const };
}

const TRANSIT_MS = 86_400_000;

/** What a night does to entries and values after its reading. */
export const night = async (work: Work): Promise<void> => {
  for (const entity of await bookedEntities(work)) await bookLanded(work, entity);
  await pairAcross(work.db, work.run, { transitMs: TRANSIT_MS });
  await valueAll(work);
};

/** A file of official rates that is in force at once. */
export const importRates = async (
  { db }: Pick<Work, 'db'>,
  rates: readonly { readonly currency: string; readonly day: string; readonly rate: string }[],
): Promise<void> => {
  await write(
    db,
    `with file as (
       insert into land.official_files (entity_id, source, name, sha256, by_name, at)
       select min(entity_id), 'ecb', 'rates.csv', repeat('0', 64), 'Ada', clock_timestamp() from run.entities
       returning entity_id, file_id
     )
     insert into land.official_rates (entity_id, currency, day, file_id, quote, rate)
     select entity_id, r.currency, r.day::date, file_id, 'EUR', r.rate::numeric
     from file, unnest($1::text[], $2::text[], $3::text[]) as r (currency, day, rate)`,
    [rates.map(({ currency }) => currency), rates.map(({ day }) => day), rates.map(({ rate }) => rate)],
  );
};

export const EVIDENCE = { name: 'evidence.pdf', sha256: '0'.repeat(64) };

/** What a person decides. */
export const decide = async (work: Work, entity: string, content: Content | Change): Promise<void> => {
  await submitProposal(work, { by: 'Ada', reason: 'a simulation', evidence: EVIDENCE }, { entity, content });
};

/** Seals a month, whatever its tie-outs say, once what landed before it was reopened has moved back into it. */
export const close = async (work: Work, { entity, period }: Month): Promise<void> => {
  await returnEntries(work, entity);
  await valueAll(work);
  const { db: decider, pool } = work;
  await sealMonth(
    { pool, decider },
    {
      month: {
        entity,
        period,
        from: `${period}-01T00:00:00.000Z`,
        to: `${monthAfter(period)}-01T00:00:00.000Z`,
        timezone: 'UTC',
        currency: 'EUR',
        unknown_limit: '',
      },
      by: 'Ada',
      budget: '0',
      early: null,
      waived: [],
      unvalued: { findings: 0, accepted: 0, accepted_by: null, estimate: '0', unpriced: 0 },
      duties: null,
      settings: {},
    },
  );
};

export const reopen = async (work: Work, { entity, period }: Month): Promise<void> => {
  await reopenMonths(work, { period, only: entity, by: 'Ada', reason: 'a simulation' });
};

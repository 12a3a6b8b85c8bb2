// The paths of the program: late records, records processed again or requested again by its own commands, in order.
import { sql } from 'kysely';
import { nightly, normalizeOnly } from '../../jobs/nightly.ts';
import { reopenMonths } from '../../src/actions/close.ts';
import { rebuild } from '../../src/actions/rebuild.ts';
import { sealMonth } from '../../src/close/seal.ts';
import { restate } from '../../src/normalize/restate.ts';
import { RULES } from '../../src/normalize/rule-table.ts';
import { deskOn, idOf } from '../approvals/desk.ts';
import type { Stage } from '../jobs/stage.ts';
import { as, close, faultsIn, SEPTEMBER } from './month.ts';

type Step = { readonly path: string; readonly by: string; readonly walk: (stage: Stage) => Promise<string> };

type Rows = Record<string, string>[];

/** The entries of September that were booked in the meantime: their number, posting month and original period. */
const bookedBy = async (stage: Stage, work: () => Promise<unknown>): Promise<string> => {
  const source = 'from ledger.entries';
  await stage.rows(`create table public.before as select entity_id, entry_id ${source}`);
  try {
    await work();
    const rows: Rows = await stage.rows(`
      select count(*), period, coalesce(original_period, 'no other') as original_period ${source}
      where effective_at < '2026-10-01'
        and (entity_id, entry_id) not in (select entity_id, entry_id from public.before)
      group by 2, 3 order by 2, 3`);
    const lines = rows.map(
      (row) => `${row.count} booked in ${row.period}, original_period ${row.original_period}`,
    );
    return [lines.join('; ') || 'nothing of September booked', await sealsHold(stage)].join('; ');
  } finally {
    await stage.rows('drop table public.before');
  }
};

const sealsHold = async (stage: Stage): Promise<string> =>
  (await faultsIn(stage))[0] === undefined ? 'seals hold' : `verify ledger: ${(await faultsIn(stage))[0]}`;

type Change = {
  readonly stream: string;
  readonly payload: string;
  readonly landedAt?: string;
  readonly request?: string;
  readonly version?: string;
};

/** The loader lands another version of a record of September, under a current request unless another is given. */
const landed = (stage: Stage, { stream, payload, landedAt = 'now()', request, version = '2' }: Change) =>
  as(stage, async ({ db, run }) => {
    const ask = (text: string) => sql.raw<{ request_id: string }>(text).execute(db);
    const { rows } = await ask(`
      insert into land.requests (entity_id, run_id, stream, method, target, status, body_sha256, rows, sent_at)
      values ('main', '${run.id}', '${stream}', 'GET', '/', 200, '', 1, now()) returning request_id`);
    await ask(`
      with it as (
        select r.* from land.records r join ledger.entries e using (entity_id, stream, record_id, version)
        where r.entity_id = 'main' and r.stream = '${stream}' and r.version = 1 and e.period = '2026-09'
        order by r.record_id limit 1
      ), new as (
        insert into land.records
          (entity_id, stream, record_id, version, scope, digest, payload, record_at, landed_at, request_id)
        select entity_id, stream, record_id, ${version}, scope, '\\x00', (${payload})::text, record_at, ${landedAt},
          ${request ?? rows[0]?.request_id}
        from it returning entity_id, stream, record_id, version, request_id
      )
      insert into land.inbox (entity_id, stream, record_id, version, request_id) select * from new`);
  });

const normalized = (stage: Stage) => as(stage, (work) => normalizeOnly(work, {}));

const changed = (change: Change) => (stage: Stage) =>
  bookedBy(stage, async () => {
    await landed(stage, change);
    await normalized(stage);
  });

const set = (key: string, value: string) => `jsonb_set(payload::jsonb, '{${key}}', '"${value}"')`;

const inTheWay = async (stage: Stage, period: string): Promise<string> => {
  const { closed } = await close(stage, period, { only: 'main' });
  const [one] = closed;
  if (one?.sealed) return 'closed';
  return `refused: ${one?.obstacles.find(({ need }) => need === 'months')?.detail ?? 'something else is in the way'}`;
};

const backdated = async (stage: Stage) => {
  await stage.backdate('2026-09-29T10:00:00Z', 3);
  return bookedBy(stage, () =>
    as(stage, async (work) => nightly(work, stage.settings(), { isFull: true, writesFiles: false })),
  );
};

/** A record that claims a request from before the seal: refused; the owner then removes it. */
const underAnOldRequest = async (stage: Stage) => {
  await landed(stage, {
    stream: 'movements',
    payload: set('amount', '5'),
    version: '9',
    request: '(select min(request_id) from land.requests)',
  });
  try {
    return await bookedBy(stage, () => normalized(stage));
  } finally {
    await stage.rows('delete from land.inbox where version = 9; delete from land.records where version = 9');
  }
};

const byAnotherRule = (stage: Stage) =>
  bookedBy(stage, () =>
    as(stage, ({ db }) => {
      const rule: typeof RULES.trades.rule = (record, context) =>
        RULES.trades.rule({ ...record, feeAmount: '0' }, context);
      const rules = { ...RULES, trades: { version: 99, rule } };
      return restate(db, { entity: 'main', timezone: 'UTC', currency: 'EUR' }, { rules, by: 'Ada' });
    }),
  );

const manual = (stage: Stage) =>
  bookedBy(stage, async () => {
    const desk = deskOn(stage);
    const proposed = await desk.adjust(
      'assets:trading <- equity:external:platform 2 EUR',
      '2026-09-15T00:00:00.000Z',
    );
    await desk.approve(idOf(proposed));
  });

const rebuilt = async (stage: Stage) => {
  const { isEqual } = await as(stage, rebuild, 'owner');
  return `${isEqual ? 'equal hashes' : 'other hashes'}; ${await sealsHold(stage)}`;
};

const reopened = async (stage: Stage) => {
  const ask = { period: '2026-09', by: 'Grace', reason: 'the bank corrected itself', only: 'main' };
  const { summary } = await as(stage, (work) => reopenMonths(work, ask));
  const [seal] = await stage.rows(
    `select status, reopened_by, reopen_reason from books.seals where entity_id = 'main'`,
  );
  return `${summary}; books.seals: ${seal?.status} by ${seal?.reopened_by} (${seal?.reopen_reason}); ${await sealsHold(stage)}`;
};

/** A complete seal by the program itself, without checking the preconditions. */
const sealedUnready = async (stage: Stage) => {
  const { closed } = await close(stage, '2026-09', { only: 'main' });
  const ways = closed[0]?.obstacles.length ?? 0;
  await as(stage, async (work) => {
    const month = { entity: 'main', ...SEPTEMBER, timezone: 'UTC', currency: 'EUR', unknown_limit: '' };
    const terms = {
      by: 'Mallory',
      budget: '0',
      early: null,
      waived: [],
      unvalued: { findings: 0, accepted: 0, accepted_by: null, estimate: '0', unpriced: 0 },
      duties: null,
      settings: {},
    };
    await sealMonth({ pool: work.pool, decider: await work.as('preparer') }, { month, ...terms });
  });
  const [seal] = await stage.rows(`select status, prepared_by from books.seals where entity_id = 'main'
    order by seal_number desc limit 1`);
  return `${ways > 0 ? 'not ready, and yet' : 'ready'} ${seal?.status}, by ${seal?.prepared_by}; ${await sealsHold(stage)}`;
};

export const STEPS: readonly Step[] = [
  {
    path: 'three records of 29 September appear at the gateway, and a night reads them',
    by: 'loader',
    walk: backdated,
  },
  {
    path: 'a movement of September has another amount',
    by: 'loader',
    walk: changed({ stream: 'movements', payload: set('amount', '77') }),
  },
  {
    path: 'a wallet transaction of September is cancelled in September',
    by: 'loader',
    walk: changed({
      stream: 'wallet-transactions',
      payload: `${set('status', 'canceled')} || '{"canceledAt": "2026-09-30T10:00:00Z"}'`,
    }),
  },
  {
    path: 'the clock is set back: landed, by its own words, before the seal',
    by: 'loader',
    walk: changed({
      stream: 'movements',
      payload: set('amount', '78'),
      version: '3',
      landedAt: "'2026-09-05T00:00:00Z'",
    }),
  },
  { path: 'a record claims a request of before the seal', by: 'loader', walk: underAnOldRequest },
  { path: 'normalize --restate by a rule that forgets fees', by: 'loader', walk: byAnotherRule },
  { path: 'an adjustment of 15 September, proposed and approved', by: 'approver', walk: manual },
  { path: 'close 2026-09 again', by: 'preparer', walk: (stage) => inTheWay(stage, '2026-09') },
  { path: 'close 2026-08, with 2026-09 closed', by: 'preparer', walk: (stage) => inTheWay(stage, '2026-08') },
  { path: 'rebuild', by: 'owner', walk: rebuilt },
  {
    path: 'reopen 2026-08, which is not the last closed month',
    by: 'approver',
    walk: async (stage) =>
      (await as(stage, (work) => reopenMonths(work, { period: '2026-08', by: 'Grace', reason: 'x' })))
        .summary,
  },
  { path: 'reopen 2026-09', by: 'approver', walk: reopened },
  { path: 'reopen 2026-09 again', by: 'approver', walk: reopened },
  { path: 'rebuild, with 2026-09 open again', by: 'owner', walk: rebuilt },
  { path: 'seal 2026-09 anew, past what stands in the way of a close', by: 'preparer', walk: sealedUnready },
];

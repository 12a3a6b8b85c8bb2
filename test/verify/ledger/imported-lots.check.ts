// Links of externally held lots: a run links them again after whatever changes them, so verify ledger calls no lot altered that only an
// import, a cost method or a rate changed, and still names one that somebody altered.
import { expect, test } from 'vitest';
import { closeRun, type Run } from '../../../src/run/job-run.ts';
import { proveLinks } from '../../../src/verify/ledger/links.ts';
import {
  booked,
  books,
  buy,
  close,
  derived,
  officialRates,
  taxed,
  withBooks,
} from '../../valuation/month-stand.ts';

withBooks();

let line = 0;
const imported = (cost: string, currency = 'EUR') => {
  line += 1;
  return books.pool.query(
    `insert into decide.external_lots (entity_id, currency, units, cost, cost_currency, acquired_on, file_name, file_sha256, line,
      evidence_name, evidence_sha256, reason, by_name, at)
    values ('main', 'BTC', 1, $1, $2, '2026-01-02', 'f', repeat('0', 64), $3, 'e', repeat('0', 64), 'r', 'Ada', now())`,
    [cost, currency, line],
  );
};

/** Values and links as a run does, and the first fault of its links. */
const linked = async (): Promise<string | null> => {
  await derived();
  const { rows } = await books.pool.query<{ id: string }>(
    "insert into run.runs (run_id, job, started_at) values (gen_random_uuid(), 'nightly', now()) returning run_id as id",
  );
  const end = { exitCode: 0, requests: 0, pages: 0, fewest: 0, summary: '' };
  await closeRun(books.db, rows[0] as Run, end);
  return (await proveLinks(books.db)).first;
};

const STEPS: Readonly<Record<string, () => Promise<unknown>>> = {
  'another import': () => imported('20000'),
  'another cost method': () => taxed(['main'], { method: 'hifo' }),
  'a rate for a cost in another currency': () => officialRates('2026-03-31'),
};
const MONTHS: Readonly<Record<string, () => Promise<unknown>>> = {
  'no month': async () => {},
  'an open month': () => booked({ day: '2026-02-10', name: 'b' }, buy('1', '10')),
  'an open and a closed month': async () => {
    await booked({ day: '2026-01-10', name: 'a' }, buy('1', '10'));
    await booked({ day: '2026-02-10', name: 'b' }, buy('1', '10'));
    await derived();
    await close('2026-01');
  },
  'closed months alone': async () => {
    await booked({ day: '2026-01-10', name: 'a' }, buy('1', '10'));
    await derived();
    await close('2026-01');
  },
};
const CASES = Object.keys(MONTHS).flatMap((months) =>
  Object.keys(STEPS).map((step) => [step, months] as const),
);

test.each(CASES.filter(([step, months]) => !(step.includes('method') && months.includes('closed'))))(
  'after %s with %s, the lots are as the runs linked them',
  async (step, months) => {
    await MONTHS[months]?.();
    await imported('10000');
    await imported('11000', 'USD');
    for (const _run of [1, 2, 3]) expect(await linked()).toBeNull();
    await STEPS[step]?.();
    for (const _run of [1, 2]) expect(await linked()).toBeNull();
  },
);

test('a lot that somebody altered is named, also after another run', async () => {
  await MONTHS['an open month']?.();
  await imported('10000');
  for (const _run of [1, 2, 3]) await linked();
  await books.pool.query("update value.lots set cost = 1 where lot_id like 'external/%'");
  expect((await proveLinks(books.db)).first).toMatch(/^value\.lots of main: .*altered/);
  expect(await linked()).toMatch(/^value\.lots of main: .*altered/);
});

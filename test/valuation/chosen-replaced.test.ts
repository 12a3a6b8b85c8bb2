// A named lot stays named when its record is corrected, or moved back by a reopening: both post another entry for the record.
import { expect, test } from 'vitest';
import { post, returnLate } from '../../src/ledger/ledger.ts';
import { reversalOf } from '../../src/ledger/posting.ts';
import { choose, method } from './choices.ts';
import {
  booked,
  books,
  buy,
  close,
  derived,
  derivedAgain,
  disposals,
  made,
  paired,
  proved,
  reversed,
  sell,
  twoEntities,
  withBooks,
} from './month-stand.ts';

let dear: ReturnType<typeof made>;

withBooks(async () => {
  await method('specific');
  await booked({ day: '2026-01-02', name: 'old' }, buy('1', '10000'));
  dear = await booked({ day: '2026-01-03', name: 'dear' }, buy('2', '80000'));
});

type Correction = { readonly day?: string; readonly legs?: readonly string[]; readonly period?: string };

const corrected = async ({ day = '2026-01-03', legs = [], period = '2026-01' }: Correction) => {
  const late = period === '2026-01' ? {} : { period, originalPeriod: '2026-01' };
  await post(books.db, [
    reversalOf(dear, dear.effectiveAt, { ...dear, ordinal: 2, ...late }),
    { ...made({ day, name: 'dear', ordinal: 3 }, legs), ...late },
  ]);
};

/** Values the books, proves them, and returns the disposals and what is said about named lots. */
const valued = async (): Promise<string[]> => {
  await derived();
  expect(await proved()).toEqual([]);
  await derivedAgain();
  const { rows } = await books.pool.query(`select kind, units from books.value_findings`);
  return [...(await disposals()), ...rows.map(({ kind, units }) => `${kind} ${units}`)];
};

const soldAndNamed = async (day: string, units: string) => {
  await booked({ day, name: 's1' }, sell(units, '100000'));
  await derived();
  await choose(`trades,s1,BTC,${dear.id}/1,${units}`);
};

test.each<[string, Correction, readonly string[]]>([
  ['costs more', { legs: buy('2', '84000') }, ['2 of dear 100000 84000 16000']],
  [
    'has fewer units',
    { legs: buy('1.5', '60000') },
    ['1.5 of dear 75000 60000 15000', '0.5 of old 25000 5000 20000', 'chosen-lot 0.5'],
  ],
  [
    'was acquired after the disposal',
    { day: '2026-01-12', legs: buy('2', '80000') },
    ['1 of old 50000 10000 40000', '1 of nothing 50000', 'chosen-lot 2', 'no-lot 1'],
  ],
])('a named lot that by a correction %s', async (_what, correction, expected) => {
  await soldAndNamed('2026-01-10', '2');
  await corrected(correction);
  expect((await valued()).map((line) => line.replace('2026-01: ', '')).sort()).toEqual([...expected].sort());
});

test('a named lot whose record is corrected after its month was closed', async () => {
  await derived();
  await close('2026-01');
  await soldAndNamed('2026-02-10', '2');
  await corrected({ legs: buy('2', '84000'), period: '2026-02' });
  expect(await valued()).toEqual(['2026-02: 2 of dear 100000 84000 16000']);
});

test('a named lot of a late record that a reopening moves back', async () => {
  await derived();
  await close('2026-01');
  const late = made({ day: '2026-01-05', name: 'late', period: '2026-02' }, buy('1', '45000'));
  await post(books.db, [{ ...late, originalPeriod: '2026-01' }]);
  await booked({ day: '2026-02-10', name: 's1' }, sell('1', '50000'));
  await derived();
  await choose(`trades,s1,BTC,${late.id}/1,1`);
  const chosen = ['2026-02: 1 of late 50000 45000 5000'];
  expect(await valued()).toEqual(chosen);
  await books.pool.query(
    `insert into decide.reopenings (entity_id, period, seal_number, requests_to, by_name, reason, at) values ('main', '2026-01', 1, 0, 'Ada', 'r', now())`,
  );
  expect(await returnLate(books.db, { entity: 'main', whose: 'records' })).toBe(1);
  expect(await valued()).toEqual(chosen);
});

test('a named lot that a transfer moved is not another one that the transfer moves today', async () => {
  await books.pool.query('delete from decide.profiles');
  await twoEntities();
  await books.pool.query("update decide.profiles set cost_method = 'specific'");
  const sent = await booked({ day: '2026-01-05', name: 'sent' }, [
    'equity:external:person <- assets:trading 1.5 BTC',
  ]);
  const received = await booked({ day: '2026-01-06', name: 'received', entity: 'a' }, [
    'assets:trading <- equity:external:person 1.5 BTC',
  ]);
  await paired(sent, received, ['1.5', '1.5']);
  await booked({ day: '2026-01-10', name: 's1' }, sell('1', '50000'));
  await derived();
  await choose(`trades,s1,BTC,${received.id}/1.0,1`);
  expect(await valued()).toEqual(['2026-01: 1 of received 50000 10000 40000']);

  // Which the transfer moves first today, and then half of the named lot.
  await booked({ day: '2026-01-01', name: 'late' }, buy('1', '5000'));
  expect(await valued()).toEqual([
    '2026-01: 0.5 of received 25000 5000 20000',
    '2026-01: 0.5 of received 25000 2500 22500',
    'chosen-lot 0.5',
  ]);
});

/** Half a coin came back from an own wallet after the close, and then its departure was cancelled: that brings back units without a cost. */
const cameBack = async () => {
  await books.pool.query(`
    insert into decide.counterparty_files (version, file_name, by_name, at) values (1, 'f', 'Ada', now());
    insert into decide.counterparty_rules (version, line, class, counterparty, counterparty_type) values (1, 1, 'blockchain', 'a wallet', 'own')`);
  const sent = await booked({ day: '2026-01-20', name: 'sent' }, [
    'equity:external:blockchain <- assets:trading 0.5 BTC',
  ]);
  await derived();
  await close('2026-01');
  const back = await booked({ day: '2026-02-03', name: 'back' }, [
    'assets:trading <- equity:external:blockchain 0.5 BTC',
  ]);
  await reversed(sent, '2026-02-05');
  await booked({ day: '2026-02-20', name: 's1' }, sell('0.5', '30000'));
  await derived();
  return back;
};

const lotOf = async (record: string, kind: string): Promise<string> => {
  const { rows } = await books.pool.query(
    'select lot_id from books.lots join books.entries using (entity_id, entry_id) where record_id = $1 and kind = $2 and units_left > 0',
    [record, kind],
  );
  return rows[0]?.lot_id;
};

test('a named lot that a reversal brought back', async () => {
  await cameBack();
  await choose(`trades,s1,BTC,${await lotOf('sent', 'reversal')},0.5`);
  expect((await valued()).sort()).toEqual([
    '2026-02: 0.5 of reversal of sent 30000',
    'no-cost 0.5',
    'no-lot 0.5',
  ]);
});

test('a named lot that an arrival brought stays named if its cancellation brings it back', async () => {
  const back = await cameBack();
  await choose(`trades,s1,BTC,${back.id}/1.0,0.5`);
  expect(await valued()).toEqual(['2026-02: 0.5 of back 30000 5000 25000', 'no-lot 0.5']);
  await reversed(back, '2026-02-10');
  expect(await valued()).toEqual(['2026-02: 0.5 of reversal of back 30000 5000 25000', 'no-lot 0.5']);
});

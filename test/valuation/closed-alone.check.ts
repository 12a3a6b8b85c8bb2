// Entities of one taxpayer that close a month one after the other: what is late for another one is valued in a later month, and each
// month still closes with its own cents and keeps them.
import { beforeEach, expect, test } from 'vitest';
import { lotChoiceChange } from '../../src/approvals/lot-choices.ts';
import { post } from '../../src/ledger/entries.ts';
import { returnLate } from '../../src/ledger/ledger.ts';
import { reversalOf } from '../../src/ledger/posting.ts';
import { derive } from '../../src/valuation/valuation.ts';
import { byBoth } from '../approvals/both.ts';
import { reportRows } from '../export/reports/report-rows.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  close,
  closeBoth,
  derivedAgain,
  heldElsewhere,
  left,
  made,
  officialRates,
  paired,
  proved,
  sell,
  withBooks,
} from './month-stand.ts';

withBooks();

beforeEach(() =>
  books.pool.query(`
    insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values ('a', 'a', 'UTC', 'EUR', '2026-01-01');
    insert into decide.profiles (entity_id, version, taxpayer, owner, by_name, at)
    select entity, 1, 'T', 'own', 'Ada', now() from (values ('main'), ('a')) as own (entity)`),
);

const JANUARY = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', entity: 'a' };
const FEBRUARY = { from: '2026-02-01T00:00:00Z', to: '2026-03-01T00:00:00Z', entity: 'a' };

const read = (report: string) => reportRows(books.pool, report, JANUARY);

/** The fees of January, and what of its reports does not agree. */
const january = async () => {
  const fees = (await read('trial_balance')).filter(({ account }) => account === 'expenses:fees:trading');
  const differing = (await read('checks')).filter(({ verdict }) => verdict !== 'holds');
  return { fees: fees.map(({ closing_value }) => closing_value), differing };
};

/** A fee of less than a cent. */
const feeOn = (day: string, period?: string) =>
  booked({ day, name: `fee of ${day}`, entity: 'a', ...(period && { period }) }, [
    'expenses:fees:trading <- assets:trading 0.004 EUR',
  ]);

const valued = async () => {
  await derive(books.db, BOOKS);
  expect(await derive(books.db, BOOKS)).toMatchObject([{ from: null }]);
  expect(await proved()).toEqual([]);
  await derivedAgain();
};

test('a closed month keeps its values when an earlier entry of it comes late', async () => {
  await booked({ day: '2026-01-05', name: 'of main' }, ['assets:trading <- equity:external:bank 1 EUR']);
  await derive(books.db, BOOKS);
  await close('2026-01');
  await feeOn('2026-01-20');
  await valued();
  expect(await january()).toEqual({ fees: ['0.00'], differing: [] });
  await close('2026-01', 'a');
  await feeOn('2026-01-10', '2026-02');
  await valued();
  expect(await january()).toEqual({ fees: ['0.00'], differing: [] });
});

test('a month agrees with itself although another entity has closed two months more', async () => {
  await booked({ day: '2026-02-05', name: 'of main' }, ['assets:trading <- equity:external:bank 1 EUR']);
  await feeOn('2026-02-06');
  await derive(books.db, BOOKS);
  await close('2026-02');
  await feeOn('2026-01-20');
  await valued();
  expect(await january()).toEqual({ fees: ['0.01'], differing: [] });
});

/** What values rest on besides entries, and what it makes of a bitcoin that `a` received, and sold, in its own open month. */
const SOURCES = {
  rates: { change: () => officialRates('2026-02-28'), disposal: '50000 of 50000' },
  'counterparty rules and externally held lots': {
    change: async () => {
      await heldElsewhere('9000');
      await books.pool.query(`
        insert into decide.counterparty_files (version, file_name, by_name, at) values (1, 'f', 'Ada', now());
        insert into decide.counterparty_rules (version, line, class, counterparty, counterparty_type) values (1, 1, 'blockchain', 'own wallet', 'own')`);
    },
    disposal: '50000 of 9000',
  },
  'chosen lots': {
    change: async () => {
      const { rows } = await books.pool.query('select lot_id from books.lots where cost = 30000');
      const choices = [
        {
          stream: 'trades',
          record_id: 'sold',
          currency: 'BTC',
          lot_id: rows[0]?.lot_id,
          units: '1',
          line: 2,
        },
      ];
      const file = { name: 'lots.csv', sha256: 'a'.repeat(64), choices };
      await byBoth(books.db, await lotChoiceChange(books.db, 'a', file), { entity: 'a' });
    },
    disposal: '50000 of 30000',
  },
};

test.each(Object.entries(SOURCES))(
  'late values follow %s although no open month has an entry',
  async (_, { change, disposal }) => {
    await books.pool.query(`insert into decide.profiles (entity_id, version, taxpayer, owner, cost_method, by_name, at)
    select entity, 2, 'T', 'own', 'specific', 'Ada', now() from (values ('main'), ('a')) as own (entity)`);
    await booked({ day: '2026-01-05', name: 'of main' }, ['assets:trading <- equity:external:bank 1 EUR']);
    await derive(books.db, BOOKS);
    await close('2026-01');
    await booked({ day: '2026-01-10', name: 'received', entity: 'a' }, [
      'assets:trading <- equity:external:blockchain 1 BTC',
    ]);
    await booked({ day: '2026-01-11', name: 'bought', entity: 'a' }, buy('1', '30000'));
    await booked({ day: '2026-01-20', name: 'sold', entity: 'a' }, sell('1', '50000'));
    await valued();
    await change();
    await valued();
    const { rows } = await books.pool.query(
      "select concat_ws(' of ', proceeds, cost) as used from books.disposals",
    );
    expect(rows).toEqual([{ used: disposal }]);
  },
);

test('an externally held lot is there at once although no open month has an entry', async () => {
  await booked({ day: '2026-01-05', name: 'of main' }, ['assets:trading <- equity:external:bank 1 EUR']);
  await derive(books.db, BOOKS);
  await close('2026-01');
  await heldElsewhere('9000');
  await valued();
  const { rows } = await books.pool.query('select period, units_left from books.lots');
  expect(rows).toEqual([{ period: '2026-02', units_left: '1' }]);
});

const reopen = (period: string, entity = 'a') =>
  books.pool.query(
    `insert into decide.reopenings (entity_id, period, seal_number, requests_to, by_name, reason, at) values ($2, $1, 1, 0, 'Ada', 'r', now())`,
    [period, entity],
  );

test('a late correction that one entity alone takes back into a reopened month is undone at what it was', async () => {
  await books.pool.query(`insert into decide.profiles (entity_id, version, taxpayer, owner, cost_method, by_name, at)
    select entity, 2, 'T', 'own', 'hifo', 'Ada', now() from (values ('main'), ('a')) as own (entity)`);
  await booked({ day: '2026-01-05', name: 'bought', entity: 'a' }, buy('1', '40000'));
  const wrong = await booked({ day: '2026-01-10', name: 'sold', entity: 'a' }, sell('1', '50000'));
  await derive(books.db, BOOKS);
  await closeBoth('2026-01');
  const late = { period: '2026-02', originalPeriod: '2026-01' };
  await post(books.db, [
    reversalOf(wrong, wrong.effectiveAt, { ...wrong, ordinal: 2, ...late }),
    made({ day: '2026-01-10', period: '2026-02', name: 'sold', entity: 'a', ordinal: 3 }, sell('1', '52000')),
  ]);
  await booked({ day: '2026-02-10', name: 'dear' }, buy('1', '60000'));
  await derive(books.db, BOOKS);
  await closeBoth('2026-02');
  for (const period of ['2026-02', '2026-01']) await reopen(period);
  expect(await returnLate(books.db, { entity: 'a', whose: 'records' })).toBe(2);
  await valued();
  const { rows } = await books.pool.query(
    'select e.ordinal, sum(gain)::int as gain from books.disposals d join books.entries e using (entity_id, entry_id) group by 1 order by 1',
  );
  expect(rows.map(({ gain }) => gain)).toEqual([10000, -10000, 12000, -12000, 10000, -10000, -8000]);
  for (const month of [JANUARY, FEBRUARY])
    expect(
      (await reportRows(books.pool, 'checks', month)).filter(({ verdict }) => verdict !== 'holds'),
    ).toEqual([]);
});

test('what another entity kept out of its month returns to the first open one when a later month is reopened', async () => {
  await booked({ day: '2026-01-05', name: 'of main' }, ['assets:trading <- equity:external:bank 1 EUR']);
  await booked({ day: '2026-02-05', name: 'later' }, ['assets:trading <- equity:external:bank 1 EUR']);
  await derive(books.db, BOOKS);
  await close('2026-01');
  await close('2026-02');
  await feeOn('2026-01-20');
  await valued();
  await reopen('2026-02', 'main');
  await valued();
  const { rows } = await books.pool.query("select distinct period from value.postings where entity_id = 'a'");
  expect(rows).toEqual([{ period: '2026-02' }]);
});

test('a month that closed with a late correction keeps it when that is cancelled a month later', async () => {
  const bought = await booked({ day: '2026-01-20', name: 'bought', entity: 'a' }, buy('1', '10000'));
  await derive(books.db, BOOKS);
  await close('2026-01');
  const back = { ...bought, recordedAt: '2026-01-22T12:00:00.000Z' };
  await post(books.db, [reversalOf(bought, '2026-01-20T12:00:00.000Z', { ...back, ordinal: 2 })]);
  const again = await booked({ day: '2026-01-20', name: 'bought', entity: 'a' }, buy('1', '11000'));
  await valued();
  await close('2026-01', 'a');
  const late = { ...back, ordinal: 4, period: '2026-02', originalPeriod: '2026-01' };
  await post(books.db, [reversalOf(again, '2026-01-22T12:00:00.000Z', late)]);
  await valued();
  expect(await january()).toEqual({ fees: [], differing: [] });
});

test('a departure that is corrected in a month which only another entity has closed leaves its lots where they arrived', async () => {
  await officialRates('2026-03-31');
  const [out, into] = [
    'equity:external:person <- assets:trading 1 BTC',
    'assets:trading <- equity:external:person 1 BTC',
  ];
  await booked({ day: '2026-01-05', name: 'bought' }, buy('1', '40000'));
  const sent = await booked({ day: '2026-01-10', name: 'sent' }, [out]);
  const received = await booked({ day: '2026-01-12', name: 'received', entity: 'a' }, [into]);
  await paired(sent, received);
  await derive(books.db, BOOKS);
  await closeBoth('2026-01');
  await close('2026-02', 'a');
  const late = { period: '2026-02', originalPeriod: '2026-01' };
  const right = made({ day: '2026-01-11', period: '2026-02', name: 'sent', ordinal: 3 }, [out]);
  await post(books.db, [reversalOf(sent, sent.effectiveAt, { ...sent, ordinal: 2, ...late }), right]);
  await paired(right, received);
  expect(await left()).toEqual(['here 1 40000']);
});

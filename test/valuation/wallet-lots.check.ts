// Lots in our own external wallets, of a departure that is cancelled once its units have come back.
import { beforeEach, describe, expect, test } from 'vitest';
import { returnLate } from '../../src/ledger/ledger.ts';
import { derive } from '../../src/valuation/valuation.ts';
import { reportRows } from '../export/reports/report-rows.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  close,
  gains,
  left,
  officialRates,
  reversed,
  sell,
  taxed,
  withBooks,
} from './month-stand.ts';

withBooks(async () => {
  await officialRates('2026-03-31');
  await books.pool.query(`
    insert into decide.counterparty_files (version, file_name, by_name, at) values (1, 'f', 'Ada', now());
    insert into decide.counterparty_rules (version, line, class, counterparty, counterparty_type) values (1, 1, 'blockchain', 'a wallet', 'own')`);
});

const TO_WALLET = ['equity:external:blockchain <- assets:trading 1 BTC'];
const FROM_WALLET = ['assets:trading <- equity:external:blockchain 1 BTC'];

/** Two coins are sent to an own wallet, the first one comes back, and after the close the departure of one is cancelled. */
const cancelled = async (name: string) => {
  await booked({ day: '2026-01-05', name: 'first' }, buy('1', '40000'));
  await booked({ day: '2026-01-06', name: 'second' }, buy('1', '60000'));
  const all = [
    await booked({ day: '2026-01-10', name: 'first sent' }, TO_WALLET),
    await booked({ day: '2026-01-11', name: 'second sent' }, TO_WALLET),
    await booked({ day: '2026-01-20', name: 'come back' }, FROM_WALLET),
  ];
  await derive(books.db, BOOKS);
  await close('2026-01');
  for (const one of all) if (one.description === name) await reversed(one, '2026-02-05');
};

const findings = async (): Promise<string[]> => {
  const { rows } = await books.pool.query('select detail from books.value_findings');
  return rows.map(({ detail }) => detail);
};

describe.each(['fifo', 'average', 'hifo'])('with the method %s', (method) => {
  beforeEach(() => taxed(['main'], { method }));

  test.each(['first sent', 'second sent'])(
    'what comes back of the departure "%s" is what is left in the wallet, at its cost',
    async (name) => {
      await cancelled(name);
      expect(await left()).toEqual(['here 2 100000']);
      expect(await gains()).toBeNull();
      expect(await findings()).toEqual([]);
    },
  );

  test('an arrival that is cancelled gives its lot back to the wallet', async () => {
    await cancelled('come back');
    expect(await left()).toEqual(['external 2 100000']);
  });
});

test('what the wallet has no more comes back without a cost, which is a finding', async () => {
  await booked({ day: '2026-01-05', name: 'first' }, buy('1', '40000'));
  const sent = await booked({ day: '2026-01-10', name: 'first sent' }, TO_WALLET);
  await booked({ day: '2026-01-20', name: 'come back' }, FROM_WALLET);
  await reversed(sent, '2026-02-05');
  expect(await left()).toEqual(['here 2 40000', 'without a lot: external 1']);
  expect(await findings()).toEqual(['1 BTC in trades first sent have no cost: no lot is left to cover them']);
});

/** A departure is cancelled, its lots are sold, and it stands again: other lots leave in their place, with a gain. */
const sentAgain = async () => {
  await taxed(['main'], { rules: 'without-lot:zero' });
  await booked({ day: '2026-01-05', name: 'first' }, buy('1', '40000'));
  await booked({ day: '2026-01-06', name: 'second' }, buy('1', '60000'));
  const sent = await booked({ day: '2026-01-10', name: 'sent' }, TO_WALLET);
  await derive(books.db, BOOKS);
  await close('2026-01');
  await reversed(sent, '2026-02-05');
  await booked({ day: '2026-02-10', name: 'sold' }, sell('0.9', '45000'));
  await derive(books.db, BOOKS);
  await close('2026-02');
  return booked({ day: '2026-01-10', period: '2026-03', name: 'sent' }, TO_WALLET);
};

test('a departure that stands again when its lots are sold, and is cancelled once more, leaves no gain', async () => {
  const sent = await sentAgain();
  expect(await left()).toEqual(['external 1 40000', 'here 0.1 6000']);
  expect(await gains()).toBe('-9000'); // 9000 of the sale, and 0.9 leave at 54000 in place of 36000
  await reversed(sent, '2026-03-05');
  expect(await left()).toEqual(['here 1.1 64000']);
  expect(await gains()).toBe('9000');
});

test('if its units have come back by then, the gain stays, and what comes back has no cost', async () => {
  const sent = await sentAgain();
  await booked({ day: '2026-03-02', name: 'come back' }, FROM_WALLET);
  await reversed(sent, '2026-03-05');
  expect(await left()).toEqual(['here 2.1 46000', 'without a lot: external 1']);
  expect(await gains()).toBe('-9000');
});

test('a departure that replaced sold lots and is corrected later has its gain once', async () => {
  const sent = await sentAgain();
  await derive(books.db, BOOKS);
  await close('2026-03');
  await reversed(sent, '2026-01-10', '2026-04');
  const fee = 'expenses:fees:network <- assets:trading 0.1 BTC';
  await booked({ day: '2026-01-10', period: '2026-04', name: 'sent' }, [...TO_WALLET, fee]);
  expect(await left()).toEqual(['external 1 40000']);
  expect(await gains()).toBe('-10000'); // of the fee, 5000 - 6000
});

test.each([
  ['', '10000'],
  ['without-lot:zero', '50000'],
])(
  'units that came back stay known if their departure had stood again without any lot (%s)',
  async (rules, gain) => {
    await taxed(['main'], { rules });
    await booked({ day: '2026-01-05', name: 'first' }, buy('1', '40000'));
    const sent = await booked({ day: '2026-01-10', name: 'sent' }, TO_WALLET);
    await derive(books.db, BOOKS);
    await close('2026-01');
    await reversed(sent, '2026-02-05');
    await booked({ day: '2026-02-10', name: 'sold' }, sell('1', '50000'));
    await derive(books.db, BOOKS);
    await close('2026-02');
    const again = await booked({ day: '2026-01-10', period: '2026-03', name: 'sent' }, TO_WALLET);
    expect(await left()).toEqual(['external 1 40000', 'without a lot: held 1']);
    await booked({ day: '2026-03-02', name: 'come back' }, FROM_WALLET);
    await reversed(again, '2026-03-05');
    expect(await left()).toEqual(['here 2 40000', 'without a lot: external 1', 'without a lot: held 1']);
    expect(await gains()).toBe(gain);
  },
);

test('what came back in a month that was closed before its departure was booked has its cost once that month is reopened', async () => {
  await booked({ day: '2026-01-05', name: 'bought' }, buy('1', '40000'));
  await booked({ day: '2026-01-20', name: 'come back' }, FROM_WALLET);
  await derive(books.db, BOOKS);
  await close('2026-01');
  await booked({ day: '2026-01-10', period: '2026-02', name: 'sent' }, TO_WALLET);
  expect(await left()).toEqual(['external 1 40000', 'here 1', 'without a lot: external 1']);
  const january = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
  expect(await reportRows(books.pool, 'value_findings', january)).toMatchObject([
    { kind: 'no-lot', remedy: 'import lots, enter the opening or reopen the month' },
  ]);
  await books.pool.query(`insert into decide.reopenings (entity_id, period, seal_number, requests_to, by_name, reason, at)
    values ('main', '2026-01', 1, 0, 'Ada', 'r', '2026-03-01')`);
  await returnLate(books.db, { entity: 'main', whose: 'records' });
  expect(await left()).toEqual(['here 1 40000']);
  expect(await findings()).toEqual([]);
});

// Transfers between own accounts: where the lots are while one side is closed, late or corrected.
import { expect, test } from 'vitest';
import { post } from '../../src/ledger/entries.ts';
import { reversalOf } from '../../src/ledger/posting.ts';
import { derive } from '../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  close,
  closeBoth,
  derivedAgain,
  disposals,
  made,
  paired,
  proved,
  sell,
  twoEntities,
  withBooks,
} from './month-stand.ts';

withBooks(twoEntities);

const costMethod = (method: string) =>
  books.pool.query('update decide.profiles set cost_method = $1', [method]);

const chainIs = (type: string) =>
  books.pool.query(`
    insert into decide.counterparty_files (version, file_name, by_name, at) values (1, 'f', 'Ada', now());
    insert into decide.counterparty_rules (version, line, class, counterparty, counterparty_type) values (1, 1, 'blockchain', 'a wallet', '${type}')`);

const OUT = ['equity:external:blockchain <- assets:trading 0.5 BTC'];
const INTO = ['assets:trading <- equity:external:blockchain 0.5 BTC'];

/** Lots with units left, as pool, units and cost. */
const left = async () => {
  const { rows } = await books.pool.query(
    `select concat_ws(' ', pool, units_left, coalesce(cost_left::text, '?')) as lot from books.lots where units_left > 0 order by 1`,
  );
  return rows.map(({ lot }) => lot);
};

const valued = async () => {
  await derive(books.db, BOOKS);
  expect(await proved()).toEqual([]);
  await derivedAgain();
};

/** A month is closed between the departure and the booking of its arrival. */
const receivedAfterClose = async (): Promise<void> => {
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  const sent = await booked({ day: '2026-01-31', name: 'sent' }, OUT);
  await derive(books.db, BOOKS);
  await close('2026-01');
  await paired(sent, await booked({ day: '2026-02-01', name: 'received', entity: 'a' }, INTO));
};

const SOLD = '0.5 of bought 25000 20000 5000';

test.each([
  { to: 'an own wallet', gains: [], lots: ['held 0.5 20000', 'held 0.5 20000'] },
  { to: 'an unknown one', gains: [`2026-01: ${SOLD}`], lots: ['held 0.5 20000', 'held 0.5 25000'] },
])('what was sent to $to in a closed month arrives at the cost that it left there', async (world) => {
  if (world.to === 'an own wallet') await chainIs('own');
  await receivedAfterClose();
  await valued();
  expect(await disposals()).toEqual(world.gains);
  expect(await left()).toEqual(world.lots);
});

test.each([
  { from: 'an own wallet', gains: [], lots: ['external 0.5 20000', 'held 0.5 20000', 'held 0.5 ?'] },
  { from: 'an unknown one', gains: [`2026-02: ${SOLD}`], lots: ['held 0.5 20000', 'held 0.5 25000'] },
])('what arrived from $from in a closed month is not in transit once it was sent', async (world) => {
  if (world.from === 'an own wallet') await chainIs('own');
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  const received = await booked({ day: '2026-01-31', name: 'received', entity: 'a' }, INTO);
  await derive(books.db, BOOKS);
  await close('2026-01');
  await paired(await booked({ day: '2026-01-30', name: 'sent', period: '2026-02' }, OUT), received);
  await valued();
  expect(await disposals()).toEqual(world.gains);
  expect(await left()).toEqual(world.lots);
});

test('once the month is open again, both sides are one transfer', async () => {
  await receivedAfterClose();
  await derive(books.db, BOOKS);
  await books.pool.query('delete from decide.seals');
  await valued();
  expect(await disposals()).toEqual([]);
  expect(await left()).toEqual(['held 0.5 20000', 'held 0.5 20000']);
});

test('what arrives waits for the departure as it was corrected, not for the one that it replaces', async () => {
  await booked({ day: '2026-01-10', name: 'bought' }, buy('0.5', '20000'));
  const wrong = await booked({ day: '2026-01-20', hour: '12', name: 'sent' }, OUT);
  const received = await booked({ day: '2026-01-20', hour: '10', name: 'received', entity: 'a' }, INTO);
  await paired(wrong, received);
  const right = made({ day: '2026-01-20', hour: '09', name: 'sent', ordinal: 3 }, OUT);
  await post(books.db, [reversalOf(wrong, wrong.effectiveAt, { ...wrong, ordinal: 2 }), right]);
  await paired(right, received);
  await booked({ day: '2026-01-20', hour: '11', name: 'sold', entity: 'a' }, sell('0.5', '25000'));
  await valued();
  expect(await disposals()).toEqual(['2026-01: 0.5 of received 25000 20000 5000']);
});

test('what arrives in a month that only the sender has closed waits for its late departure', async () => {
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  await derive(books.db, BOOKS);
  await close('2026-01');
  await paired(
    await booked({ day: '2026-01-30', name: 'sent', period: '2026-02' }, OUT),
    await booked({ day: '2026-01-31', name: 'received', entity: 'a' }, INTO),
  );
  await valued();
  expect(await left()).toEqual(['held 0.5 20000', 'held 0.5 20000']);
});

/** The findings of values, as kind, entry and month. */
const found = async () => {
  const { rows } = await books.pool.query(
    "select concat_ws(' ', f.kind, e.record_id, f.period) as finding from books.value_findings f join books.entries e using (entity_id, entry_id) where severity = 'finding'",
  );
  return rows.map(({ finding }) => finding);
};

/** What a departure of a closed January becomes in February: a reversal, and an entry of another time. */
const corrected = async (sent: ReturnType<typeof made>, legs: readonly string[], ordinal = 3) => {
  const late = { period: '2026-02', originalPeriod: '2026-01' };
  const right = made({ day: '2026-01-20', hour: '09', period: '2026-02', name: 'sent', ordinal }, legs);
  await post(books.db, [
    reversalOf(sent, sent.effectiveAt, { ...sent, ordinal: ordinal - 1, ...late }),
    right,
  ]);
  return right;
};

test.each(['fifo', 'hifo', 'average'])(
  'a departure that is corrected after its arrival was closed moves no lots again (%s)',
  async (method) => {
    await costMethod(method);
    await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
    const sent = await booked({ day: '2026-01-20', name: 'sent' }, OUT);
    const received = await booked({ day: '2026-01-21', name: 'received', entity: 'a' }, INTO);
    await paired(sent, received);
    await booked({ day: '2026-01-25', name: 'dear' }, buy('1', '60000'));
    await derive(books.db, BOOKS);
    await close('2026-01');
    await close('2026-01', 'a');
    const fee = 'expenses:fees:network <- assets:trading 0.001 BTC';
    await paired(await corrected(sent, [...OUT, fee]), received);
    await valued();
    expect((await left()).filter((lot) => lot.startsWith('in-transit'))).toEqual([]);
    expect(await found()).toEqual([]);
  },
);

test.each(['open', 'closed'])(
  'what arrives in a month before that of its departure waits for it (%s)',
  async (month) => {
    await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
    const received = await booked({ day: '2026-01-31', name: 'received', entity: 'a' }, INTO);
    await derive(books.db, BOOKS);
    await paired(await booked({ day: '2026-02-01', name: 'sent' }, OUT), received);
    await valued();
    if (month === 'closed') await closeBoth('2026-01');
    await booked({ day: '2026-01-05', name: 'late', period: '2026-02' }, buy('1', '10000'));
    await booked({ day: '2026-02-10', name: 'sold', entity: 'a' }, sell('0.5', '25000'));
    await valued();
    expect(await found()).toEqual([]);
    expect(await left()).toEqual(['held 0.5 20000', 'held 0.5 20000', 'held 0.5 5000']);
  },
);

test('what was sent is not held back by an arrival that was cancelled before', async () => {
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  const received = await booked({ day: '2026-01-11', name: 'received', entity: 'a' }, INTO);
  await paired(await booked({ day: '2026-01-15', name: 'sent' }, OUT), received);
  await post(books.db, [reversalOf(received, '2026-01-13T12:00:00.000Z', { ...received, ordinal: 2 })]);
  await valued();
  expect(await found()).toEqual([]);
  expect(await left()).toEqual(['held 0.5 20000']);
});

test.each(['unknown', 'third-party'])(
  'the side of an own transfer whose other side was closed as a third party is a finding (%s)',
  async (type) => {
    if (type !== 'unknown') await chainIs(type);
    await receivedAfterClose();
    await valued();
    expect(await found()).toEqual(['closed-side received 2026-02']);
  },
);

test('an arrival brings the lots that its own departure sent, whatever else is in transit', async () => {
  await costMethod('average');
  await booked({ day: '2026-01-10', name: 'cheap' }, buy('0.5', '10000'));
  await booked({ day: '2026-01-11', name: 'first' }, OUT);
  await booked({ day: '2026-01-12', name: 'dear' }, buy('0.5', '30000'));
  const second = await booked({ day: '2026-01-13', name: 'second' }, OUT);
  const first = made({ day: '2026-01-11', name: 'first' }, OUT);
  await paired(second, await booked({ day: '2026-01-14', name: 'of second', entity: 'a' }, INTO));
  await paired(first, await booked({ day: '2026-02-01', name: 'of first', entity: 'a' }, INTO));
  await booked({ day: '2026-01-20', name: 'sold', entity: 'a' }, sell('0.5', '25000'));
  await valued();
  expect(await disposals()).toEqual(['2026-01: 0.5 of of second 25000 30000 -5000']);
  expect(await left()).toEqual(['held 0.5 10000']);
});

test('an arrival of a closed month that is corrected leaves its lots where they went', async () => {
  await booked({ day: '2026-01-10', name: 'bought' }, buy('0.5', '20000'));
  const sent = await booked({ day: '2026-01-20', name: 'sent' }, OUT);
  const received = await booked({ day: '2026-01-21', name: 'received', entity: 'a' }, INTO);
  await paired(sent, received);
  await booked({ day: '2026-01-22', name: 'sold', entity: 'a' }, sell('0.5', '25000'));
  await derive(books.db, BOOKS);
  await close('2026-01');
  await close('2026-01', 'a');
  const late = { period: '2026-02', originalPeriod: '2026-01' };
  const again = {
    day: '2026-01-21',
    hour: '13',
    period: '2026-02',
    name: 'received',
    entity: 'a',
    ordinal: 3,
  };
  const right = made(again, INTO);
  await post(books.db, [
    reversalOf(received, received.effectiveAt, { ...received, ordinal: 2, ...late }),
    right,
  ]);
  await paired(sent, right);
  await valued();
  expect(await found()).toEqual([]);
  expect(await disposals()).toEqual(['2026-01: 0.5 of received 25000 20000 5000']);
  expect(await left()).toEqual([]);
});

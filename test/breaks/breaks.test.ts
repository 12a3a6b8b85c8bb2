// The life of a break: the same one every night, resolved automatically when it ties, and never for lack of a comparison.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { adjustment, type Nights, openNights, wallet, walletSide } from '../reconcile/stage.ts';

let books: Nights;
beforeEach(async () => {
  books = await openNights();
});
afterEach(() => books.close());

const landed = { records: { movements: [adjustment('m1', '100')] } };
const reporting = (balance: string) => ({ ...landed, after: { trading: [wallet('w1', 'EUR', balance)] } });

const breaks = () =>
  books.rows('select break_id, check_name, subject, difference, status from books.breaks order by 1');
const events = async () =>
  (await books.rows('select status, reason from reconcile.break_events order by event_id')).map(
    ({ status, reason }) => `${status}: ${reason}`,
  );
const status = async () => (await breaks())[0]?.status;

describe('a break', () => {
  test('shows the account, reported, booked, the difference and its likely cause', async () => {
    await books.night(reporting('90'));
    const [row] = await books.rows('select * from books.breaks');
    expect(row).toMatchObject({
      check_name: 'trading_tie_out',
      subject: 'assets:trading EUR',
      account: 'assets:trading',
      currency: 'EUR',
      reported: '90',
      booked: '100',
      difference: '-10',
      status: 'open',
      resolved_at: null,
      reason:
        'no record explains -10 EUR on assets:trading: the gateway may not have listed a record of that amount',
    });
  });

  test('names the record that is booked and missing from the balance', async () => {
    await books.night(reporting('0'));
    const [row] = await books.rows('select reason from books.breaks');
    expect(row?.reason).toBe('booked, but the balance may not include it: movements m1');
  });

  test.each([
    ['7', 'rejected and so not booked'],
    ['0.5', 'may come from a record that was rejected and so is not booked'],
  ])('names a rejected record of %s EUR, and whether that is the difference', async (amount, says) => {
    const rejected = adjustment('m2', amount, { serviceOrderName: 'lottery' });
    await books.night({
      records: { movements: [...landed.records.movements, rejected] },
      after: { trading: [wallet('w1', 'EUR', '107')] },
    });
    const [row] = await books.rows('select reason from books.breaks');
    expect(row?.reason).toBe(
      `${says}: movements m2 (serviceOrderName: unknown word "lottery"); difference 7 EUR`,
    );
  });

  test.each([
    ['deposit', '93', 'may come from a record that was rejected and so is not booked', '-7'],
    ['withdrawal', '93', 'rejected and so not booked', '-7'],
    ['withdrawal', '107', 'may come from a record that was rejected and so is not booked', '7'],
  ])(
    'a rejected %s is the difference only in its direction',
    async (movementType, balance, says, difference) => {
      const rejected = adjustment('m2', '7', { movementType, serviceOrderName: 'lottery' });
      await books.night({
        records: { movements: [...landed.records.movements, rejected] },
        after: { trading: [wallet('w1', 'EUR', balance)] },
      });
      const [row] = await books.rows('select reason from books.breaks');
      expect(row?.reason).toBe(
        `${says}: movements m2 (serviceOrderName: unknown word "lottery"); difference ${difference} EUR`,
      );
    },
  );

  test.each([
    ['origin', '-7', 'rejected and so not booked'],
    ['origin', '7', 'may come from a record that was rejected and so is not booked'],
    ['destination', '7', 'rejected and so not booked'],
    ['destination', '-7', 'may come from a record that was rejected and so is not booked'],
  ])(
    'a rejected record with a pocket as its %s is the difference only in its direction: %s',
    async (side, balance, says) => {
      const [pocket, other] = [
        { class: 'pocket', pocketId: 'p1', amount: '7', currency: 'EUR' },
        { class: 'vault', amount: '7', currency: 'EUR' },
      ];
      const sides =
        side === 'origin' ? { origin: pocket, destination: other } : { origin: other, destination: pocket };
      await books.night({
        records: { 'wallet-transactions': [walletSide('t1', '7', sides)] },
        after: { pocket: [wallet('p1', 'EUR', balance)] },
      });
      const [row] = await books.rows('select reason from books.breaks');
      expect(row?.reason).toContain(`${says}: wallet-transactions t1`);
    },
  );

  test('names a rejected record of a pocket whose id its text holds with escapes', async () => {
    const destination = { class: 'pocket', pocketId: 'p"\\1', amount: '7', currency: 'EUR' };
    const origin = { class: 'vault', amount: '7', currency: 'EUR' };
    await books.night({
      records: { 'wallet-transactions': [walletSide('t1', '7', { origin, destination })] },
      after: { pocket: [wallet('p"\\1', 'EUR', '7')] },
    });
    const [row] = await books.rows('select reason from books.breaks');
    expect(row?.reason).toContain('rejected and so not booked: wallet-transactions t1');
  });

  test('is the same one every night, and has one event while nothing changes', async () => {
    await books.night(reporting('90'));
    const first = await breaks();
    await books.night(reporting('90'));
    expect(await breaks()).toEqual(first);
    expect(await events()).toHaveLength(1);
  });

  test('stores its earlier differences', async () => {
    await books.night(reporting('90'));
    await books.night(reporting('80'));
    expect((await events()).at(-1)).toBe('open: the difference was -10');
    expect((await breaks())[0]?.difference).toBe('-20');
  });

  test('is resolved automatically when it ties, and reopens when the difference returns', async () => {
    await books.night(reporting('90'));
    const [{ break_id } = {}] = await breaks();
    await books.night(reporting('100'));
    expect(await status()).toBe('resolved');
    await books.night(reporting('90'));
    expect(await breaks()).toMatchObject([{ break_id, status: 'open' }]);
    expect((await events()).map((event) => event.replace(/: no record.*/, ''))).toEqual([
      'open: opened',
      'resolved: it ties again',
      'open: reopened',
    ]);
  });

  test('stays open when the next night is refused the balance', async () => {
    await books.night(reporting('90'));
    await books.night({ ...landed, after: { pocket: [] } });
    expect(await status()).toBe('open');
  });

  test('stays open when the next night is refused the balance and nothing was ever booked', async () => {
    await books.night({ after: { trading: [wallet('w1', 'BTC', '5')] } });
    const tieOuts = await books.night({ after: { pocket: [] } });
    expect(tieOuts['assets:trading BTC']?.status).toBe('uncovered');
    expect(await status()).toBe('open');
  });

  test('is resolved when its account is no longer reported or booked', async () => {
    await books.night({ after: { trading: [wallet('w1', 'BTC', '5')] } });
    await books.night({ after: { trading: [] } });
    expect(await status()).toBe('resolved');
  });
});

test('reconciling twice in one run changes nothing', async () => {
  await books.night(reporting('90'));
  const all = async () => [await books.rows('select * from books.tie_outs'), await breaks(), await events()];
  const once = await all();
  const stored = 'select distinct reading from reconcile.tie_outs order by 1';
  expect(await books.rows(stored)).toEqual([{ reading: 1 }]);
  await books.again();
  expect(await all()).toEqual(once);
  expect(await books.rows(stored)).toEqual([{ reading: 1 }, { reading: 2 }]); // earlier readings stay
});

test('the breaks of one entity do not affect those of another', async () => {
  await books.night(reporting('90'));
  await books.rows(`
    insert into reconcile.breaks (entity_id, break_id, check_name, subject, status, reason, opened_at, since, run_id)
    select 'sub-1', 'theirs', check_name, subject, 'open', reason, opened_at, since, run_id from reconcile.breaks`);
  await books.night(reporting('100'));
  const rows = await books.rows('select entity_id, status from books.breaks order by 1');
  expect(rows).toEqual([
    { entity_id: 'main', status: 'resolved' },
    { entity_id: 'sub-1', status: 'open' },
  ]);
});

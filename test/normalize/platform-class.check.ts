// The platform's own word for another of its users is fixed by the first record that is booked by it, as timezone and currency are by
// the first entry: other books are never made in silence, and --restate changes it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { typed } from '../cli/played.ts';
import { instantAt } from '../land/stage.ts';
import { type Nights, openNights } from '../reconcile/stage.ts';

let nights: Nights;
beforeEach(async () => {
  nights = await openNights();
});
afterEach(() => nights?.close());

const sent = (id: string, toClass: string): WireRecord => ({
  id,
  date: instantAt(0),
  completedAt: instantAt(60),
  status: 'completed',
  origin: { class: 'pocket', pocketId: 'p1', amount: '100', currency: 'EUR' },
  destination: { class: toClass, amount: '100', currency: 'EUR' },
});

const run = async (word: string | null, ...args: readonly string[]) => {
  const { exitCode, stderr } = await typed(args, {
    DATABASE_URL: nights.url,
    ...(word !== null && { GATEWAY_PLATFORM_CLASS: word }),
  });
  return { exitCode, complaint: stderr.trim().split('\n')[0] };
};
const restated = [
  'normalize',
  '--restate',
  '--by',
  'Ada',
  '--reason',
  'the platform has another word',
] as const;

const stored = async () =>
  (await nights.rows('select platform_class from books.entities'))[0]?.platform_class;
const rejected = async () =>
  (await nights.rows('select record_id from books.rejects order by 1')).map(({ record_id }) => record_id);

const OTHER =
  'GATEWAY_PLATFORM_CLASS is not set, but records of main were booked with acme: set GATEWAY_PLATFORM_CLASS=acme, or book these records again by the new setting with npx tieout normalize --restate --entity main';

test('it is stored with the first record that is booked by it, and compared from then on', async () => {
  await nights.tell('wallet-transactions', sent('w1', 'acme'), sent('w2', 'bank'));
  expect(await run('wrong', 'normalize')).toMatchObject({ exitCode: 1 });
  expect([await stored(), await rejected()]).toEqual([null, ['w1']]);
  expect(await run('bank', 'normalize')).toMatchObject({ exitCode: 1 });
  expect(await stored()).toBe(null); // a class that is known anyway

  await run('acme', ...restated);
  expect([await stored(), await rejected()]).toEqual(['acme', []]);
  for (const command of [['normalize'], ['rebuild'], ['verify', 'ledger'], ['reconcile']]) {
    const { exitCode, complaint } = await run(null, ...command);
    expect([exitCode, complaint], command.join(' ')).toEqual([64, expect.stringContaining(OTHER)]);
  }
  expect((await run('acme2', 'normalize')).complaint).toContain(
    'GATEWAY_PLATFORM_CLASS is acme2, but records of main',
  );
  expect((await run('acme', 'rebuild')).exitCode).toBe(1); // open findings; 2 would be other books
});

test('normalize --restate changes it: the records of the earlier word are decided by the new one', async () => {
  await nights.tell('wallet-transactions', sent('w1', 'acme'));
  await run('acme', 'normalize');
  expect(await stored()).toBe('acme');
  await nights.tell('wallet-transactions', sent('w2', 'acme2'));
  await run('acme2', ...restated, '--dry-run');
  expect([await stored(), await rejected()]).toEqual(['acme', []]);

  expect((await run('acme2', ...restated)).exitCode).toBe(1);
  expect([await stored(), await rejected()]).toEqual(['acme2', ['w1']]);
  expect(await nights.rows('select record_id, kind from books.entries order by record_id, ordinal')).toEqual([
    { record_id: 'w1', kind: 'wallet-transaction' },
    { record_id: 'w1', kind: 'reversal' },
    { record_id: 'w2', kind: 'wallet-transaction' },
  ]);
  expect((await run('acme2', 'rebuild')).exitCode).toBe(1); // open findings; 2 would be other books
  expect((await run(null, ...restated)).exitCode).toBe(1);
  expect([await stored(), await rejected()]).toEqual([null, ['w1', 'w2']]);
});

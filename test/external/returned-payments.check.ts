// A payment that was returned: the platform cancels its record, and the bank shows both the payment and its return, or neither.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { loadSql } from '../../src/database/sql.ts';
import { type Nights, openNights, wallet } from '../reconcile/stage.ts';
import {
  camtOf,
  type Payment,
  paymentsOf,
  recordOf,
  type StatedPayment,
  type StatementText,
  statedOf,
} from './bank.ts';
import { commandsOn, MAIN } from './commands.ts';

const others = paymentsOf(1, 6, ['bank']);
const returned: Payment = {
  ...(paymentsOf(98, 1, ['bank'])[0] as Payment),
  day: '2026-02-05',
  units: -44_400,
};
const sent = statedOf(returned, 1);
const back = { ...sent, units: 44_400, bookedOn: '2026-02-11', valueOn: '2026-02-11', reference: '' };

let nights: Nights;
const { importText, withdraw } = commandsOn(() => nights);
beforeEach(async () => {
  nights = await openNights();
  await land([...others, returned].map(recordOf));
});
afterEach(() => nights?.close());

const land = (rows: readonly WireRecord[]) =>
  nights.night({
    records: { 'wallet-transactions': rows },
    after: { pocket: [wallet('p1', 'EUR', '0')] },
  });

const cancel = () =>
  land([{ ...recordOf(returned), status: 'cancelled', canceledAt: '2026-02-10T09:00:00.000Z' }]);

/** A statement of the other payments and some lines. */
const statementWith = (lines: readonly StatedPayment[]): StatementText => ({
  opening: 5_000_000,
  lines: [...others.map(statedOf), ...lines].sort((a, b) => (a.bookedOn < b.bookedOn ? -1 : 1)),
  number: 1,
  from: '2026-01-31',
  to: '2026-03-12',
});

/** What differs by the reconciliation of the bank as of an instant. */
const differences = async (to = '2026-03-15T00:00:00Z') => {
  const { text, values } = loadSql('reports/reconciliation.sql', { to, entity: 'main' });
  const items = (await nights.rows(text, values)).filter(({ account }) => account === 'equity:external:bank');
  expect(items.at(-1)).toMatchObject({ item: 'left', amount: '0' });
  return items
    .filter(({ item }) => !['stated', 'booked', 'left'].includes(String(item)))
    .map(({ item, amount, status }) => `${item} ${amount} ${status}`);
};

test.each([
  ['the payment and its return', [sent, back], []],
  ['neither', [], []],
  ['the payment alone', [sent], ['only on the statement 444 break']],
  ['the return alone', [back], ['only on the statement -444 break']],
  [
    'a return that lacks a cent',
    [sent, { ...back, units: 44_399 }],
    ['only on the statement 444 break', 'only on the statement -443.99 break'],
  ],
])('the bank states %s', async (_, lines, breaks) => {
  await cancel();
  await importText(camtOf(statementWith(lines)), ...MAIN);
  expect(await differences()).toEqual(breaks);
});

test('what matched before the record was cancelled matches again, with its return', async () => {
  await importText(camtOf(statementWith([sent, back])), ...MAIN);
  expect(await differences()).toEqual(['only on the statement -444 break']);
  await cancel();
  expect(await differences()).toEqual([]);
  expect(await differences('2026-02-08T00:00:00Z')).toEqual([]);
});

test('a payment matches as long as the statement with its return is not withdrawn', async () => {
  await cancel();
  const first = statementWith([sent]);
  const opening = first.lines.reduce((sum, { units }) => sum + units, first.opening);
  const second = camtOf({ opening, lines: [back], number: 2, from: '2026-03-13', to: '2026-03-14' });
  await importText(camtOf(first), ...MAIN);
  expect((await importText(second, ...MAIN)).exitCode).toBe(0);
  expect(await differences()).toEqual([]);
  expect((await withdraw(second)).exitCode).toBe(1);
  expect(await differences()).toEqual(['only on the statement 444 break']);
  expect((await importText(second, ...MAIN)).exitCode).toBe(0);
  expect(await differences()).toEqual([]);
});

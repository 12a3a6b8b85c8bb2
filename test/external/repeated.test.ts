// What a file repeats of an account's statements counts once, and what only looks like one of them is not taken for it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Nights, openNights } from '../reconcile/stage.ts';
import { camtOf, csvOf, mt940Of, type StatementText } from './bank.ts';
import { commandsOn, MAIN } from './commands.ts';

let nights: Nights;
const { importText } = commandsOn(() => nights);
beforeEach(async () => {
  nights = await openNights();
  await nights.night({ uncovered: ['wallet-transactions'] }); // so that no line is due
});
afterEach(() => nights?.close());

const DAY = '2026-02-03';

/** A statement of one day with lines of these amounts in cents. */
const dayOf = (...units: readonly number[]): StatementText => ({
  opening: 100_000,
  lines: units.map((cents) => ({
    bookedOn: DAY,
    valueOn: DAY,
    units: cents,
    reference: 'R1',
    text: 'Pago',
    hash: '',
  })),
  number: 5,
  from: DAY,
  to: DAY,
});

const amounts = async (): Promise<unknown> => {
  const [row] = await nights.rows(
    'select array_agg(amount::text order by line_number) as amounts from land.external_lines',
  );
  return row?.amounts;
};

test('other lines of the same day between the same balances are stored too', async () => {
  expect((await importText(csvOf(dayOf(-500, 500)), ...MAIN)).exitCode).toBe(0);
  const { exitCode, stdout } = await importText(csvOf(dayOf(-300, 300)), ...MAIN);
  expect(exitCode, stdout).toBe(0);
  expect(await amounts()).toEqual(['-5', '5', '-3', '3']);
});

test('the lines of a file without a number are not stored again with the number of another format', async () => {
  expect((await importText(csvOf(dayOf(-500, 500)), ...MAIN)).exitCode).toBe(0);
  expect((await importText(mt940Of(dayOf(-500, 500)), ...MAIN)).stdout).toContain('nothing is new');
  const longer = await importText(mt940Of(dayOf(-500, 500, 700)), ...MAIN);
  expect(longer.stderr).toContain(
    'the first lines of the file, 2 of them, are the last ones that are imported',
  );
  expect(longer.exitCode).toBe(64);
  expect(await amounts()).toEqual(['-5', '5']);
});

test('a statement of the same number in a format that does not say when it starts is the same', async () => {
  expect((await importText(camtOf({ ...dayOf(-500, 200), from: '2026-02-01' }), ...MAIN)).exitCode).toBe(0);
  expect((await importText(mt940Of(dayOf(-500, 200)), ...MAIN)).stdout).toContain('nothing is new');
  expect(await amounts()).toEqual(['-5', '2']);
});

test('a statement with another amount than the one of its number is refused, with what to do', async () => {
  expect((await importText(camtOf(dayOf(-500, 200)), ...MAIN)).exitCode).toBe(0);
  const { exitCode, stderr } = await importText(camtOf(dayOf(-400, 100)), ...MAIN);
  expect(stderr).toMatch(
    /statement 5 \(to 2026-02-03\) has the number of one that is imported, but not its .* amounts: if the bank corrected it, withdraw that file first/,
  );
  expect(exitCode).toBe(64);
  expect(await amounts()).toEqual(['-5', '2']);
});

test('a file that repeats lines is refused for them, whatever they sum to', async () => {
  const [paid, more] = [dayOf(-500, 200), dayOf(200, -100)];
  expect((await importText(csvOf(paid), ...MAIN)).exitCode).toBe(0);
  const next = await importText(csvOf({ ...more, opening: 99_500 }), ...MAIN);
  expect(next.stderr).toContain(
    'the first lines of the file, 1 of them, are the last ones that are imported',
  );
  const other = await importText(csvOf({ ...more, opening: 99_400 }), ...MAIN);
  expect(other.stderr).toContain('closed with 997: they share days, so export exactly what comes after');
  expect(await amounts()).toEqual(['-5', '2']);
});

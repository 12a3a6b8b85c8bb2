// Every account that a rule books has a value: one without a role would end the night of every entity.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { roleOf } from '../../src/valuation/roles.ts';
import { disposalsOf, linesOf, standOf } from './stand.ts';

const CASES = new URL('../normalize/cases/', import.meta.url);

/** The accounts of the golden cases of the booking rules. */
const bookedAccounts = (): Set<string> => {
  const journals = readdirSync(CASES).map(
    (file) => readFileSync(new URL(file, CASES), 'utf8').split('\n---\n')[1],
  );
  return new Set(
    journals.flatMap((journal = '') => journal.match(/^ {4}\S+/gm) ?? []).map((account) => account.trim()),
  );
};

test('every account of the booking rules has a role', () => {
  const accounts = bookedAccounts();
  expect(accounts).toContain('assets:clearing:fees');
  for (const account of accounts) expect(() => roleOf(account), account).not.toThrow();
});

test('a network fee without a named pocket is a disposal, and the adjustment that names the pocket none', () => {
  const { book } = standOf();
  book(['assets:pocket:a <- equity:conversion 2 ETH', 'equity:conversion <- assets:pocket:e 4000 EUR']);
  const charged = book(['expenses:fees:network <- assets:clearing:fees 0.5 ETH']);
  expect(disposalsOf(charged)).toEqual(['0.5 of e1/1: 1250 - 1000 = 250 for expenses:fees:network']);
  const adjusted = book(['assets:clearing:fees <- assets:pocket:a 0.5 ETH'], { kind: 'manual' });
  expect([linesOf(adjusted), disposalsOf(adjusted)]).toEqual([
    ['assets:clearing:fees 0.5 ETH = 1000', 'assets:pocket:a -0.5 ETH = -1000'],
    [],
  ]);
});

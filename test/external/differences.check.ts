// Three differences planted in a statement of each format, and in a list of a chain: found, named, and nothing else.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { typed } from '../cli/played.ts';
import { folder } from '../cli/tieout.ts';
import { type Nights, openNights, wallet } from '../reconcile/stage.ts';
import {
  ADDRESS,
  camtOf,
  chainCsvOf,
  csvOf,
  mt940Of,
  norma43Of,
  type Payment,
  paymentsOf,
  recordOf,
  type StatedPayment,
  type StatementText,
  statedOf,
} from './bank.ts';

let nights: Nights;
afterEach(() => nights?.close());

const openBooks = async (payments: readonly Payment[]): Promise<void> => {
  nights = await openNights();
  await nights.night({
    records: { 'wallet-transactions': payments.map(recordOf) },
    after: { pocket: [wallet('p1', 'EUR', '0'), wallet('p2', 'ETH', '0')] },
  });
};

const tieout = (...args: readonly string[]) => typed(args, { DATABASE_URL: nights.url });

const importFile = async (name: string, content: string, ...args: readonly string[]) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  const [group = '', ...rest] = args;
  const { exitCode, stdout, stderr } = await tieout(
    group,
    'import',
    path,
    '--by',
    'Ana Ruiz',
    '--json',
    ...rest,
  );
  return { exitCode, stderr, report: stdout === '' ? {} : JSON.parse(stdout) };
};

const statement = (lines: readonly StatedPayment[], rest: Partial<StatementText> = {}): StatementText => ({
  opening: 5_000_000,
  lines: [...lines].sort((a, b) => (a.bookedOn < b.bookedOn ? -1 : a.bookedOn > b.bookedOn ? 1 : 0)),
  number: 2,
  from: '2026-02-01',
  to: '2026-03-12',
  ...rest,
});

/** One payment is missing, one shows 0.07 more under its reference, and one is of nobody. */
const planted = (payments: readonly Payment[]) => {
  const stated = payments.map(statedOf);
  const [missing, altered] = [4, 7];
  expect(stated[altered]?.reference).not.toBe('');
  const lines = stated.flatMap((line, index) => {
    if (index === missing) return [];
    return index === altered ? [{ ...line, units: line.units + 7 }] : [line];
  });
  const stranger = {
    bookedOn: '2026-02-20',
    valueOn: '2026-02-20',
    units: 424_242,
    reference: '',
    text: 'Otra cosa',
    hash: `0x${'5'.repeat(64)}`,
  };
  return { lines: [...lines, stranger], missing: payments[missing], altered: payments[altered] };
};

const breaksOf = async (check: string) =>
  nights.rows(
    `select subject, currency, trim_scale(reported)::text as reported, trim_scale(booked)::text as booked,
      trim_scale(difference)::text as difference, reason, status
    from books.breaks where check_name = '${check}' and status <> 'resolved' order by booked, reported`,
  );

const FORMATS = {
  'camt.053': camtOf,
  mt940: mt940Of,
  norma43: norma43Of,
  csv: csvOf,
};

describe('a bank statement with three differences', () => {
  test.each(Object.entries(FORMATS))('%s', async (format, write) => {
    const payments = paymentsOf(11, 60, ['bank', 'bank', 'card']);
    await openBooks(payments);
    const { lines, missing, altered } = planted(payments);
    const { exitCode, report } = await importFile(
      'statement',
      write(statement(lines)),
      'bank',
      '--account',
      'Main',
    );
    expect(report).toMatchObject({
      format,
      lines: 60,
      paired: 59,
      states: { matched: 58, differs: 1, open: 1 },
    });
    expect(exitCode).toBe(1);
    const found = await breaksOf('bank_lines');
    const number = lines.length;
    expect(number).toBe(60);
    const amount = (units = 0) => String(units / 100);
    expect(found).toHaveLength(3);
    expect(found).toContainEqual(
      expect.objectContaining({
        reported: '4242.42',
        booked: '0',
        difference: '4242.42',
        reason: expect.stringMatching(/arrived on bank account Main, and no entry/),
      }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({
        subject: `wallet-transactions ${missing?.id} EUR`,
        reported: '0',
        booked: amount(missing?.units),
        reason: expect.stringMatching(/no line of a statement matches$/),
      }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({
        booked: amount(altered?.units),
        difference: '0.07',
        reason: expect.stringContaining(`wallet-transactions ${altered?.id} is booked with`),
      }),
    );
    await nothingTwice();
    const again = await importFile('statement', write(statement(lines)), 'bank', '--account', 'Main');
    expect(again.report).toMatchObject({ statements: [], lines: 0, statements_known: 1, paired: 0 });
    expect(await breaksOf('bank_lines')).toEqual(found);
  });

  test('without differences: none, and the figures add up', async () => {
    const payments = paymentsOf(12, 60, ['bank', 'card']);
    await openBooks(payments);
    const lines = payments.map(statedOf);
    const { exitCode, report } = await importFile(
      'whole.xml',
      camtOf(statement(lines)),
      'bank',
      '--account',
      'Main',
    );
    expect({ exitCode, states: report.states, breaks: report.breaks }).toEqual({
      exitCode: 0,
      states: { matched: 60 },
      breaks: [],
    });
    expect(await nights.again()).toBeDefined();
    expect(await breaksOf('bank_lines')).toEqual([]);
  });
});

test('a list of a chain with three differences', async () => {
  const payments = paymentsOf(13, 40, ['chain']);
  await openBooks(payments);
  const { lines, missing, altered } = planted(payments);
  const { exitCode, report } = await importFile(
    'wallet.csv',
    chainCsvOf(lines),
    'chain',
    '--address',
    ADDRESS,
    '--currency',
    'ETH',
    '--until',
    '2026-03-12',
  );
  expect(report).toMatchObject({
    format: 'chain-csv',
    lines: 40,
    paired: 39,
    states: { matched: 38, differs: 1, open: 1 },
  });
  expect(exitCode).toBe(1);
  const found = await breaksOf('chain_lines');
  expect(found).toHaveLength(3);
  expect(found).toContainEqual(expect.objectContaining({ reported: '0.424242', booked: '0' }));
  expect(found).toContainEqual(
    expect.objectContaining({ subject: `wallet-transactions ${missing?.id} ETH`, reported: '0' }),
  );
  expect(found).toContainEqual(
    expect.objectContaining({
      difference: '0.000007',
      reason: expect.stringContaining(`${altered?.id} is booked with`),
    }),
  );
  await nothingTwice();
});

const nothingTwice = async (): Promise<void> => {
  const twice = await nights.rows(`
    select 1 from reconcile.external_matches group by entity_id, account_name, line_number having count(*) > 1
    union all select 2 from reconcile.external_matches group by entity_id, entry_id, kind having count(*) > 1`);
  expect(twice).toEqual([]);
};

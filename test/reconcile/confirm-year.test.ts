// Confirming a year: each row of the platform's figures beside that of dac8_check, from the books to the exit code of the command.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../src/base/json.ts';
import { loadSql } from '../../src/database/sql.ts';
import { confirmYear } from '../../src/reconcile/confirm.ts';
import { typed } from '../cli/played.ts';
import { folder } from '../cli/tieout.ts';
import { booked, books, buy, derived, reversed, sell, withBooks } from '../valuation/month-stand.ts';

const SENT = 'equity:external:blockchain <- assets:trading';

withBooks(async () => {
  await rated();
  await booked({ day: '2025-01-10', name: 'first' }, buy('1', '40000'));
  await booked({ day: '2025-02-10', name: 'second' }, buy('0.500000000000000001', '22000.5'));
  await booked({ day: '2025-03-10', name: 'sold' }, sell('0.25', '12000'));
  await booked({ day: '2025-04-10', name: 'sent' }, [`${SENT} 0.1 BTC`]);
  await booked({ day: '2026-01-10', name: 'of another year' }, buy('9', '900000'));
  await derived();
});

const HEAD = 'asset,what,sub_type,units,gross_value,value_currency,count\n';
const BOUGHT = 'BTC,bought,,1.500000000000000001,62000.50,EUR,2\n';
const SOLD = 'BTC,sold,,0.25,12000,EUR,1\n';

/** The transfer of a tenth of a coin, by the official rate of the day before. */
const sentRows = (units = '0.1', count = '1', type = 'unknown') =>
  `BTC,transferred out,${type},${units},5000,EUR,${count}\nBTC,sent to wallets,,0.1,5000,EUR,\n`;

const rated = () =>
  books.pool.query(`
    with file as (
      insert into land.official_files (entity_id, source, name, sha256, by_name, at)
      values ('main', 'ecb', 'f', repeat('0', 64), 'Ada', now()) returning file_id
    )
    insert into land.official_rates (entity_id, currency, day, file_id, quote, rate)
    select 'main', 'BTC', '2025-04-09', file_id, 'EUR', 0.00002 from file`);

const ask = (csv: string, tolerance = '0') =>
  confirmYear(books.db, {
    entity: 'main',
    year: '2025',
    from: '2025-01-01T00:00:00.000Z',
    asOf: '2026-01-01T00:00:00.000Z',
    tolerance,
    by: 'Ana Ruiz',
    at: '2026-02-01T00:00:00.000Z',
    evidence: { name: 'yearly.pdf', bytes: Buffer.from('%PDF') },
    statement: { name: 'yearly.csv', bytes: Buffer.from(HEAD + csv) },
  });

const found = ({ lines }: Awaited<ReturnType<typeof ask>>) =>
  lines
    .filter(({ status }) => status !== 'agrees')
    .map(({ what, sub_type, status, differing }) => [what, sub_type, status, ...differing].join(' '));

test('all agree: units to the last digit, money to the cent, counts; and the year alone', async () => {
  const made = await ask(BOUGHT + SOLD + sentRows());
  expect(found(made)).toEqual([]);
  expect(made.lines).toHaveLength(4);
  expect(made.lines[0]).toMatchObject({
    line: 2,
    stated_units: '1.500000000000000001',
    booked_units: '1.500000000000000001',
    stated_value: '62000.5',
    booked_value: '62000.50',
    stated_count: '2',
    booked_count: '2',
    valued: '2',
  });
});

test.for([
  ['units in the 18th decimal', BOUGHT.replace('0001', '0002') + SOLD, ['bought  differs units']],
  ['a cent', BOUGHT.replace('00.50', '00.51') + SOLD, ['bought  differs money']],
  ['a count', BOUGHT.replace('EUR,2', 'EUR,3') + SOLD, ['bought  differs count']],
  [
    'all three',
    BOUGHT + SOLD.replace('0.25,12000,EUR,1', '0.26,12001,EUR,2'),
    ['sold  differs units money count'],
  ],
  ['a row that the file lacks', BOUGHT, ['sold  not-in-file']],
  ['a row that the books lack', `${BOUGHT + SOLD}BTC,swapped in,,1,2,EUR,1\n`, ['swapped in  not-in-books']],
  ['zeros, which nobody has', `${BOUGHT + SOLD}BTC,swapped in,,0,0,EUR,0\n`, []],
] as const)('found, and nothing else: %s', async ([, csv, differences]) => {
  expect(found(await ask(csv + sentRows()))).toEqual(differences);
});

test('a tolerance covers money alone, up to its last cent, and is stored', async () => {
  const rest = SOLD + sentRows();
  expect(found(await ask(BOUGHT.replace('00.50', '00.60') + rest, '0.1'))).toEqual([]);
  expect(found(await ask(BOUGHT.replace('00.50', '00.61') + rest, '0.1'))).toEqual(['bought  differs money']);
  expect(found(await ask(BOUGHT.replace('EUR,2', 'EUR,3') + rest, '1000'))).toEqual([
    'bought  differs count',
  ]);
  const { rows } = await books.pool.query(
    'select tolerance::text from books.confirmations order by tolerance',
  );
  expect(rows.map(({ tolerance }) => tolerance)).toEqual(['0.1', '0.1', '1000']);
});

test('money that the books do not have is a difference, whatever is stated', async () => {
  await booked({ day: '2025-05-10', name: 'no price' }, ['assets:trading <- equity:external:person 5 NOPE']);
  await derived();
  const rows = `NOPE,transferred in,other,5,0,EUR,1\n${BOUGHT}${SOLD}${sentRows()}`;
  const made = await ask(rows);
  expect(found(made)).toEqual(['transferred in other differs money']);
  expect(made.lines[0]).toMatchObject({ booked_value: null, valued: '0', booked_count: '1' });
});

describe('a record that arrived after its month was closed', () => {
  const LATE = 'BTC,bought,,2.500000000000000001,62001.50,EUR,3\n';
  const rowsOf = async (from: string, to: string) => {
    const { text, values } = loadSql('reports/dac8_check.sql', { from, to, by: 'posted_at', entity: 'main' });
    const { rows } = await books.pool.query(text, [...values]);
    return rows
      .filter(({ what }) => what === 'bought')
      .map(({ year, units, gross_value, count }) => `${year} ${units} ${gross_value} ${count}`);
  };

  test('counts in the year in which it took effect, as the platform counts it', async () => {
    await booked({ day: '2025-12-31', period: '2026-01', name: 'of December' }, buy('1', '1'));
    await booked({ day: '2024-12-31', period: '2025-01', name: 'of the year before' }, buy('3', '3'));
    await derived();
    const made = await ask(LATE + SOLD + sentRows());
    expect(found(made)).toEqual([]);
    expect(made.postedLater).toBe(1);
  });

  test('is in the file of the month in which it is posted, under its own year, and in no other', async () => {
    await booked({ day: '2025-12-31', period: '2026-02', name: 'of December' }, buy('1', '1'));
    await derived();
    expect(await rowsOf('2025-12-01T00:00:00Z', '2026-01-01T00:00:00Z')).toEqual([]);
    expect(await rowsOf('2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z')).toEqual(['2026 9 900000.00 1']);
    expect(await rowsOf('2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z')).toEqual(['2025 1 1.00 1']);
    expect(await rowsOf('2025-01-01T00:00:00Z', '2026-03-01T00:00:00Z')).toEqual([
      '2025 2.500000000000000001 62001.50 3',
      '2026 9 900000.00 1',
    ]);
  });

  test('a reversal of a December trade is deducted from December, and a reward that is taken back from the rewards', async () => {
    const sold = await booked({ day: '2025-12-30', name: 'mistaken' }, buy('1', '1'));
    await reversed(sold, '2025-12-30', '2026-01');
    await booked({ day: '2025-12-01', name: 'reward' }, ['assets:earn <- income:rewards 2 BTC']);
    await booked({ day: '2025-12-02', name: 'taken back' }, ['income:rewards <- assets:earn 0.5 BTC']);
    await derived();
    const made = await ask(BOUGHT + SOLD + sentRows());
    expect(found(made)).toEqual(['reward staking income not-in-file']);
    expect(made.lines.at(-1)).toMatchObject({ booked_units: '1.5' });
  });
});

test('is stored with both digests, the currency and every row', async () => {
  const made = await ask(BOUGHT);
  const { rows } = await books.pool.query('select * from books.confirmations where confirmation_id = $1', [
    made.confirmationId,
  ]);
  expect(rows).toMatchObject([
    {
      as_of: '2026-01-01T00:00:00.000Z',
      year: '2025',
      value_currency: 'EUR',
      file_sha256: sha256(HEAD + BOUGHT),
      evidence_sha256: sha256('%PDF'),
      imported_by: 'Ana Ruiz',
      lines: 4,
      agreed: 1,
      differing: 3,
    },
  ]);
  const { rows: lines } = await books.pool.query(
    "select line, units_difference::text, value_difference::text, count_difference, status from books.confirmation_year_lines where what = 'sold'",
  );
  expect(lines).toEqual([
    {
      line: null,
      units_difference: '-0.25',
      value_difference: '-12000',
      count_difference: '-1',
      status: 'not-in-file',
    },
  ]);
});

test('a file that cannot be read, or of books without entries, leaves nothing', async () => {
  await expect(ask('BTC,bought,,much,1,EUR,1\n')).rejects.toThrow('yearly.csv line 2');
  await books.pool.query('update run.entities set currency = null');
  await expect(ask(BOUGHT)).rejects.toThrow(
    'main has no entry and so no reporting currency yet: run nightly first',
  );
  const { rows } = await books.pool.query('select count(*)::int as n from reconcile.confirmations');
  expect(rows).toEqual([{ n: 0 }]);
});

describe('as a command', () => {
  const confirm = (csv: string, ...args: readonly string[]) => {
    const path = join(folder, 'yearly.csv');
    writeFileSync(path, HEAD + csv);
    return typed(['confirm', '--file', path, '--by', 'Ana Ruiz', ...args], { DATABASE_URL: books.url });
  };

  test('equal: exit 0, with the digests', async () => {
    const csv = BOUGHT + SOLD + sentRows();
    const { exitCode, stdout } = await confirm(csv, '--year', '2025', '--tolerance', '0.05');
    expect(stdout).toMatch(
      /^ +2 +BTC bought +1\.500000000000000001 +1\.500000000000000001 +62000\.5 +62000\.50 +2 +2 +agrees$/m,
    );
    expect(stdout).toMatch(
      /^4 of 4 rows agree in 2025, with a tolerance of 0\.05 EUR; stored as [0-9a-f]{12}$/m,
    );
    expect(stdout).toContain(`sha256 of the statement: ${sha256(HEAD + csv)}`);
    expect(exitCode).toBe(0);
  });

  test('differences: exit 1, each with both figures and what usually makes it', async () => {
    const csv = BOUGHT.replace('00.50', '00.51') + sentRows('0.1', '2', 'other');
    const { exitCode, stdout } = await confirm(csv, '--year', '2025');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /62000\.51 +62000\.50 +2 +2 +DIFFERS in money by 0\.01: the same transactions at another rate$/m,
    );
    expect(stdout).toMatch(
      /BTC transferred out, other .*NOT IN THE BOOKS: the same units are BTC transferred out, unknown on the other side$/m,
    );
    expect(stdout).toMatch(
      /BTC transferred out, unknown .*NOT IN THE FILE: the same units are BTC transferred out, other on the other side$/m,
    );
    expect(stdout).toMatch(/BTC sold .*NOT IN THE FILE$/m);
    expect(stdout).toMatch(/^2 of 5 rows agree|^1 of 5 rows agree/m);
  });

  test('an entry of the year that is posted later is counted, and said', async () => {
    await booked({ day: '2025-12-31', period: '2026-01', name: 'late' }, buy('1', '1'));
    const { stdout } = await confirm(BOUGHT, '--year', '2025', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      year: '2025',
      entries_posted_later: 1,
      value_currency: 'EUR',
    });
    expect((await confirm(BOUGHT, '--year', '2025')).stdout).toContain(
      'counted, although posted after 2025, because their month was closed: 1 entry; dac8_check.csv of the later months has them under the year 2025',
    );
  });

  test.for([
    ['both', ['--year', '2025', '--as-of', '2026-01-01'], /write either --as-of .* or --year/],
    ['neither', [], /write either --as-of .* or --year/],
    [
      'a tolerance of balances',
      ['--as-of', '2026-01-01', '--tolerance', '1'],
      /--tolerance only works with --year/,
    ],
    ['a year that is not over', ['--year', '2998'], /--year 2998: is not over before 2999-01-01/],
    ['a year that is none', ['--year', '25'], /--year 25: write a calendar year, such as 2026/],
    [
      'a tolerance that is none',
      ['--year', '2025', '--tolerance', '-1'],
      /--tolerance -1: write money with two decimals/,
    ],
    ['parts of a cent', ['--year', '2025', '--tolerance', '0.001'], /--tolerance 0\.001: write money/],
  ] as const)('refused: %s', async ([, args, message]) => {
    const { exitCode, stderr } = await confirm(BOUGHT, ...args);
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(64);
  });
});

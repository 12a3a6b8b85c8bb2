// checks.csv: every rule holds over entities that share a taxpayer and transfer between them, and every rule finds what breaks it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { vocabularies } from '../../../src/export/reports/headings.ts';
import { openStage, type Stage } from '../../jobs/stage.ts';
import { reportRows } from './report-rows.ts';
import { broken, type Read, readerOf } from './ties.ts';

const ends: (() => Promise<void>)[] = [];
let stage: Stage;
let read: Read;
let entities: string[];
beforeAll(async () => {
  stage = await openStage({ entities: 3, faults: ['own-transfers:4'] }, (end) => void ends.push(end));
  await stage.night();
  entities = (await stage.rows('select entity_id from books.entities order by 1')).map(
    ({ entity_id }) => entity_id ?? '',
  );
  const [one, two, three] = entities;
  await stage.rows(`insert into decide.profiles (entity_id, version, taxpayer, owner, cost_method, by_name, at)
    values ('${one}', 1, 'shared', 'own', 'average', 'ada', now()), ('${two}', 1, 'shared', 'own', 'average', 'ada', now()),
      ('${three}', 1, '${three}', 'own', 'hifo', 'ada', now())`);
  await stage.advance(2);
  await stage.night();
  read = readerOf(stage);
});
afterAll(async () => {
  for (const end of ends) await end();
});

const SPANS = {
  November: { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' },
  'October and November': { from: '2026-10-01T00:00:00Z', to: '2026-12-01T00:00:00Z' },
  'some hours': { from: '2026-11-10T05:00:00Z', to: '2026-11-14T17:30:00Z' },
  'all time': { from: '-infinity', to: 'infinity' },
};

const { November } = SPANS;

describe.each(Object.entries(SPANS))('%s', (_name, span) => {
  test('every check holds', async () => {
    expect(await broken(read, span)).toEqual([]);
  });

  test('an entity alone has the rows that it has among all', async () => {
    const all = await read('checks', span);
    expect(new Set(all.map(({ entity_id }) => entity_id)).size).toBe(3);
    for (const entity of entities) {
      const alone = await reportRows(stage.database.pool, 'checks', { ...span, entity });
      expect(alone).toEqual(all.filter(({ entity_id }) => entity_id === entity));
    }
  });
});

test('the lots of two entities of one taxpayer are compared once, with what both hold', async () => {
  const lots = (await read('checks', November)).filter(({ report }) => report === 'open_lots');
  expect(lots.map(({ entity_id }) => entity_id)).toEqual([
    entities[0],
    entities[0],
    entities[2],
    entities[2],
  ]);
  for (const { compared_rows } of lots) expect(compared_rows).toMatch(/^[1-9]/);
});

test('no check passes on nothing: a rule in money has a sum, every rule has rows', async () => {
  const checks = await read('checks', November);
  expect(checks.filter(({ compared_rows }) => compared_rows === '0')).toEqual([]);
  const money = checks.filter(({ value_currency }) => value_currency);
  expect(money.length).toBeGreaterThan(20);
  for (const row of money)
    expect([row.compared, row.shown_value]).toEqual([row.compared, row.expected_value]);
});

const ONE = (table: string, where: string) =>
  `(entity_id, entry_id) = (select entity_id, entry_id from ${table} where ${where} order by entry_id desc limit 1) and ${where}`;
const FEE = "account like 'expenses:fees:%' and fee_expensed is not null";
const IN_COST = "account like 'expenses:fees:%' and fee_in_cost is not null";
const TAKEN = 'fee_in_proceeds <> 0 and proceeds is not null';
const WHOLE = "currency = 'BTC' and entry_id is not null and cost is not null";

/** What somebody altered, how it is undone, and rules that must find it. */
const ALTERED: readonly (readonly [what: string, done: string, undone: string, rules: readonly string[]])[] =
  [
    [
      'the amount of a fee',
      `update ledger.transfers set amount = amount + 1 where ${ONE('ledger.transfers', "debit like 'expenses:fees:%' and credit = 'assets:trading'")}`,
      `update ledger.transfers set amount = amount - 1 where ${ONE('ledger.transfers', "debit like 'expenses:fees:%' and credit = 'assets:trading'")}`,
      [
        'trial_balance: opening + changes = closing',
        'general_ledger: opening + postings = closing',
        'journal: debits = those of the daily summary',
        'journal: credits = those of the daily summary',
        'statement: opening + in - out - fees = closing',
        'asset_roll_forward: opening + flows = closing',
        'fees: fees = change of the fee accounts',
      ],
    ],
    [
      'the amount of a payment',
      `update ledger.transfers set amount = amount + 1 where ${ONE('ledger.transfers', "credit = 'equity:external:bank'")}`,
      `update ledger.transfers set amount = amount - 1 where ${ONE('ledger.transfers', "credit = 'equity:external:bank'")}`,
      ['counterparties: out - in = change of the accounts', 'cash_list: payments = change of the accounts'],
    ],
    [
      'the value of a payment',
      `update value.postings set value = value + 0.01 where ${ONE('value.postings', "account = 'equity:external:bank'")}`,
      `update value.postings set value = value - 0.01 where ${ONE('value.postings', "account = 'equity:external:bank'")}`,
      [
        'counterparties: value out - value in = change of value',
        'cash_list: value of the payments = change of value',
        'prices_used: debit value - credit value = change of value',
      ],
    ],
    [
      'a value of an earlier month in the monthly summary',
      `insert into value.monthly (entity_id, taxpayer, period, booked_in, effective_in, account, currency, value_currency, units, exact, value, debit, credit, unvalued, missing)
        select entity_id, taxpayer, period, booked_in, '2026-10', account, currency, value_currency, 0, 0, 0, 1, 0, 0, 0
        from value.monthly where account = 'assets:trading' and currency = 'BTC' and effective_in = '2026-11' order by entity_id limit 1`,
      'delete from value.monthly where effective_in < booked_in',
      ['prior_period: value of late lines, rounded once = prior-period value'],
    ],
    [
      'the exact value of a line',
      `update value.postings set exact = exact + 0.01 where ${ONE('value.postings', "account = 'assets:trading' and currency = 'BTC' and exact > 0")}`,
      `update value.postings set exact = exact - 0.01 where ${ONE('value.postings', "account = 'assets:trading' and currency = 'BTC' and exact > 0")}`,
      ['journal_entries: debit value = debits of the accounts + late debits + rounding'],
    ],
    [
      'an advance of the platform',
      `update ledger.transfers set amount = amount + 1 where ${ONE('ledger.transfers', "credit = 'liabilities:working-capital'")}`,
      `update ledger.transfers set amount = amount - 1 where ${ONE('ledger.transfers', "credit = 'liabilities:working-capital'")}`,
      ['working_capital: opening + flows = closing'],
    ],
    [
      'a balance on an asset account of no place',
      "insert into ledger.totals (entity_id, account, currency, debit, credit) select min(entity_id), 'assets:odd', 'BTC', 1, 0 from run.entities",
      "delete from ledger.totals where account = 'assets:odd'",
      [
        'trial_balance: debit balances = credit balances',
        'holdings: places = units held',
        'open_lots: units of the lots = units held',
      ],
    ],
    [
      'the value of an expense',
      `update value.postings set value = value + 0.01 where ${ONE('value.postings', FEE)}`,
      `update value.postings set value = value - 0.01 where ${ONE('value.postings', FEE)}`,
      [
        'general_ledger: opening value + lines = closing value',
        'fees: expensed + rounding = change of the fee accounts',
      ],
    ],
    [
      'a fee in a cost, as an expense too',
      `update value.postings set fee_expensed = 1 where ${ONE('value.postings', IN_COST)}`,
      `update value.postings set fee_expensed = null where ${ONE('value.postings', IN_COST)}`,
      ['fee_totals: in cost + out of proceeds + expensed = paid'],
    ],
    [
      'the proceeds of a disposal and its fee',
      `update value.uses set proceeds = proceeds + 1, fee_in_proceeds = fee_in_proceeds + 1 where ${ONE('value.uses', TAKEN)}`,
      `update value.uses set proceeds = proceeds - 1, fee_in_proceeds = fee_in_proceeds - 1 where ${ONE('value.uses', TAKEN)}`,
      [
        'fees: fees out of proceeds = those of the disposals',
        'realised_gains: gains and losses = those of the accounts',
      ],
    ],
    [
      'the monthly value of an account',
      "update value.monthly set value = value + 1 where account = 'assets:trading' and currency = 'BTC'",
      "update value.monthly set value = value - 1 where account = 'assets:trading' and currency = 'BTC'",
      [
        'trial_balance: debit values = credit values',
        'trial_balance: closing value = exact value, rounded once',
        'asset_roll_forward: opening value + lines = closing value',
      ],
    ],
    [
      'the units and the cost of a lot',
      `update value.lots set units = units + 1, cost = cost + 1 where ${ONE('value.lots', WHOLE)}`,
      `update value.lots set units = units - 1, cost = cost - 1 where ${ONE('value.lots', WHOLE)}`,
      [
        'open_lots: units of the lots = units held',
        'open_lots: cost of the lots = exact cost of what is held',
      ],
    ],
  ];

const found = new Set<string>();

/** Of a month that is running, and of a time with readings after it. */
const brokenRules = async (): Promise<string[]> =>
  (await Promise.all([broken(read, November), broken(read, SPANS['some hours'])])).flat();

const expectFound = async (rules: readonly string[]): Promise<void> => {
  const all = await brokenRules();
  expect(all).toEqual(expect.arrayContaining([...rules]));
  for (const rule of all) found.add(rule.replace(/^\w+: /, ''));
};

test.each(ALTERED)('%s', async (_what, done, undone, rules) => {
  await stage.rows(done);
  await expectFound(rules);
  await stage.rows(undone);
  expect(await brokenRules()).toEqual([]);
});

/** A function of the views with another figure: what only a mistake in the program could make. */
const MISTAKEN: readonly (readonly [name: string, from: string, to: string, rules: readonly string[]])[] = [
  [
    'books.balances_at(timestamptz)',
    'trim_scale(t.debit - t.credit)',
    'trim_scale(t.debit - t.credit + 1)',
    ['closing_balances: booked = closing of the trial balance'],
  ],
  [
    'books_internal.closing_balances_of(timestamptz, text)',
    'trim_scale(difference),',
    'trim_scale(difference + 1),',
    ['reconciliation: reported - items = booked + left'],
  ],
  [
    'books_internal.external_reconciliation(timestamptz)',
    'with own as materialized',
    `select entity_id, 'equity:external:bank', 'EUR', 1, 'stated', null, null, null, 1::numeric, null, null, null, null, 1::bigint
     from books.entities union all (with own as materialized`,
    ['reconciliation: stated - items = booked outside the platform'],
  ],
  [
    'books_internal.own_sides(timestamptz, text, text)',
    'case when p.out_value is not null then -p.in_value end',
    'case when p.out_value is not null then 1 - p.in_value end',
    ['intercompany: eliminated value = that of the partner'],
  ],
  [
    'books_internal.own_sides(timestamptz, text, text)',
    'side.eliminated_units, side.value',
    'abs(side.eliminated_units), side.value',
    ['intercompany: eliminated units = those of the partner'],
  ],
  [
    'books_internal.consolidated_lines(timestamptz, timestamptz, text, text)',
    'round(sum(c.closing) - sum(c.eliminated), 2)',
    'round(sum(c.closing) - sum(c.eliminated), 2) + 1',
    ['consolidated_trial_balance: consolidated + eliminated = closing of the accounts of a code'],
  ],
  [
    'books_internal.dac8_events(timestamptz, timestamptz, text, text)',
    "when s.amount < 0 then 'transferred in'",
    "when s.amount > 0 then 'transferred in'",
    [
      'dac8_check: in and out by type = postings of the journal',
      'dac8_check: value by type + value of what it leaves out = lines of value',
    ],
  ],
  [
    'books_internal.dac8_events(timestamptz, timestamptz, text, text)',
    'abs(t.amount) * t.times',
    'abs(t.amount) * t.times + 1e-18',
    ['dac8_check: in and out by type = postings of the journal'],
  ],
  [
    'books_internal.dac8_events(timestamptz, timestamptz, text, text)',
    'sign(t.amount) * t.value',
    'sign(t.amount) * t.value + 0.01',
    ['dac8_check: value by type + value of what it leaves out = lines of value'],
  ],
];

test.each(MISTAKEN)('a mistake in %s', async (name, from, to, rules) => {
  const [definition] = await stage.rows(`select pg_get_functiondef('${name}'::regprocedure) as text`);
  const text = definition?.text ?? '';
  expect(text).toContain(from);
  const mistaken = text.replace(from, to);
  await stage.rows(
    to.includes('union all (') ? mistaken.replace(/\$function\$\s*$/, ')$function$') : mistaken,
  );
  await expectFound(rules);
  await stage.rows(text);
  expect(await brokenRules()).toEqual([]);
});

test('every rule has words in each language, and something above broke it', () => {
  expect([...found].sort()).toEqual([...(vocabularies().get('rule')?.keys() ?? [])].sort());
});

// The checks on statements of banks and lists of chains: what is a break, what still waits, and what is nobody's business.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { importBank, importChain } from '../../src/external/external.ts';
import { reconcileExternal } from '../../src/reconcile/reconcile.ts';
import { withReasons } from '../export/page/reasons.ts';
import { type Nights, openNights, wallet } from './stage.ts';

const IBAN = 'ES9121000418450200051332';
const ADDRESS = '0xabcdef0000000000000000000000000000000002';
const HASH = `0x${'Ab'.repeat(32)}`;

let nights: Nights;
beforeEach(async () => {
  nights = await openNights();
});
afterEach(() => nights?.close());

type Line = readonly [day: string, amount: number, reference?: string];

/** A statement of February and March, up to a day. */
const statement = (lines: readonly Line[], to = '2026-03-12'): string => {
  let balance = 1_000;
  const rows = [...lines, [to, 0] as const].map(([day, amount, reference = '']) => {
    balance += amount;
    return `${day},${amount},EUR,${balance},${reference}`;
  });
  return ['date,amount,currency,balance,reference', ...rows, ''].join('\n');
};

const SIGNED = { entity: 'main', by: 'Ana Ruiz', at: '2026-03-13T08:00:00Z', counterparties: [] };
const fileOf = (name: string, text: string) => ({ name, bytes: Buffer.from(text) });

const bank = async (
  lines: readonly Line[],
  options: { to?: string; counterparties?: readonly string[] } = {},
) => {
  const file = fileOf('bank.csv', statement(lines, options.to));
  const ask = { ...SIGNED, ...options, account: IBAN, file, format: null, mapping: null };
  return nights.db.transaction().execute(async (tx) => {
    const outcome = await importBank(tx, ask);
    await reconcileExternal(tx, nights.run(), 'main');
    return outcome;
  });
};

const chain = async (...rows: readonly string[]) => {
  const file = fileOf('chain.csv', ['hash,time,amount', ...rows, ''].join('\n'));
  const ask = { ...SIGNED, address: ADDRESS, currency: 'ETH', network: null, until: '2026-03-12', file };
  return nights.db.transaction().execute(async (tx) => {
    const outcome = await importChain(tx, ask);
    await reconcileExternal(tx, nights.run(), 'main');
    return outcome;
  });
};

const payment = (id: string, day: string, amount: number, rest: WireRecord = {}): WireRecord => {
  const inside = { class: 'pocket', pocketId: 'p1', amount: String(Math.abs(amount)), currency: 'EUR' };
  const outside = { class: 'bank-transfer', amount: String(Math.abs(amount)), currency: 'EUR', ...rest };
  return {
    id,
    date: `${day}T12:00:00.000Z`,
    completedAt: `${day}T12:00:00.000Z`,
    status: 'completed',
    ...(amount > 0 ? { origin: inside, destination: outside } : { origin: outside, destination: inside }),
  };
};

const onChain = (id: string, day: string, amount: number, rest: WireRecord = {}): WireRecord => {
  const record = payment(id, day, amount, {
    class: 'blockchain',
    currency: 'ETH',
    address: ADDRESS,
    ...rest,
  });
  const eth = (side: unknown) => ({ ...(side as WireRecord), currency: 'ETH' });
  const pocket = (side: unknown) => ({
    ...eth(side),
    ...((side as WireRecord).class === 'pocket' && { pocketId: 'p2' }),
  });
  return {
    ...record,
    origin: pocket(record.origin),
    destination: pocket(record.destination),
    transaction: { hash: HASH },
  };
};

const book = (...records: readonly WireRecord[]) =>
  nights.night({
    records: { 'wallet-transactions': records },
    after: { pocket: [wallet('p1', 'EUR', '0'), wallet('p2', 'ETH', '0')] },
  });

const found = async (check: string): Promise<string[]> => {
  const rows = withReasons(await nights.check(check));
  return rows.map(({ subject, difference, reason }) => `${subject}: ${difference}: ${reason}`);
};

const statuses = async (): Promise<unknown[]> =>
  (
    await nights.rows(
      'select status, grounds from books.external_lines where amount <> 0 order by line_number',
    )
  ).map(({ status, grounds }) => (grounds === null ? status : `${status} by ${grounds}`));

describe('bank_lines', () => {
  test('a line without an entry waits five days, then it is a break that a later entry resolves', async () => {
    await book(payment('w1', '2026-02-02', 50));
    await bank([
      ['2026-02-02', 50],
      ['2026-02-10', -70],
      ['2026-03-09', 80],
    ]);
    expect(await found('bank_lines')).toEqual([
      'ES91…1332 line 2: -70: 70 EUR of 2026-02-10: left bank account ES91…1332, and no entry of the books matches',
    ]);
    await book(payment('w2', '2026-02-11', -70));
    expect(await found('bank_lines')).toEqual([]);
    expect(
      await nights.rows(
        "select status, tied_run_id is not null as tied from books.breaks where check_name = 'bank_lines'",
      ),
    ).toEqual([{ status: 'resolved', tied: true }]);
    expect(await statuses()).toEqual(['matched by amount and day', 'matched by amount and day', 'open']);
  });

  test('an entry without a line is a break once the statements reach five days further', async () => {
    await book(
      payment('w0', '2026-01-31', 10),
      payment('w1', '2026-02-02', 50),
      payment('w2', '2026-02-20', 60),
    );
    await bank([['2026-02-01', 5, 'x']], { to: '2026-02-24' });
    expect(await found('bank_lines')).toEqual([
      expect.stringContaining('ES91…1332 line 1: 5: '),
      'wallet-transactions w1 EUR: -50: 50 EUR of 2026-02-02: went to a bank by the books, and no line of a statement matches',
    ]);
  });

  test('a reference pairs two amounts, and the break names both', async () => {
    await book(payment('1995c5a4-3874-4294-bf59-1357b515355a', '2026-02-02', 50.25));
    await bank([['2026-02-20', 50, 'ORD 1995c5a438744294bf591357b515355a']]);
    expect(await found('bank_lines')).toEqual([
      'ES91…1332 line 1: -0.25: 50 EUR of 2026-02-20: bank account ES91…1332 states this, and wallet-transactions 1995c5a4-3874-4294-bf59-1357b515355a is booked with 50.25: 0.25 too little on the statement',
    ]);
  });

  test('a line that includes the fee of its entry pairs with it, and the fee is shown', async () => {
    const record = payment('w1', '2026-02-02', 50);
    await book({ ...record, origin: { ...(record.origin as WireRecord), amount: '51.5' } });
    await bank([['2026-02-03', 51.5]]);
    expect(await found('bank_lines')).toEqual([]);
    expect(
      await nights.rows(
        'select booked::text, fee::text, days_apart from books.external_lines where amount <> 0',
      ),
    ).toEqual([{ booked: '50', fee: '1.5', days_apart: 1 }]);
  });

  test('several of one amount: as many pair in order, and otherwise all stay open, as ambiguous', async () => {
    await book(
      payment('w1', '2026-02-02', 50),
      payment('w2', '2026-02-03', 50),
      payment('w3', '2026-02-20', 50),
    );
    await bank([
      ['2026-02-04', 50],
      ['2026-02-05', 50],
      ['2026-02-21', 50],
      ['2026-02-22', 50],
    ]);
    expect(await statuses()).toEqual([
      'matched by amount and order',
      'matched by amount and order',
      'open',
      'open',
    ]);
    const rows = await found('bank_lines');
    expect(rows).toHaveLength(3);
    for (const row of rows)
      expect(row).toMatch(/; ambiguous: the other side has this amount too, but not as often$/);
  });

  test('an entry that names another bank account is not expected, and a line of another business is none of ours', async () => {
    await book(
      payment('w1', '2026-02-02', 50, { bankAccount: 'DE89370400440532013000' }),
      payment('w2', '2026-02-02', 60, { bankAccount: 'es91 2100 0418 4502 0005 1332' }),
      payment('w3', '2026-02-02', 70, { bankAccount: IBAN }),
    );
    await bank(
      [
        ['2026-02-02', 70, 'Platform'],
        ['2026-02-02', -999, 'Rent'],
      ],
      { counterparties: ['platform'] },
    );
    expect(await statuses()).toEqual(['matched by amount and day', 'unrelated']);
    expect(await found('bank_lines')).toEqual([]);
  });

  test('a reversed entry frees its line', async () => {
    await book(payment('w1', '2026-02-02', 50));
    await bank([['2026-02-02', 50]]);
    expect(await statuses()).toEqual(['matched by amount and day']);
    await book({ ...payment('w1', '2026-02-02', 50), status: 'cancelled' });
    expect(await statuses()).toEqual(['open']);
    expect(await found('bank_lines')).toEqual([expect.stringContaining('line 1: 50: ')]);
  });

  test('no statement, no row', async () => {
    await book(payment('w1', '2026-02-02', 50));
    expect(await found('bank_lines')).toEqual([]);
  });
});

describe('chain_lines', () => {
  test('a hash pairs whatever its case and with or without 0x; another amount is a break', async () => {
    await book(onChain('w1', '2026-02-02', 2));
    await chain(`${HASH.slice(2).toUpperCase()},2026-02-02T12:05:00Z,2`);
    expect(await statuses()).toEqual(['matched by hash']);
    expect(await found('chain_lines')).toEqual([]);
    await book({ ...onChain('w1', '2026-02-02', 2.5), note: 'changed' });
    expect(await found('chain_lines')).toEqual([
      `${ADDRESS} ETH line 1: -0.5: 2 ETH of 2026-02-02: address ${ADDRESS} ETH shows this, and wallet-transactions w1 is booked with 2.5: 0.5 too little on the chain`,
    ]);
  });

  test('an entry to another address is not expected, and equal amounts never pair without the hash', async () => {
    const other = { hash: `0x${'1'.repeat(64)}` };
    await book(
      { ...onChain('w1', '2026-02-02', 2), transaction: other },
      { ...onChain('w2', '2026-02-02', 3, { address: '0x1' }), transaction: { hash: `0x${'2'.repeat(64)}` } },
    );
    await chain(`${HASH},2026-02-02T12:05:00Z,2`);
    expect(await found('chain_lines')).toEqual([
      expect.stringContaining(`${ADDRESS} ETH line 1: 2: `),
      expect.stringContaining(
        'wallet-transactions w1 ETH: -2: 2 ETH of 2026-02-02: went to one of our addresses',
      ),
    ]);
  });

  test('a record without a hash pairs by our address and its amount, within a day', async () => {
    const { transaction: _, ...bare } = onChain('w1', '2026-02-02', 2);
    const { transaction: __, ...incoming } = onChain('w2', '2026-02-03', -3);
    const { transaction: ___, ...stranger } = onChain('w3', '2026-02-03', -4, { address: '0x1' });
    await book(bare, incoming, stranger);
    await chain(
      `${HASH},2026-02-02T12:05:00Z,2`,
      `${'1'.repeat(64)},2026-02-03T11:05:00Z,-3`,
      `${'2'.repeat(64)},2026-02-03T11:05:00Z,-4`,
    );
    expect(await statuses()).toEqual([
      'matched by address and amount',
      'matched by address and amount',
      'open',
    ]);
    expect(await found('chain_lines')).toEqual([expect.stringContaining(`${ADDRESS} ETH line 3: -4: `)]);
  });

  test('no list, no row', async () => {
    await book(onChain('w1', '2026-02-02', 2));
    expect(await found('chain_lines')).toEqual([]);
  });
});

// The stand-in gateway names the hash of each payment on a chain, so the list of the user's own wallet can be compared with the
// books of its nights: three differences are planted in a list, and those three are found.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownWalletOf } from '../../src/sandbox/world/networks.ts';
import { typed } from '../cli/played.ts';
import { openStage, type Stage } from '../jobs/stage.ts';
import { newFolder } from '../room.ts';

const CODE = 'BTC';
let stage: Stage;
let address: string;
const ends: (() => Promise<void>)[] = [];

type Transaction = {
  readonly id: string;
  readonly hash: string;
  readonly time: string;
  readonly amount: string;
};

beforeAll(async () => {
  stage = await openStage({ seed: 7, days: 30, perDay: 60, entities: 1 }, (end) => void ends.push(end));
  await stage.night();
  const [main] = stage.sandbox.world.entities;
  address = ownWalletOf('bitcoin', main?.userId ?? '');
});
afterAll(async () => {
  for (const end of ends) await end();
});

/** What the books have of the own wallet, as its list on the chain shows it: what we receive is positive. */
const transactions = async (): Promise<Transaction[]> => {
  const rows = await stage.rows(`
    select w.record_id as id, w.transaction_hash as hash, e.effective_at::text as time, trim_scale(sum(p.amount))::text as amount
    from books.wallet_transactions w
    join books.entries e on (e.entity_id, e.stream, e.record_id, e.version) = (w.entity_id, 'wallet-transactions', w.record_id, w.version)
    join books.postings p on (p.entity_id, p.entry_id) = (e.entity_id, e.entry_id)
    where p.account = 'equity:external:blockchain' and p.currency = '${CODE}' and '${address}' in (w.origin_address, w.destination_address)
    group by 1, 2, e.effective_at order by e.effective_at`);
  return rows.map(({ id = '', hash = '', time = '', amount = '' }) => ({ id, hash, time, amount }));
};

const importList = async (list: readonly Transaction[]) => {
  const path = join(newFolder(), 'wallet.csv');
  const lines = list.map(
    ({ hash, time, amount }) => `${hash},${time.replace(' ', 'T').replace('+00', 'Z')},${amount}`,
  );
  writeFileSync(path, `hash,time,amount\n${lines.join('\n')}\n`);
  const own = ['--address', address, '--currency', CODE, '--until', '2026-11-02', '--by', 'Ana Ruiz'];
  return typed(['chain', 'import', path, ...own], { DATABASE_URL: stage.database.url });
};

/** The list without its first transaction but one, with another amount of the last and with one that is in no books. */
const planted = (list: readonly Transaction[]): Transaction[] => {
  const [first, missing, ...rest] = list;
  const last = rest.pop();
  if (!first || !missing || !last) throw new Error('the wallet has too few transactions');
  const stranger = { id: '', hash: 'f'.repeat(64), time: last.time, amount: '0.5' };
  return [first, ...rest, stranger, { ...last, amount: `${last.amount}1` }];
};

test('the wallet pairs by hash, and exactly the planted differences are breaks', async () => {
  const list = await transactions();
  const [, missing] = list;
  expect(list.length).toBeGreaterThan(4);
  const { exitCode, stdout } = await importList(planted(list));
  expect(exitCode).toBe(1);
  expect(stdout).toContain(
    `address ${address} ${CODE}, all its lines: 1 differs, ${list.length - 2} matched, 1 open`,
  );

  const paired = await stage.rows(
    'select status, grounds, count(*)::int as lines from books.external_lines group by 1, 2 order by 1',
  );
  expect(paired).toEqual([
    { status: 'differs', grounds: 'hash', lines: 1 },
    { status: 'matched', grounds: 'hash', lines: list.length - 2 },
    { status: 'open', grounds: null, lines: 1 },
  ]);
  const found = await stage.rows(
    `select subject from books.breaks where check_name = 'chain_lines' and status = 'open' order by subject collate "C"`,
  );
  expect(found.map(({ subject }) => subject)).toEqual([
    `${address} ${CODE} line ${list.length - 1}`,
    `${address} ${CODE} line ${list.length}`,
    `wallet-transactions ${missing?.id} ${CODE}`,
  ]);
});

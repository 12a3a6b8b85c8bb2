// Nights over answers of a hostile gateway: a hostile record affects only itself, a hostile list only itself, and never the
// night.
import { expect, test } from 'vitest';
import { sha256 } from '../../src/base/json.ts';
import { ID_MAX } from '../../src/base/key-text.ts';
import { booked, exported, night, openStage, truth } from './stage.ts';
import { type Answer, edit, tampered } from './tampered.ts';

type Row = Record<string, unknown>;

const movement = (id: string, rest: Row): Row => ({
  id,
  walletId: 'w',
  amount: 1,
  currency: 'EUR',
  createdAt: '2026-11-01T10:00:00.000Z',
  movementType: 'deposit',
  serviceOrderName: 'admin',
  status: 'completed',
  ...rest,
});

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

/** Times from which no period can be derived. */
const TIMES = [
  '9999-12-31T23:59:59.999Z',
  '+010000-01-01T00:00:00Z',
  '-000001-06-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '1969-12-31T23:59:59Z',
  '2999-12-31T23:59:59Z',
  '2998-01-01T00:00:00Z',
  inDays(2),
];

/** Names with a special meaning in a pattern, a replacement, a path, a formula or a query. */
const NAMES = [
  '*',
  '%',
  '_',
  '$&',
  '(',
  '\\',
  '..',
  "'",
  `\${}`,
  '[a-z]+',
  '.*',
  '=1+1',
  '\u202etxt',
  'a\u0000b',
  'half \ud800',
  'X'.repeat(5_000),
];

const inserted = (answer: Answer, rows: readonly Row[]): void =>
  edit(answer, (list: readonly Row[]) => [...rows, ...list].slice(0, 99));

test('records of any year and any name affect only themselves, and the exports are written', async () => {
  const stage = await openStage({ entities: 1, days: 3, perDay: 8 });
  const real = await truth(stage);
  const dated = TIMES.map((createdAt, n) => movement(`dated ${n}`, { createdAt }));
  const hostile = NAMES.flatMap((name, n) => [
    movement(`currency ${n}`, { currency: name }),
    movement(name.slice(0, 100), { currency: '*' }),
    movement(`note ${n}`, { amount: 0, note: name, name, [name]: name }),
  ]);
  stage.sandbox = await tampered(stage.sandbox, (target, answer) => {
    if (target.startsWith('/v1/trading/movement')) {
      inserted(answer, [movement('twice', {}), ...dated, ...hostile]);
      answer.body = answer.body.replace('"id":"twice"', '"id":"twice","amount":5');
    }
    if (target.startsWith('/v1/trading/wallet/balance'))
      edit(answer, (list: readonly Row[]) => [
        ...list,
        ...NAMES.map((name, n) => ({ id: `w${n}`, currency: name, balance: '0', blockedBalance: '0' })),
      ]);
    if (target.startsWith('/v1/wallet/pocket'))
      edit(answer, (list: readonly Row[]) => [
        ...list,
        ...NAMES.map((name) => ({
          id: name.slice(0, 100),
          currency: 'EUR',
          name,
          balance: '0',
          blockedBalance: '0',
        })),
      ]);
  });
  for (const night of ['first', 'second']) {
    const result = await stage.nightWithFiles();
    expect([night, result.exitCode, result.summary]).toEqual([
      night,
      1,
      expect.not.stringContaining('failed'),
    ]);
  }
  expect(await booked(stage)).toEqual(real);
  const rejects = await stage.rows("select record_id from books.rejects where record_id like 'dated %'");
  expect(rejects).toHaveLength(TIMES.length);
  const twice = await stage.rows("select outcome, amount from books.movements where record_id = 'twice'");
  expect(twice).toEqual([{ outcome: 'rejected', amount: null }]);
  expect(await stage.rows("select period from books.entries where period not like '2026-1%'")).toEqual([]);
  expect(Object.keys(exported(stage.home))).toContain('2026-11/journal.csv');
}, 120_000);

/** Text that no compression shortens: an index refuses long text only as it is after compression. */
const noise = (length: number): string => {
  let text = '';
  for (let part = sha256('noise'); text.length < length; part = sha256(part)) text += part;
  return text.slice(0, length);
};
const LONG = noise(20_000);

/** Where an answer holds text that becomes part of a key, with such a text there. */
const LONG_KEYS: Readonly<Record<string, (answer: Answer, target: string) => void>> = {
  '/v1/trading/movement': (answer) =>
    inserted(answer, [
      movement('long path', { amount: 0, [LONG]: { name: 'Ana' }, list: [{ [LONG]: [{ name: 'Eva' }] }] }),
      movement('\udc00'.repeat(512), { amount: 0 }),
    ]),
  '/v1/trading/wallet/balance': (answer) =>
    edit(answer, (list: readonly Row[]) => [...list, { id: 'w', currency: LONG, balance: '0' }]),
  '/v1/wallet/pocket': (answer) =>
    edit(answer, (list: readonly Row[]) => [...list, { id: 'p', currency: LONG, balance: '0' }]),
  '/v1/earn/wallets/': (answer, target) =>
    edit(answer, (page: { total: number; data: readonly Row[] }) => ({
      ...page,
      data: page.data.map((row) => (target.includes('offset') ? row : { ...row, walletId: LONG })),
    })),
  '/v1/currency/rate': (answer) =>
    edit(answer, (list: readonly { crypto: Row }[]) =>
      list.map((entry) => ({ ...entry, crypto: { ...entry.crypto, [LONG]: 1 } })),
    ),
  '/v2/currency/assets': (answer) => edit(answer, (list: Row) => ({ ...list, [LONG]: { name: 'long' } })),
  '/v1/blockchain-manager/address?': (answer) =>
    edit(answer, (list: readonly Row[]) => [...list, { address: LONG, network: 'n', status: 'enabled' }]),
};

test('long text in any key affects only itself', async () => {
  const stage = await openStage({ entities: 1, days: 3, perDay: 8 });
  const real = await truth(stage);
  const reached = new Set<string>();
  stage.sandbox = await tampered(stage.sandbox, (target, answer) => {
    for (const [path, lengthen] of Object.entries(LONG_KEYS)) {
      if (answer.status !== 200 || !target.startsWith(path)) continue;
      lengthen(answer, target);
      reached.add(path);
    }
  });
  for (const night of ['first', 'second'])
    expect([night, await stage.nightWithFiles()]).toMatchObject([
      night,
      { exitCode: expect.toBeOneOf([0, 1]) },
    ]);
  expect([...reached].sort()).toEqual(Object.keys(LONG_KEYS).sort());
  expect(await booked(stage)).toEqual(real);
  const people = await stage.rows("select value from land.people where record_id = 'long path' order by 1");
  expect(people.map(({ value }) => value)).toEqual(['"Ana"', '"Eva"']);
  const [longest] = await stage.rows('select max(length(record_id)) as id from land.records');
  expect(longest).toEqual({ id: ID_MAX }); // a journal has two lines for an id
}, 120_000);

test('an unusable cursor, wallet or answer affects only its list, and wallets come in pages', async () => {
  const stage = await openStage({ entities: 1, days: 3, perDay: 8 });
  const targets: string[] = [];
  stage.sandbox = await tampered(stage.sandbox, (target, answer) => {
    targets.push(target);
    if (target.startsWith('/v3/wallet/transaction'))
      edit(answer, (page: Row) => ({ ...page, pageInfo: { hasNextPage: true, endCursor: 'a\u0000\ud800' } }));
    if (target.startsWith('/v2/earn/wallets'))
      edit(answer, (page: { data: Row[] }) => {
        const offset = Number(new URL(target, 'http://a').searchParams.get('offset') ?? 0);
        const [wallet] = page.data;
        const odd = { ...wallet, walletId: undefined, id: 'half \ud800', balance: '0' };
        return { total: 2, data: offset === 0 ? [wallet] : [odd] };
      });
  });
  const result = await stage.night();
  expect([result.exitCode, result.summary]).toEqual([1, expect.not.stringContaining('failed')]);
  const details = (await stage.rows('select distinct subject, detail from books.findings')).map(
    ({ subject, detail }) => `${subject}: ${detail}`,
  );
  expect(details).toContainEqual(expect.stringContaining('cursor: a cursor that cannot be sent back'));
  expect(details).toContainEqual(
    expect.stringMatching(/^earn-wallets: the wallet .* has an id that does not fit in a request path/),
  );
  expect(targets).toContain('/v2/earn/wallets?offset=1');
  const [wallets] = await stage.rows(
    "select count(*) from books.readings where product = 'earn' and phase = 'after'",
  );
  expect(wallets?.count).toBe('2');
}, 120_000);

/** A stand-in whose wallet transactions never end, each page with a new record and a new cursor; and the requests to it. */
const endless = async (stage: Awaited<ReturnType<typeof openStage>>) => {
  const cursors: string[] = [];
  const real = stage.sandbox;
  stage.sandbox = await tampered(stage.sandbox, (target, answer) => {
    if (!target.startsWith('/v3/wallet/transaction')) return;
    const cursor = /[?&]cursor=([^&]*)/.exec(target)?.[1] ?? '';
    cursors.push(cursor);
    const nth = Number(cursor.slice(1) || 0) + 1;
    const row = { id: `w${nth}`, date: '2026-11-01T10:00:00.000Z', status: 'pending' };
    answer.status = 200;
    answer.body = JSON.stringify({ data: [row], pageInfo: { hasNextPage: true, endCursor: `c${nth}` } });
  });
  return { cursors, real };
};

test('an endless list hits the deadline: exit 2 in one sentence, and landed records stay', async () => {
  const stage = await openStage({ entities: 1, days: 3, perDay: 8 });
  const { real } = await endless(stage);
  const failed = await night(stage.settings(), { isFull: false, deadlineMs: 4_000 }).catch(
    (error: Error) => error,
  );
  expect(failed).toMatchObject({ exitCode: 2, message: expect.stringContaining('raise TIEOUT_RUN_HOURS') });
  const [landed] = await stage.rows(
    "select count(*) > 0 as some from land.records where stream = 'wallet-transactions'",
  );
  expect(landed).toEqual({ some: true });
  expect(await stage.rows("select from books.coverage where stream = 'wallet-transactions'")).toEqual([]);
  stage.sandbox = real;
}, 120_000);

test('an endless list uses only its own time: the others are proved, and the next night resumes', async () => {
  const stage = await openStage({ entities: 1, days: 3, perDay: 8 });
  const { cursors, real } = await endless(stage);
  const perList = { limitMs: 60_000, clockMs: () => cursors.length * 1_000 }; // only the requests of that list take time
  expect(await night(stage.settings(), { isFull: false, perList })).toMatchObject({ exitCode: 1 });
  const found = await stage.rows(
    "select entity_id, detail from books.findings where subject = 'wallet-transactions: time'",
  );
  expect(found[0]).toEqual({
    entity_id: 'main',
    detail: expect.stringMatching(
      /^wallet-transactions of main: 60 pages read in 1 minute, .* raise TIEOUT_RUN_HOURS, or ask/,
    ),
  });
  expect(await stage.rows('select distinct stream from books.coverage order by 1')).not.toContainEqual({
    stream: 'wallet-transactions',
  });
  expect(await stage.rows("select from books.coverage where stream = 'trades'")).toHaveLength(1);
  const read = cursors.length;
  await night(stage.settings(), { isFull: false, perList });
  expect(cursors[read]).toBe(`c${read}`);
  expect(new Set(cursors).size).toBe(cursors.length);
  stage.sandbox = real;
}, 120_000);

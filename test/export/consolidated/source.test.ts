// Databases that are not added: one that cannot be reached, has nothing to add, may not be read, or is named twice.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { FailedError, UsageError } from '../../../src/base/errors.ts';
import { placeOf } from '../../../src/database/database.ts';
import { consolidate } from '../../../src/export/export.ts';
import { normalize } from '../../../src/normalize/normalize.ts';
import { peopleKey } from '../../../src/privacy/people-key.ts';
import { freshDatabase, type TestDatabase, urlOf } from '../../database.ts';
import { instantAt, openStage } from '../../land/stage.ts';

let north: TestDatabase;
let south: TestDatabase;

const ENTITY = `insert into run.entities (entity_id, name, first_seen_at) values ($1, $1, '2026-11-03T00:00:00Z')`;

beforeAll(async () => {
  [north, south] = [await freshDatabase(), await freshDatabase()];
  await north.pool.query(ENTITY, ['north']);
  await south.pool.query(ENTITY, ['south']);
});
afterAll(async () => {
  await north.close();
  await south.close();
});

const refusal = (...urls: string[]): Promise<Error> =>
  consolidate(urls).then(
    () => new Error('nothing was refused'),
    (error: Error) => error,
  );

const changed = (
  url: string,
  parts: Partial<Pick<URL, 'username' | 'password' | 'hostname' | 'search'>>,
): string => Object.assign(new URL(url), parts).href;

test('two databases with an entity each are added', async () => {
  const { sources } = await consolidate([north.url, south.url]);
  expect(sources.map(({ entities }) => entities.map(({ entity_id }) => entity_id))).toEqual([
    ['north'],
    ['south'],
  ]);
});

test.each<[string, (url: string) => string, RegExp]>([
  ['a database that does not exist', (url) => urlOf(url, 'nowhere'), /database "nowhere" does not exist$/],
  ['a wrong password', (url) => changed(url, { password: 'hunter2' }), /password authentication failed/],
  ['an unknown host', (url) => changed(url, { hostname: 'no-such-host.invalid' }), /no-such-host\.invalid/],
  ['a port on which nobody listens', () => 'postgresql://u:hunter2@127.0.0.1:9/d', /ECONNREFUSED/],
])('%s is named with why, wherever in the list', async (_, urlFrom, why) => {
  const url = urlFrom(south.url);
  for (const urls of [
    [url, north.url],
    [north.url, url],
  ]) {
    const error = await refusal(...urls);
    expect(error).toBeInstanceOf(FailedError);
    expect(error.message).toMatch(why);
    expect(error.message.startsWith(`the database at ${placeOf(url)} cannot be reached: `)).toBe(true);
    expect(error.message).not.toMatch(/hunter2/);
    expect(error.message).not.toContain(new URL(south.url).password);
  }
});

test('books without an entity are refused, not added as nothing', async () => {
  const empty = await freshDatabase();
  onTestFinished(() => empty.close());
  for (const urls of [[empty.url], [north.url, empty.url], [empty.url, north.url]]) {
    const error = await refusal(...urls);
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toBe(
      `${placeOf(empty.url)} has books without an entity: check its address, or run its first night`,
    );
  }
});

test('one database by two addresses is named as such', async () => {
  const again = changed(north.url, { search: 'keepalives=1' });
  const error = await refusal(north.url, south.url, again);
  expect(error).toBeInstanceOf(UsageError);
  const place = placeOf(north.url);
  expect(error.message).toBe(
    `${place} and ${place} lead to the same database, or to a copy of its files: name one of them`,
  );
});

const USER = 'update run.entities set gateway_user_id = $1';

/** Sets the users of both entities, and the name of the southern one, for one test. */
const known = async (northern: string, southern: string, name: string): Promise<void> => {
  await north.pool.query(USER, [northern]);
  await south.pool.query(USER, [southern]);
  await south.pool.query('update run.entities set entity_id = $1', [name]);
  onTestFinished(async () => {
    await south.pool.query("update run.entities set entity_id = 'south'");
    for (const { pool } of [north, south]) await pool.query(USER, [null]);
  });
};

test('one account of the gateway by two names is refused, not counted twice', async () => {
  await known('user-1', 'user-1', 'south');
  expect(await refusal(north.url, south.url)).toEqual(
    new UsageError(
      `north in ${placeOf(north.url)} and south in ${placeOf(south.url)} are books of the same account of the gateway: leave one out if that is all it has; otherwise begin one of them anew without that account in GATEWAY_ENTITIES, because books keep an entity that they once read`,
    ),
  );
});

test('two accounts of the gateway by one name are told apart from a copy', async () => {
  await known('user-1', 'user-2', 'north');
  const both = `${placeOf(north.url)} and ${placeOf(south.url)} both have books of north`;
  expect(await refusal(north.url, south.url)).toEqual(
    new UsageError(
      `${both}, and these are two accounts of the gateway: begin one of them anew with another name in TIEOUT_ENTITY`,
    ),
  );
  await known('user-1', 'user-1', 'north');
  expect((await refusal(north.url, south.url)).message).toMatch(`${both}: leave one out if it is a copy;`);
});

test('a login that may not read the views is named', async () => {
  await south.pool.query(`create role nobody_${process.pid} login password 'hunter2'`);
  onTestFinished(async () => void (await south.pool.query(`drop role nobody_${process.pid}`)));
  const url = changed(south.url, { username: `nobody_${process.pid}`, password: 'hunter2' });
  const error = await refusal(north.url, url);
  expect(error).toBeInstanceOf(UsageError);
  expect(error.message).toMatch(
    /^the login for .* may not read its books \(permission denied .*\): use a login of tieout_analyst$/,
  );
});

const ADDRESS = '0xAbCdEf0000000000000000000000000000000002';

/** Books of main, which sent to an address on a chain. */
const sender = async (destination: object): Promise<TestDatabase> => {
  const stage = await openStage();
  onTestFinished(() => stage.close());
  await stage.tell('wallet-transactions', {
    id: 'w1',
    status: 'completed',
    completedAt: instantAt(0),
    origin: { class: 'pocket', pocketId: 'p1', amount: '2', currency: 'ETH' },
    destination: {
      class: 'blockchain',
      amount: '2',
      currency: 'ETH',
      address: ADDRESS.toLowerCase(),
      ...destination,
    },
  });
  return stage;
};

/** Books of entities that receive on that address. */
const receiver = async (...entities: string[]): Promise<TestDatabase> => {
  const stage = await openStage();
  onTestFinished(() => stage.close());
  await stage.rows('update run.entities set entity_id = $1', [entities[0]]);
  for (const entity of entities.slice(1)) await stage.rows(ENTITY, [entity]);
  for (const entity of entities) {
    const row = { pocketId: `of ${entity}`, network: 'ethereum', address: ADDRESS, createdAt: instantAt(0) };
    const key = await peopleKey(stage.db, entity);
    await stage.land([{ rows: [row] }], { entity, key, stream: 'deposit-addresses' });
  }
  return stage;
};

/** Two databases, in either order, of which main in the first has sent w1 to sub in the second. */
const expectRefused = async (from: TestDatabase, to: TestDatabase): Promise<void> => {
  const [place, other] = [from, to].map(({ url }) => placeOf(url));
  for (const urls of [
    [from.url, to.url],
    [to.url, from.url],
  ])
    expect(await refusal(...urls)).toEqual(
      new UsageError(
        `main in ${place} and sub in ${other} transfer to each other (wallet-transactions w1): put both into one database`,
      ),
    );
};

test('a transfer over a chain between two databases is refused, unless others share its address', async () => {
  const [from, to] = [await sender({}), await receiver('sub')];
  await expectRefused(from, to);
  const shared = await receiver('sub', 'third');
  expect((await consolidate([from.url, shared.url])).sources.length).toBe(2);
  const tagged = await sender({ addressTag: '7' });
  expect((await consolidate([tagged.url, to.url])).sources.length).toBe(2);
});

/** Books of one entity with a wallet transaction of a pocket over a chain, by its hash. */
const overChain = async (entity: string, isSent: boolean, amount = '2'): Promise<TestDatabase> => {
  const stage = await openStage();
  onTestFinished(() => stage.close());
  await stage.rows('update run.entities set entity_id = $1', [entity]);
  const key = await peopleKey(stage.db, entity);
  const pocket = { class: 'pocket', pocketId: `p-${entity}`, currency: 'ETH' };
  const listed =
    'insert into land.pockets (entity_id, pocket_id, currency, first_listed_at) values ($1, $2, $3, $4)';
  await stage.rows(listed, [entity, pocket.pocketId, pocket.currency, instantAt(0)]);
  const chain = { class: 'blockchain', currency: 'ETH' };
  const [origin, destination] = isSent
    ? [
        { ...pocket, amount: '2.001' },
        { ...chain, amount: '2.0' },
      ]
    : [
        { ...chain, amount },
        { ...pocket, amount },
      ];
  const times = { status: 'completed', completedAt: instantAt(0) };
  const row = { id: 'w1', ...times, origin, destination, transaction: { hash: '0xAB' } };
  await stage.land([{ rows: [row] }], { entity, key, stream: 'wallet-transactions' });
  await normalize(stage.db, { entity, timezone: 'UTC', currency: 'EUR' });
  return stage;
};

test('a transfer between two databases that only its hash shows is refused; another amount of that hash is none', async () => {
  const [from, to] = [await overChain('main', true), await overChain('sub', false)];
  await expectRefused(from, to);
  const others = await overChain('sub', false, '3');
  expect((await consolidate([from.url, others.url])).sources.length).toBe(2);
});

/** Books of one entity that lists a social-pay order. */
const withOrder = async (entity: string, orderId: string, status: string): Promise<TestDatabase> => {
  const stage = await openStage();
  onTestFinished(() => stage.close());
  await stage.rows('update run.entities set entity_id = $1', [entity]);
  const key = await peopleKey(stage.db, entity);
  const recipient = { type: 'email', email: 'sub@example.org' };
  const order = { orderId, ...recipient, amount: '5', currency: 'EUR', status, createdAt: instantAt(0) };
  await stage.land([{ rows: [order] }], { entity, key, stream: 'social-pay-orders' });
  return stage;
};

test.each([
  ['accepted', 'accepted'],
  ['accepted', 'waiting-funds'],
])('a payment between two databases whose order both list (%s, %s) is refused', async (one, other) => {
  const [main, sub] = [await withOrder('main', 'o1', one), await withOrder('sub', 'o1', other)];
  for (const urls of [
    [main.url, sub.url],
    [sub.url, main.url],
  ]) {
    const error = await refusal(...urls);
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toContain(' transfer to each other (social-pay-orders o1): put both into one ');
  }
});

test('orders of other people, and one that nobody claimed, split nothing', async () => {
  const main = await withOrder('main', 'o1', 'accepted');
  const sub = await withOrder('sub', 'o2', 'accepted');
  expect((await consolidate([main.url, sub.url])).sources.length).toBe(2);
  const [sent, listed] = [await withOrder('main', 'o1', 'expired'), await withOrder('sub', 'o1', 'expired')];
  expect((await consolidate([sent.url, listed.url])).sources.length).toBe(2);
});

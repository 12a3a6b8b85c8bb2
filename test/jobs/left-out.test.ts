// Subaccounts that were read and that the gateway lists no longer: a finding while their books hold something.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listEntities } from '../../jobs/entities.ts';
import type { Entities } from '../../src/config/environment.ts';
import type { ReadGateway } from '../../src/gateway/client.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import type { Failure } from '../../src/gateway/errors.ts';
import { GatewayError } from '../../src/gateway/gateway.ts';
import { normalize } from '../../src/normalize/normalize.ts';
import type { Work } from '../../src/run/work.ts';
import { instantAt, movement, openStage, type Stage } from '../land/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
  await stage.rows(
    `insert into run.entities (entity_id, name, subaccount_id, first_seen_at)
    select id, id, id, '${instantAt(0)}' from unnest(array['held', 'empty', 'taxed']) as id`,
  );
  await stage.land([{ rows: [movement('m1')] }], { entity: 'held' });
  const cancelling = [movement('m2'), movement('m3', { movementType: 'withdrawal' })];
  await stage.land([{ rows: cancelling }], { entity: 'empty' });
  await stage.land([{ rows: [movement('m4')] }], { entity: 'main' }); // held too, and on no list of subaccounts
  const coins = (value: string) => ({ value, currency: 'BTC' });
  const withheld = {
    movementId: 'e1',
    walletId: 'w1',
    type: 'reward',
    createdAt: instantAt(0),
    amount: coins('1'),
    netAmount: coins('0'),
  };
  await stage.land([{ rows: [withheld] }], { entity: 'taxed', stream: 'earn-movements', scope: 'w1' });
  for (const entity of ['held', 'empty', 'main', 'taxed'])
    await normalize(stage.db, { entity, timezone: 'UTC', currency: 'EUR' });
});
afterEach(() => stage.close());

const refusal = (failure: Failure, status: number) =>
  new GatewayError({
    failure,
    status,
    operation: CONTRACT.subaccounts.list,
    target: '/v1/account/subaccount',
    requestId: null,
    tries: 1,
    detail: '',
  });

/** The entities of a run whose gateway lists these subaccounts, or refuses the list; and the findings. */
const listing = async (
  subaccounts: readonly string[] | GatewayError,
  entities: Entities = 'listed',
  only?: string,
  total = subaccounts instanceof GatewayError ? 0 : subaccounts.length,
) => {
  const call = async () => {
    if (subaccounts instanceof GatewayError) throw subaccounts;
    return { page: { rows: subaccounts.map((id) => ({ id })), total }, receipt: null };
  };
  const work = { ...stage, config: { entity: 'main' } } as unknown as Work;
  const read = await listEntities(work, { call } as unknown as ReadGateway, { entities, only });
  expect(read.isAnswered).toBe(!(subaccounts instanceof GatewayError)); // a 403 on the next operation is then no refusal of the key
  const found = await stage.rows(
    "select detail from run.findings where severity = 'finding' order by finding_id",
  );
  return { read: read.entities.map(({ id }) => id), findings: found.map(({ detail }) => detail) };
};

const LEFT_OUT =
  /^held is not in the gateway's list of subaccounts, and its books hold assets: it is not read; name it/;

test('a subaccount that is listed is read, and no finding', async () => {
  expect(await listing(['held', 'new'])).toEqual({ read: ['main', 'held', 'new'], findings: [] });
});

test('one that is listed twice counts once: another may be left out', async () => {
  const detail =
    'the gateway counts 3 subaccounts and lists 2 different ids: if it left one out, name it in GATEWAY_ENTITIES';
  expect(await listing(['held', 'new', 'new'])).toEqual({
    read: ['main', 'held', 'new'],
    findings: [detail],
  });
});

test('one that is listed no longer is a finding if its books hold assets; withheld tax is none', async () => {
  expect(
    await stage.rows("select account from books.balances where entity_id = 'taxed' order by account"),
  ).toEqual([{ account: 'assets:tax-withheld' }, { account: 'income:rewards' }]);
  const { read, findings } = await listing(['new']);
  expect([read, findings]).toEqual([['main', 'new'], [expect.stringMatching(LEFT_OUT)]]);
});

test('a list that is empty is one too', async () => {
  const { read, findings } = await listing([]);
  expect([read, findings]).toEqual([['main'], [expect.stringMatching(LEFT_OUT)]]);
});

const NO_LIST =
  /^held was read before and its books hold assets, but the gateway refuses the list of subaccounts: it is not read; name it/;

test.each([
  ['refused', 403],
  ['missing', 404],
] as const)(
  'a list that the key may no longer read (%s, %i) leaves out what was read before, which is one too',
  async (failure, status) => {
    const { read, findings } = await listing(refusal(failure, status));
    expect([read, findings]).toEqual([['main'], [expect.stringMatching(NO_LIST)]]);
    expect(await listing(refusal(failure, status), ['main'])).toEqual({ read: ['main'], findings });
  },
);

test.each([
  ['invalid', 405],
  ['invalid', 400],
  ['redirected', 302],
] as const)(
  'a list that is refused as %s (%i) is a finding, and the main account is read',
  async (failure, status) => {
    const { read, findings } = await listing(refusal(failure, status));
    expect([read, findings]).toEqual([
      ['main'],
      [
        expect.stringMatching(/^the list of subaccounts is refused, so only the main account is read/),
        expect.stringMatching(NO_LIST),
      ],
    ]);
    expect((await listing(refusal(failure, status), ['main', 'held'])).read).toEqual(['main', 'held']);
  },
);

test.each([
  ['unavailable', 503],
  ['badPage', 200],
  ['blocked', 423],
  ['secondFactor', 428],
] as const)(
  'a list that fails as %s (%i) ends the run: the next one may have it',
  async (failure, status) => {
    await expect(listing(refusal(failure, status))).rejects.toThrow(GatewayError);
  },
);

test('configured entities are a choice, and none is missing from them', async () => {
  expect(await listing(['new'], ['main', 'new'])).toEqual({ read: ['main', 'new'], findings: [] });
});

test.each([
  ['refused', 403],
  ['missing', 404],
  ['invalid', 400],
] as const)(
  'an entity that is asked for and cannot be listed, since the list is refused as %s (%i), is no mistake in its name',
  async (failure, status) => {
    const refused = refusal(failure, status);
    await expect(listing(refused, 'listed', 'held')).rejects.toThrow(
      /^the gateway refuses the list of subaccounts to this key, so .+ held is not read: .+GATEWAY_ENTITIES=main,held/,
    );
    expect((await listing(refused, 'listed', 'main')).read).toEqual(['main']);
    expect((await listing(refused, ['main', 'held'], 'held')).read).toEqual(['held']);
    await expect(listing(refused, ['main', 'held'], 'other')).rejects.toThrow(
      'no entity other among main, held',
    );
    await expect(listing(['held'], 'listed', 'other')).rejects.toThrow('no entity other among main, held');
  },
);

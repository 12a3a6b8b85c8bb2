// A subaccount that a client creates: the next night books it as empty books, and its first money ties out.
import { expect, test } from 'vitest';
import { as, ask, type Loose, tell } from '../sandbox/asker.ts';
import { booked, openStage, truth } from './stage.ts';

const PERSON = {
  email: 'new@example.com',
  name: 'Nora',
  surname: 'Ibarra',
  phone: { number: '611111111', countryCode: '34' },
};

test('a new subaccount has empty books, and then those of its first transfer', async () => {
  const stage = await openStage();
  const { sandbox } = stage;
  expect((await stage.night()).exitCode).toBe(0);
  const { userId } = (await tell(sandbox, 'POST /v1/account/subaccount', PERSON)).body;
  expect((await stage.night()).exitCode).toBe(0);
  const entries = `select count(*) from books.entries where entity_id = '${userId}'`;
  expect(await stage.rows(`select name from books.entities where entity_id = '${userId}'`)).toHaveLength(1);
  expect(await stage.rows(entries)).toEqual([{ count: '0' }]);

  const pockets = (await ask(sandbox, '/v1/wallet/pocket', as(userId))).body;
  const { id: pocketId } = pockets.find((pocket: Loose) => pocket.currency === 'EUR');
  const deposit = { amount: '40', currency: 'EUR', orderType: 'deposit', method: { type: 'card' } };
  const destination = { type: 'pocket', value: pocketId };
  const priced = await tell(
    sandbox,
    'POST /v1/teller/order/proforma',
    { ...deposit, destination },
    as(userId),
  );
  const paid = await tell(sandbox, 'POST /v1/teller/order', { orderId: priced.body.orderId }, as(userId));
  expect(paid.body.status).toBe('waiting-user');
  await stage.advance(1);
  expect((await stage.night()).exitCode).toBe(0);
  expect(await stage.rows(entries)).toEqual([{ count: '1' }]);
  expect(await booked(stage)).toEqual(await truth(stage));
});

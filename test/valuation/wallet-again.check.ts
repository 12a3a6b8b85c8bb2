// A departure to an own external wallet that is cancelled after its units have come back, and then stands again, or whose arrival is cancelled
// too: its lots are in one place, whichever of the months are closed.
import { beforeEach, describe, expect, test } from 'vitest';
import { derive } from '../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  close,
  gains,
  left,
  officialRates,
  reversed,
  sell,
  taxed,
  withBooks,
} from './month-stand.ts';

withBooks();

const TO_WALLET = ['equity:external:blockchain <- assets:trading 0.5 BTC'];
const FROM_WALLET = ['assets:trading <- equity:external:blockchain 0.5 BTC'];

/** Half a coin is sent to an own wallet and comes back, and then its departure is cancelled. */
const cancelled = async () => {
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  const sent = await booked({ day: '2026-01-20', name: 'sent' }, TO_WALLET);
  await derive(books.db, BOOKS);
  await close('2026-01');
  const back = await booked({ day: '2026-02-03', name: 'back' }, FROM_WALLET);
  await reversed(sent, '2026-02-05');
  return back;
};

const sentAgain = (month: string) => booked({ day: '2026-01-20', period: month, name: 'sent' }, TO_WALLET);

describe.each([
  ['fifo', ''],
  ['average', ''],
  ['specific', ''],
  ['fifo', 'without-lot:zero'],
  ['hifo', 'wallets-from:2026-02-01'],
])('with the method %s and the rules "%s"', (method, rules) => {
  beforeEach(async () => {
    await taxed(['main'], { method, rules });
    await officialRates('2026-03-31');
    await books.pool.query(`
      insert into decide.counterparty_files (version, file_name, by_name, at) values (1, 'f', 'Ada', now());
      insert into decide.counterparty_rules (version, line, class, counterparty, counterparty_type) values (1, 1, 'blockchain', 'a wallet', 'own')`);
  });

  describe.each(['open', 'closed'])('the month of the cancellation is %s', (state) => {
    const month = state === 'closed' ? '2026-03' : '2026-02';
    const late = state === 'closed' ? { period: month } : {};
    const nightly = async (valued: () => Promise<unknown> = () => derive(books.db, BOOKS)): Promise<void> => {
      await valued();
      if (state === 'closed') await close('2026-02');
    };

    test('a departure that stands again after a sale moves no gain', async () => {
      await cancelled();
      await nightly();
      await booked({ day: `${month}-10`, name: 'sold' }, sell('0.5', '30000'));
      await derive(books.db, BOOKS);
      await sentAgain(month);
      expect(await left()).toEqual(['here 0.5 20000']);
      expect(await gains()).toBe('10000');
    });

    test('an arrival that is cancelled too leaves nothing in the wallet, until its departure stands again', async () => {
      const back = await cancelled();
      await nightly();
      await reversed(back, `${month}-08`);
      expect(await left()).toEqual(['here 1 40000']);
      await sentAgain(month);
      expect(await left()).toEqual(['external 0.5 20000', 'here 0.5 20000']);
    });

    test('a departure that stands again has no lots in the wallet, until the arrival is cancelled, and none when that stands again too', async () => {
      const back = await cancelled();
      await nightly(left);
      await sentAgain(month);
      expect(await left()).toEqual(['here 1 40000']);
      expect(await gains()).toBeNull();
      await reversed(back, `${month}-08`);
      expect(await left()).toEqual(['external 0.5 20000', 'here 0.5 20000']);
      await booked({ day: '2026-02-03', name: 'back', ...late }, FROM_WALLET);
      expect(await left()).toEqual(['here 1 40000']);
    });
  });
});

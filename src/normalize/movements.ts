// Movements: the rule for what enters and leaves the trading wallet.
import {
  CLEARING_TRADING,
  EXTERNAL_PLATFORM,
  TRADING,
  TRADING_BOTS,
  WORKING_CAPITAL,
} from '../ledger/accounts.ts';
import { leg } from '../ledger/ledger.ts';
import { amount, currency, instant, word } from './fields.ts';
import { booked, type Rule } from './outcome.ts';
import { unbooked } from './status.ts';

/** The account on the other side, by `serviceOrderName`. A deposit from a bot is released by it, a withdrawal funds it. */
const OTHER_SIDE = {
  wallet: CLEARING_TRADING,
  admin: EXTERNAL_PLATFORM,
  'working-capital': WORKING_CAPITAL,
  bot: TRADING_BOTS,
} as const;
const ORIGINS = Object.keys(OTHER_SIDE) as (keyof typeof OTHER_SIDE)[];

/**
 * A movement, as one leg between trading and its other side. The wallet's record of the same
 * transfer has the opposite direction: both are booked and meet in clearing.
 */
export const movement: Rule = (record) => {
  const aside = unbooked(record);
  if (aside) return aside;
  const direction = word(record, 'movementType', ['deposit', 'withdrawal']);
  const origin = word(record, 'serviceOrderName', ORIGINS);
  const other = OTHER_SIDE[origin];
  const [debit, credit] = direction === 'deposit' ? [TRADING, other] : [other, TRADING];
  return booked({
    kind: 'movement',
    effectiveAt: instant(record, 'createdAt'),
    description: `${direction} ${origin}`,
    legs: leg(debit, credit, amount(record, 'amount'), currency(record, 'currency')),
  });
};

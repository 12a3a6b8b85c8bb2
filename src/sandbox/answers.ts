// The answer of each operation of the contract, from the current state of the world and the platform.
import { access } from './answers/access.ts';
import { account } from './answers/account.ts';
import { currency } from './answers/currency.ts';
import { earn } from './answers/earn.ts';
import { subaccounts } from './answers/subaccounts.ts';
import { trading } from './answers/trading.ts';
import { wallet } from './answers/wallet.ts';
import type { Answers } from './question.ts';

/** By the operation's name in the contract. */
export const ANSWERS: Answers = {
  ...access,
  ...account,
  ...subaccounts,
  ...trading,
  ...wallet,
  ...earn,
  ...currency,
};

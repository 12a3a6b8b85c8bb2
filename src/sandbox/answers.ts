// The answer of each operation of the contract, from the current state of the world and the platform.
import { access } from './answers/access.ts';
import { account } from './answers/account.ts';
import { currency } from './answers/currency.ts';
import { earn } from './answers/earn.ts';
import { funding } from './answers/funding.ts';
import { loan } from './answers/loan.ts';
import { socialPay } from './answers/social-pay.ts';
import { subaccounts } from './answers/subaccounts.ts';
import { teller } from './answers/teller.ts';
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
  ...funding,
  ...teller,
  ...socialPay,
  ...earn,
  ...loan,
  ...currency,
};

// Roles of accounts: what a leg between two accounts means for values.
import {
  CLEARING_EARN,
  CLEARING_FEES,
  CLEARING_TRADING,
  CONVERSION,
  EARN,
  isExternal,
  OPENING,
  pocketIn,
  REWARDS,
  TAX_WITHHELD,
  TRADING,
  TRADING_BOTS,
  WORKING_CAPITAL,
} from '../ledger/accounts.ts';

/**
 * held: units with lots, on any account of the platform. withheld and owed are a claim and a debt: they keep their
 * initial value and have no lots.
 */
export type Role = 'held' | 'conversion' | 'external' | 'opening' | 'fee' | 'reward' | 'withheld' | 'owed';

const FIXED: Readonly<Record<string, Role>> = {
  [TRADING]: 'held',
  [TRADING_BOTS]: 'held',
  [EARN]: 'held',
  [CLEARING_TRADING]: 'held',
  [CLEARING_EARN]: 'held',
  [CLEARING_FEES]: 'held',
  [CONVERSION]: 'conversion',
  [OPENING]: 'opening',
  [REWARDS]: 'reward',
  [TAX_WITHHELD]: 'withheld',
  [WORKING_CAPITAL]: 'owed',
};

/** The role of an account. Throws for an account that no rule books. */
export const roleOf = (account: string): Role => {
  const fixed = FIXED[account];
  if (fixed) return fixed;
  if (pocketIn(account) !== null) return 'held';
  if (isExternal(account)) return 'external';
  if (account.startsWith('expenses:fees:')) return 'fee';
  throw new Error(`no valuation rule covers account ${account}`);
};

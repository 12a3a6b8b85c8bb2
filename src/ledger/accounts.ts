// Account names, built only here: a lower-case path with colons; the currency is a field of its own on each leg.
import { strict as assert } from 'node:assert';

export const TRADING = 'assets:trading';
export const TRADING_BOTS = 'assets:trading-bots';
export const EARN = 'assets:earn';
export const TAX_WITHHELD = 'assets:tax-withheld';
export const CLEARING_TRADING = 'assets:clearing:trading';
export const CLEARING_EARN = 'assets:clearing:earn';
/** Fees that some pocket paid, and the record does not name which. */
export const CLEARING_FEES = 'assets:clearing:fees';
export const WORKING_CAPITAL = 'liabilities:working-capital';
export const OPENING = 'equity:opening';
export const CONVERSION = 'equity:conversion';
export const EXTERNAL_BANK = 'equity:external:bank';
export const EXTERNAL_BLOCKCHAIN = 'equity:external:blockchain';
export const EXTERNAL_CARD = 'equity:external:card';
export const EXTERNAL_PERSON = 'equity:external:person';
export const EXTERNAL_PLATFORM = 'equity:external:platform';
export const FEES_TRADING = 'expenses:fees:trading';
export const FEES_NETWORK = 'expenses:fees:network';
export const FEES_TELLER = 'expenses:fees:teller';
/** Charges that no record explains, and kinds of fees without an account of their own. */
export const FEES_UNCLASSIFIED = 'expenses:fees:unclassified';
export const REWARDS = 'income:rewards';

/** Used only by valuation: no record and no person books units on them. */
export const GAINS = 'income:gains:realised';
export const LOSSES = 'expenses:losses:realised';
/** The same for disposals of fiat currencies other than the reporting currency. */
export const FX_GAINS = 'income:gains:fx';
export const FX_LOSSES = 'expenses:losses:fx';
export const ROUNDING = 'expenses:rounding';
/** Lot-versus-average cost adjustment: carrying amounts against the cost of the lots used. */
export const COST_DIFFERENCES = 'assets:cost-differences';

/** Visible ASCII without a colon: how other letters become small depends on the program, and two ids would become one account. */
const POCKET_ID = /^[!-9;-~]{1,100}$/;

/** The account of one pocket. A pocket id with a colon, a space or a foreign letter in it is a fault: rules reject it before. */
export const pocket = (pocketId: string): string => {
  assert(isPocketId(pocketId), `not a pocket id: ${pocketId}`);
  return `assets:pocket:${pocketId.toLowerCase()}`;
};

export const isPocketId = (text: string): boolean => POCKET_ID.test(text);

/** Whether an account lies outside the platform: its postings have a counterparty. */
export const isExternal = (account: string): boolean => account.startsWith('equity:external:');

/**
 * Whether an account matches a pattern: the account itself, or `assets:pocket:*` for everything below assets:pocket, and `*` for
 * everything. books.chart_of_accounts_at matches the same way in SQL.
 */
export const isUnder = (pattern: string, account: string): boolean =>
  pattern === account || (pattern.endsWith('*') && account.startsWith(pattern.slice(0, -1)));

const FIXED: ReadonlySet<string> = new Set([
  TRADING,
  TRADING_BOTS,
  EARN,
  TAX_WITHHELD,
  CLEARING_TRADING,
  CLEARING_EARN,
  CLEARING_FEES,
  WORKING_CAPITAL,
  OPENING,
  CONVERSION,
  EXTERNAL_BANK,
  EXTERNAL_BLOCKCHAIN,
  EXTERNAL_CARD,
  EXTERNAL_PERSON,
  EXTERNAL_PLATFORM,
  FEES_TRADING,
  FEES_NETWORK,
  FEES_TELLER,
  FEES_UNCLASSIFIED,
  REWARDS,
]);

/** The pocket's id in the name of its account, null for another account. */
export const pocketIn = (account: string): string | null =>
  account.startsWith('assets:pocket:') ? account.slice('assets:pocket:'.length) : null;

/** Whether a name is one that is built here: what a person writes is held against it. */
export const isAccount = (text: string): boolean => {
  const id = pocketIn(text);
  return FIXED.has(text) || (id !== null && isPocketId(id) && pocket(id) === text);
};

/** All names, for people who mistyped one. */
export const ACCOUNT_NAMES: readonly string[] = [...FIXED, 'assets:pocket:<id in lower case>'];

// The contract, the room's second door: every operation of the gateway, as data, by area. The client's calls and the
// stand-in's routes both come from here. `section` names the part of the gateway's specification; `assumes` lists the
// assumptions about what it leaves open, by their ids in README.md.
import { access } from './access.ts';
import { account } from './account.ts';
import { currency } from './currency.ts';
import { earn } from './earn.ts';
import { funding } from './funding.ts';
import { loan } from './loan.ts';
import { NOTIFICATIONS } from './notifications.ts';
import { openapiOf } from './openapi.ts';
import type { Operation } from './operation.ts';
import { socialPay } from './social-pay.ts';
import { subaccounts } from './subaccounts.ts';
import { teller } from './teller.ts';
import { trading } from './trading.ts';
import { wallet } from './wallet.ts';

export { signature } from '../signature.ts';
export { type ChartRow, RATE_TIMES_MAX, type RateEntry } from './currency.ts';
export { earnWalletId, type WireRow } from './pages.ts';
export { MOVEMENT_ORIGINS, MOVEMENT_TYPES } from './trading.ts';
export { NOTIFICATIONS };

/** By area, and by the name of the client's method. */
export const CONTRACT = {
  access,
  account,
  subaccounts,
  trading,
  wallet,
  funding,
  teller,
  socialPay,
  earn,
  loan,
  currency,
} as const;

/** Every operation once, area by area. */
export const OPERATIONS: readonly Operation[] = Object.values(CONTRACT).flatMap((area) =>
  Object.values<Operation>(area),
);

/** The contract as an OpenAPI 3.1 document. */
export const openapi = () => openapiOf(OPERATIONS, NOTIFICATIONS.authorization);

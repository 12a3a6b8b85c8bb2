// Wallets: with the lot rule `wallets-from`, every place of an entity has a pool of its own from that month on: its pockets,
// trading and Earn. Units between two places belong to the pockets until the other side has booked them. The lots that a
// taxpayer has by then are allotted to the places of an entity at its first entry, as many units as each place holds, in the
// order of the cost method.
import type { Atto } from '../base/money.ts';
import { EARN, TRADING, TRADING_BOTS } from '../ledger/accounts.ts';
import { accountParts } from './carrying.ts';
import type { EntryValues, Event, NewLot, PoolName, Use } from './event.ts';
import { addLot, type Pool, take } from './pool.ts';
import { roleOf } from './roles.ts';
import { HELD, nextLot, type PoolPlace, poolOf, type State, startsWallets } from './state.ts';

/** The places of an entity, in the order in which lots are allotted to them. */
const WALLETS = ['pockets', 'trading', 'earn'] as const satisfies readonly PoolName[];

const walletOf = (account: string): (typeof WALLETS)[number] => {
  if (account === TRADING || account === TRADING_BOTS) return 'trading';
  return account === EARN ? 'earn' : 'pockets';
};

/** The pool of an entity's account that holds lots. */
export const placeOf = ({ isPerWallet }: State, entity: string, account: string): PoolPlace =>
  isPerWallet ? { name: walletOf(account), entity } : HELD;

/** Allots what the taxpayer's one pool still has to the places of an event's entity; null if there is nothing to allot. */
export const allotLots = (state: State, event: Event): EntryValues | null => {
  if (!startsWallets(state, event)) return null;
  const values: EntryValues = { lines: [], lots: [], uses: [], findings: [] };
  for (const [currency, wallets] of unitsByWallet(state, event.entity))
    for (const wallet of WALLETS) {
      const to = poolOf(state, { name: wallet, entity: event.entity }, currency);
      const lacking = (wallets.get(wallet) ?? 0n) - to.units;
      allot(state, { event, values, currency }, { wallet, to, units: lacking });
    }
  return values.lots.length > 0 ? values : null;
};

/** The booked units of an entity's places, by currency, for what the one pool still has. */
const unitsByWallet = ({ carrying, pools }: State, entity: string): Map<string, Map<string, Atto>> => {
  const units = new Map<string, Map<string, Atto>>();
  for (const [key, amount] of carrying) {
    const { entity: owner, account, currency } = accountParts(key);
    if (owner !== entity || !account.startsWith('assets:') || roleIn(account) !== 'held') continue;
    if ((pools.get(`held ${currency}`)?.units ?? 0n) === 0n) continue;
    const wallets = units.get(currency) ?? new Map<string, Atto>();
    units.set(currency, wallets);
    wallets.set(walletOf(account), (wallets.get(walletOf(account)) ?? 0n) + amount.units);
  }
  return new Map([...units].sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** Cost differences have value and no units, so no role. */
const roleIn = (account: string) => (account === 'assets:cost-differences' ? null : roleOf(account));

type Allotting = { readonly event: Event; readonly values: EntryValues; readonly currency: string };
type Wanting = { readonly wallet: PoolName; readonly to: Pool; readonly units: Atto };

const allot = (
  state: State,
  { event, values, currency }: Allotting,
  { wallet, to, units }: Wanting,
): void => {
  const onePool = poolOf(state, HELD, currency);
  const wanted = units < onePool.units ? units : onePool.units;
  if (wanted <= 0n) return;
  for (const fraction of take(onePool, wanted)) {
    if (fraction.lot === null) continue;
    const { acquiredAt, micros } = fraction.lot;
    const { units: part, cost } = fraction;
    const shared = { id: `${event.id}/w.${values.lots.length}`, currency, leg: 0 };
    const lot: NewLot = {
      ...shared,
      pool: wallet,
      acquiredAt,
      micros,
      seq: nextLot(state),
      units: part,
      cost,
      origin: 'allotted',
    };
    const use: Use = {
      ...fraction,
      ...shared,
      pool: 'held',
      kind: 'allotted',
      proceeds: null,
      feeInProceeds: 0n,
      exchangedFor: null,
    };
    values.lots.push(lot);
    values.uses.push(use);
    addLot(to, {
      entity: event.entity,
      id: lot.id,
      acquiredAt,
      micros,
      seq: lot.seq,
      acquired: { units: part, cost },
      units: part,
      cost,
    });
  }
};

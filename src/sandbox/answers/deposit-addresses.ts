// Deposit addresses of pockets: pending at first, and listed once the world's time has moved on.
import { DAY_MS, isoOf } from '../../base/time.ts';
import type { CONTRACT } from '../../gateway/contract/contract.ts';
import { oncePerList } from '../once-per-list.ts';
import type { Question, SandboxAnswer } from '../question.ts';
import { type Refusal, refusal } from '../refusals.ts';
import type { WireObject } from '../wire-json.ts';
import { depositAddressOf, networksOf } from '../world/networks.ts';
import { type BodyOf, pocketNotFound } from './change.ts';

type DepositAddress = { readonly pocketId: string; readonly network: string; readonly createdAt: number };

/** When each pocket first received coins on a chain. */
const firstReceipts = oncePerList(
  (rows) =>
    new Map(
      rows
        .filter(({ body }) => body.method === 'blockchain' && body.type === 'deposit')
        .map(({ at: instant, body }) => [(body.destination as WireObject).pocketId, instant] as const)
        .toReversed(),
    ),
);

/** A pocket that received coins in the history has had an address on their usual network since the day before. */
const historicAddresses = ({ world, entity }: Question): DepositAddress[] => {
  const received = firstReceipts(world.rows(entity.entityId, 'wallet-transactions'));
  return world.pockets(entity.entityId).flatMap(({ id: pocketId, currency }) => {
    const first = received.get(pocketId);
    const network = networksOf(currency)[0];
    return first !== undefined && network !== undefined
      ? [{ pocketId, network, createdAt: first - DAY_MS }]
      : [];
  });
};

/** Those that were requested. */
const requestedAddresses = ({ platform, entity }: Question): DepositAddress[] =>
  platform.on({ name: 'deposit-addresses', empty: (): DepositAddress[] => [] }, entity.entityId);

/** A pocket has one address on a network: the one that was made first. */
const addressFor = (question: Question, { pocketId, network }: Target): DepositAddress | undefined =>
  [...requestedAddresses(question), ...historicAddresses(question)]
    .filter((one) => one.pocketId === pocketId && one.network === network)
    .toSorted((a, b) => a.createdAt - b.createdAt)[0];

/** The time that it takes to make an address. */
const READY_MS = 60_000;

type Target = { readonly pocketId: string; readonly network: string };

/** What is wrong with a pocket and a network of a request; null if nothing. */
const wrongTarget = ({ world, entity }: Question, { pocketId, network }: Target): Refusal | null => {
  const pocket = world.pockets(entity.entityId).find(({ id }) => id === pocketId);
  if (pocket === undefined) return pocketNotFound();
  return networksOf(pocket.currency).includes(network)
    ? null
    : refusal(422, `The network ${network} is not supported for ${pocket.currency}`);
};

const statusOf = ({ createdAt }: DepositAddress, now: number): 'pending' | 'enabled' =>
  now >= createdAt + READY_MS ? 'enabled' : 'pending';

/** To ask again returns the status of the address that there is. */
export const createDepositAddress = (question: Question): SandboxAnswer => {
  const { network, walletPocketId: pocketId } = question.body as BodyOf<
    typeof CONTRACT.funding.createDepositAddress
  >;
  const { world } = question;
  const wrong = wrongTarget(question, { pocketId, network });
  if (wrong !== null) return wrong;
  const known = addressFor(question, { pocketId, network });
  const address = known ?? { pocketId, network, createdAt: world.now() };
  if (known === undefined) requestedAddresses(question).push(address);
  return { data: { status: statusOf(address, world.now()) } };
};

export const depositAddresses = (question: Question): SandboxAnswer => {
  const { world, query } = question;
  const [network, pocketId] = [String(query.network), String(query.walletPocketId)];
  const wrong = wrongTarget(question, { pocketId, network });
  if (wrong !== null) return wrong;
  const found = addressFor(question, { pocketId, network });
  if (found === undefined || statusOf(found, world.now()) === 'pending') return { data: [] };
  const address = depositAddressOf(network, pocketId);
  return { data: [{ address, createdAt: isoOf(found.createdAt), network, status: 'enabled' }] };
};

// Deposit addresses of pockets: pending at first, and listed once the world's time has moved on.
import { isoOf } from '../../base/time.ts';
import type { CONTRACT } from '../../gateway/contract/contract.ts';
import type { Question, SandboxAnswer } from '../question.ts';
import { type Refusal, refusal } from '../refusals.ts';
import type { WireObject } from '../wire-json.ts';
import { addressOf, networksOf } from '../world/networks.ts';
import { type BodyOf, pocketNotFound } from './change.ts';

type DepositAddress = { readonly pocketId: string; readonly network: string; readonly createdAt: number };

/** A pocket that received coins in the history has an address on their usual network. */
const seeded = ({ world, entity }: Question): DepositAddress[] => {
  const received = world
    .rows(entity.entityId, 'wallet-transactions')
    .filter(({ body }) => body.method === 'blockchain' && body.type === 'deposit');
  return world.pockets(entity.entityId).flatMap(({ id: pocketId, currency }) => {
    const first = received.find(({ body }) => (body.destination as WireObject).pocketId === pocketId);
    const network = networksOf(currency)[0];
    return first && network !== undefined ? [{ pocketId, network, createdAt: first.at - READY_MS }] : [];
  });
};

const addressesOf = (question: Question): DepositAddress[] =>
  question.platform.on(
    { name: 'deposit-addresses', empty: () => seeded(question) },
    question.entity.entityId,
  );

/** The address of a pocket on a network. */
export const depositAddressOf = (network: string, pocketId: string): string =>
  addressOf(network, `deposit:${pocketId}`);

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

/** A pocket has one address on a network: to ask again returns the status of that. */
export const createDepositAddress = (question: Question): SandboxAnswer => {
  const { network, walletPocketId: pocketId } = question.body as BodyOf<
    typeof CONTRACT.funding.createDepositAddress
  >;
  const { world } = question;
  const wrong = wrongTarget(question, { pocketId, network });
  if (wrong !== null) return wrong;
  const addresses = addressesOf(question);
  const known = addresses.find((one) => one.pocketId === pocketId && one.network === network);
  const address = known ?? { pocketId, network, createdAt: world.now() };
  if (known === undefined) addresses.push(address);
  return { data: { status: statusOf(address, world.now()) } };
};

export const depositAddresses = (question: Question): SandboxAnswer => {
  const { world, query } = question;
  const [network, pocketId] = [String(query.network), String(query.walletPocketId)];
  const wrong = wrongTarget(question, { pocketId, network });
  if (wrong !== null) return wrong;
  return {
    data: addressesOf(question)
      .filter((one) => one.pocketId === pocketId && one.network === network)
      .filter((one) => statusOf(one, world.now()) === 'enabled')
      .map(({ createdAt }) => ({
        address: depositAddressOf(network, pocketId),
        createdAt: isoOf(createdAt),
        network,
        status: 'enabled',
      })),
  };
};

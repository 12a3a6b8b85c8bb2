// Wallet transactions of clients: a proforma fixes amounts and price for two minutes, and is executed once.
import { isoOf } from '../../base/time.ts';
import type { CONTRACT } from '../../gateway/contract/contract.ts';
import type { Question, SandboxAnswer } from '../question.ts';
import { type Refusal, refusal } from '../refusals.ts';
import type { WireObject } from '../wire-json.ts';
import { free } from '../world/books.ts';
import { isFiat } from '../world/coins.ts';
import { convertPockets } from '../world/conversion-actions.ts';
import { moveBetween, payOnChain, payToBank, receiveOnChain } from '../world/payment-actions.ts';
import { money, type PresentScene } from '../world/scene.ts';
import { fromTrading, toTrading } from '../world/trading-actions.ts';
import type { World } from '../world.ts';
import { isVerified } from './address-book.ts';
import { type BodyOf, change, pocketOf } from './change.ts';
import { type ProformaBody, type WalletOrder, walletOrder } from './wallet-order.ts';

/** How long a price holds (assumption A-PROFORMA-LIFE). */
const VALID_MS = 2 * 60_000;

type Proforma = {
  readonly order: WalletOrder;
  readonly remarks: WireObject;
  readonly expiresAt: number;
  isExecuted: boolean;
};

const SHELF = { name: 'wallet-proformas', empty: () => new Map<string, Proforma>() };

/** An unknown one is pending too. */
export const walletProformaStatus = ({ platform, entity }: Question, id: string): 'accepted' | 'pending' =>
  platform.on(SHELF, entity.entityId).get(id)?.isExecuted ? 'accepted' : 'pending';

const unverified = ({ platform }: Question): Refusal | null =>
  platform.switches.has('email-not-verified') ? refusal(401, 'The e-mail is not verified') : null;

/** Nothing moves: the funds only must be there. */
export const prepareTransaction = (question: Question): SandboxAnswer => {
  const refused = unverified(question);
  if (refused !== null) return refused;
  const body = question.body as ProformaBody;
  return change(question, (scene) => {
    const order = walletOrder(scene, body);
    if ('statusCode' in order) return order;
    if (!isReady(question, order)) return refusal(406, 'The address is not verified in the address book');
    if (!isFunded(scene, order)) return insufficient();
    const [id, expiresAt] = [question.platform.uuid(), scene.at + VALID_MS];
    const remarks = { note: body.note ?? '', concept: body.concept ?? '' };
    question.platform
      .on(SHELF, question.entity.entityId)
      .set(id, { order, remarks, expiresAt, isExecuted: false });
    return {
      data: {
        id,
        expirationTime: isoOf(expiresAt),
        origin: money(order.units + order.onTop, order.from.currency),
        destination: money(order.enters, 'to' in order ? order.to.currency : order.from.currency),
      },
    };
  });
};

const isReady = (question: Question, order: WalletOrder): boolean => {
  if (order.kind !== 'chain') return true;
  const { address, addressNetwork: network } = order.address;
  return isVerified(question, { address, network, currency: order.from.currency });
};

const insufficient = (): Refusal => refusal(412, 'Insufficient funds in the pocket');

const isFunded = (scene: PresentScene, { kind, from, units, onTop }: WalletOrder): boolean =>
  scene.has(kind === 'from-trading' ? 'trading' : free(from.id), from.currency) >= units + onTop;

export const executeTransaction = (question: Question): SandboxAnswer => {
  const { proforma: id } = question.body as BodyOf<typeof CONTRACT.wallet.execute>;
  const refused = unverified(question);
  if (refused !== null) return refused;
  const proforma = question.platform.on(SHELF, question.entity.entityId).get(id);
  if (proforma === undefined) return refusal(404, 'Proforma not found');
  return change(question, (scene) => executed(question, scene, proforma));
};

const executed = (question: Question, scene: PresentScene, proforma: Proforma): SandboxAnswer => {
  const { order } = proforma;
  if (proforma.isExecuted) return refusal(406, 'The proforma was executed before');
  if (scene.at >= proforma.expiresAt) return refusal(406, 'The proforma is expired: request another');
  if (!isFunded(scene, order)) return insufficient();
  const { note, concept } = question.body as BodyOf<typeof CONTRACT.wallet.execute>;
  const verdict = question.authorize({
    transactionId: scene.nextId,
    userId: question.entity.userId,
    type: TYPES[order.kind],
    amount: String(money(order.units, order.from.currency).amount),
    currency: order.from.currency,
  });
  if (verdict !== null) return verdict;
  proforma.isExecuted = true;
  const remarks = {
    ...proforma.remarks,
    ...(note !== undefined && { note }),
    ...(concept !== undefined && { concept }),
  };
  const { nextId: id } = scene;
  perform(question, scene, { order, remarks });
  return { data: { id, result: true } };
};

const TYPES = {
  chain: 'withdrawal',
  bank: 'withdrawal',
  internal: 'transfer',
  conversion: 'transfer',
  'to-trading': 'withdrawal',
  'from-trading': 'deposit',
} as const;

type Performance = Pick<Proforma, 'order' | 'remarks'>;

const perform = ({ world }: Question, scene: PresentScene, { order, remarks }: Performance): void => {
  const { from, units } = order;
  const payment = { id: scene.nextId, from, units, remarks };
  if (order.kind === 'chain') payTo(world, scene, { ...payment, order });
  else if (order.kind === 'bank') payToBank(scene, { ...payment, account: order.account });
  else if (order.kind === 'internal') moveBetween(scene, { ...payment, to: order.to });
  else if (order.kind === 'conversion') convertFor(scene, order, remarks);
  else if (order.kind === 'to-trading') toTrading(scene, from, units, { id: scene.nextId });
  else fromTrading(scene, from, units, { id: scene.nextId });
};

type ChainOrder = Extract<WalletOrder, { kind: 'chain' }>;
type ChainPayment = Pick<WalletOrder, 'from' | 'units'> & {
  readonly id: string;
  readonly remarks: WireObject;
  readonly order: ChainOrder;
};

/** To an address; if that is a deposit address of the platform, its pocket receives what arrives. */
const payTo = (world: World, scene: PresentScene, { order, ...payment }: ChainPayment): void => {
  const { fee, onTop, address } = order;
  const network = address.addressNetwork;
  const transfer = payOnChain(scene, { ...payment, fee, isFeeOnTop: onTop > 0n, address });
  const { currency } = order.from;
  const to = world.depositPocket?.({ address: address.address, network, currency });
  if (to !== undefined)
    world.act?.(to.entityId, (own) => {
      const pocket = pocketOf(own, to.pocketId);
      if (pocket !== undefined) receiveOnChain(own, transfer, pocket, network);
    });
};

const convertFor = (
  scene: PresentScene,
  { from, to, units, enters }: Extract<WalletOrder, { kind: 'internal' | 'conversion' }>,
  remarks: WireObject,
): void => {
  const [paid, bought] = [from.currency, to.currency];
  const subtype =
    isFiat(paid) && !isFiat(bought) ? 'purchase' : isFiat(bought) && !isFiat(paid) ? 'sell' : 'swap';
  const priced = subtype === 'purchase' ? ([bought, paid] as const) : ([paid, bought] as const);
  const id = scene.nextId;
  convertPockets(scene, { id, subtype, from, to, left: units, bought: enters, priced, more: remarks });
};

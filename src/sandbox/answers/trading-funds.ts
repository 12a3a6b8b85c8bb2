// Deposits to the trading wallet and withdrawals from it: a wallet row and a movement each.
import type { CONTRACT } from '../../gateway/contract/contract.ts';
import type { Transaction } from '../authorization.ts';
import type { Question, SandboxAnswer } from '../question.ts';
import type { Refusal } from '../refusals.ts';
import { free } from '../world/books.ts';
import type { Holder } from '../world/cast.ts';
import { COINS, decimalsOf, isListed } from '../world/coins.ts';
import type { PresentScene } from '../world/scene.ts';
import { fromTrading, toTrading } from '../world/trading-actions.ts';
import { amountFrom, type BodyOf, change, pocketNotFound, pocketOf } from './change.ts';
import { moodOf, type OrderCode, rejected } from './order-code.ts';
import { balanceEntry } from './trading-balance.ts';

type Trading = typeof CONTRACT.trading;

/** From a pocket. */
export const deposit = (question: Question): SandboxAnswer => {
  const { amount, currency, fromPocketId } = question.body as BodyOf<Trading['deposit']>;
  const mood = moodOf(question.platform, 'deposit');
  if (mood !== null) return rejected(mood);
  if (fromPocketId === undefined) return rejected('MISSING_FROM_POCKET_ID');
  const units = unitsFrom({ amount, currency });
  if (typeof units === 'string') return rejected(units);
  return change(question, (scene) => {
    const pocket = pocketOf(scene, fromPocketId);
    if (pocket === undefined) return pocketNotFound();
    if (pocket.currency !== currency) return rejected('CURRENCY_NOT_SUPPORTED');
    if (scene.has(free(pocket.id), currency) < units) return rejected('NOT_ENOUGH_BALANCE', 412);
    const verdict = authorizeFunds(question, scene, { type: 'withdrawal', amount, currency });
    if (verdict !== null) return verdict;
    toTrading(scene, pocket, units, { id: scene.nextId });
    return balanceEntry(question, currency);
  });
};

/** To the named pocket, or the first of the currency. */
export const withdraw = (question: Question): SandboxAnswer => {
  const { amount, currency, toPocketId } = question.body as BodyOf<Trading['withdraw']>;
  const mood = moodOf(question.platform, 'withdraw');
  if (mood !== null) return rejected(mood);
  const units = unitsFrom({ amount, currency });
  if (typeof units === 'string') return rejected(units);
  return change(question, (scene) => {
    const pocket = targetPocket(scene, currency, toPocketId);
    if (pocket === undefined) return pocketNotFound();
    if (pocket.currency !== currency) return rejected('CURRENCY_NOT_SUPPORTED');
    if (scene.has('trading', currency) < units) return rejected('TRADING_WALLET_NOT_BALANCE');
    const verdict = authorizeFunds(question, scene, { type: 'deposit', amount, currency });
    if (verdict !== null) return verdict;
    fromTrading(scene, pocket, units, { id: scene.nextId });
    return balanceEntry(question, currency);
  });
};

type Funds = Pick<Transaction, 'type' | 'amount' | 'currency'>;

/** The wallet transaction, whose words are the opposite of the movement's: into trading is a withdrawal. */
const authorizeFunds = ({ authorize, entity }: Question, scene: PresentScene, funds: Funds): Refusal | null =>
  authorize({ transactionId: scene.nextId, userId: entity.userId, ...funds });

const targetPocket = (scene: PresentScene, currency: string, id: string | undefined): Holder | undefined =>
  id === undefined
    ? scene.player.pockets.find((pocket) => pocket.currency === currency)
    : pocketOf(scene, id);

/** Units of an amount, or the code of what is wrong with it. */
const unitsFrom = ({
  amount,
  currency,
}: Pick<BodyOf<Trading['deposit']>, 'amount' | 'currency'>): bigint | OrderCode => {
  if (!isListed(currency)) return 'CURRENCY_NOT_SUPPORTED';
  if (!Object.hasOwn(COINS, currency)) return 'TRADING_WALLET_NOT_FOUND';
  const units = amountFrom(amount, decimalsOf(currency));
  if (units === null) return 'AMOUNT_PRECISION_EXCEEDED';
  return units > 0n ? units : 'ORDER_AMOUNT_LOWER_EQUAL_ZERO';
};

// Travel-rule data of crypto transactions, and the replaced confirmation of a destination by its wallet movement.
import type { Question, SandboxAnswer } from '../question.ts';
import { refusal } from '../refusals.ts';
import type { Listed } from '../world.ts';

const SHELF = {
  name: 'travel-rule',
  empty: () => ({ counterparties: new Map<string, unknown>(), confirmed: new Set<string>() }),
};

const onChain = ({ world, entity }: Question, id: string | undefined): Listed | undefined =>
  world
    .rows(entity.entityId, 'wallet-transactions')
    .find((row) => row.id === id && row.body.method === 'blockchain');

/** An order is a wallet transaction on a chain; submitting again replaces what was there. */
export const completeTravelRule = (question: Question): SandboxAnswer => {
  const { platform, entity, params, body } = question;
  const row = onChain(question, params.orderId);
  if (row === undefined) return refusal(404, 'Order not found');
  platform.on(SHELF, entity.entityId).counterparties.set(row.id, body);
  return { data: { result: true } };
};

const withdrawal = (question: Question): Listed | undefined => {
  const row = onChain(question, question.params.walletMovementId);
  return row?.body.type === 'withdrawal' ? row : undefined;
};

export const confirmationStatus = (question: Question): SandboxAnswer => {
  const row = withdrawal(question);
  if (row === undefined) return refusal(404, 'Movement not found');
  const { confirmed } = question.platform.on(SHELF, question.entity.entityId);
  const isConfirmed = row.body.status === 'completed' || confirmed.has(row.id);
  return { data: { status: isConfirmed ? 'confirmed' : 'pending' } };
};

export const confirmDestination = (question: Question): SandboxAnswer => {
  const row = withdrawal(question);
  if (row === undefined) return refusal(404, 'Movement not found');
  question.platform.on(SHELF, question.entity.entityId).confirmed.add(row.id);
  return { data: null };
};

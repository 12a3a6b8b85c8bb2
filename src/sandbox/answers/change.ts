// What operations share that change the world: their moment, the amounts that clients send, and the pockets of a user.
import { unitsOf } from '../amount.ts';
import type { Question, SandboxAnswer } from '../question.ts';
import { type Refusal, refusal } from '../refusals.ts';
import type { Holder } from '../world/cast.ts';
import type { PresentScene } from '../world/scene.ts';

/** The body of an operation after validation. */
export type BodyOf<O extends { readonly body: { readonly _output: unknown } }> = O['body']['_output'];

/** Lets a client act at the world's present time. */
export const change = (
  { world, entity }: Question,
  action: (scene: PresentScene) => SandboxAnswer,
): SandboxAnswer =>
  world.act === undefined ? refusal(423, 'This world cannot be changed') : world.act(entity.entityId, action);

/** The number of decimals of plain decimal text, without trailing zeros. */
export const decimalsIn = (text: string): number => text.replace(/^[^.]*\.?/, '').replace(/0+$/, '').length;

/** Units of an amount that a client sends; null if it has more decimals than its currency or market. */
export const amountFrom = (text: string, decimals: number): bigint | null =>
  decimalsIn(text) > decimals ? null : unitsOf(text.replace(/(\.\d*?)0+$/, '$1'));

export const pocketNotFound = (): Refusal => refusal(404, 'Pocket not found');

export const pocketOf = ({ player }: PresentScene, id: string | undefined): Holder | undefined =>
  player.pockets.find((pocket) => pocket.id === id);

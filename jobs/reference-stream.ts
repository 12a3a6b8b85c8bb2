// Reads what records name in one stream that moves no money, one request after the other. A name that the gateway does not answer
// affects only itself: the others are read.
import { firstOf } from '../src/base/counted.ts';
import { isUndocumented, type ReferenceName } from '../src/base/streams.ts';
import { announced, begun, type RecordWalk, type Source } from '../src/extract/extract.ts';
import type { Failure } from '../src/gateway/errors.ts';
import {
  GATEWAY_FAILED,
  GatewayError,
  OF_NAME,
  OF_REQUEST,
  REQUEST_REFUSED,
} from '../src/gateway/gateway.ts';
import { report } from '../src/run/run.ts';
import type { Context } from './extraction.ts';
import { type ListReading, landList, readingOf } from './lists.ts';

/** One request: the list that it belongs to, and its walk. */
export type Reference = {
  readonly stream: ReferenceName;
  readonly scope: string;
  readonly walk: (source: Source) => RecordWalk;
};

/** How the reading of a stream ended: `unread` if the key has no right to it, or the gateway failed: the next night tries again. */
type StreamEnd = 'read' | 'unread';

/**
 * After as many failures in a row, and no answer before, the gateway is taken not to offer the stream, or not to this key. A rejected
 * request shows that it offers it.
 */
const UNANSWERED_MAX: Readonly<Partial<Record<Failure, number>>> = {
  refused: 2,
  blocked: 2,
  secondFactor: 2,
  missing: 3,
  invalid: 20,
};

/** After as many failures in a row the others are not requested, although the gateway has answered one. */
const FAILURES_MAX = 20;

/** Each failure of the gateway has taken minutes of retries. If it is the gateway, the next request that a figure rests on fails too. */
const GATEWAY_FAILED_MAX = 3;

const mostInRow = ({ failure }: GatewayError, isAnswered: boolean): number => {
  if (GATEWAY_FAILED.includes(failure)) return GATEWAY_FAILED_MAX;
  return isAnswered ? FAILURES_MAX : (UNANSWERED_MAX[failure] ?? 1);
};

/** Requests of a stream on their way at once. A night of many entities is not to wait for one answer after the other. */
const REQUESTED_MAX = 10;

/**
 * Lands one reference after the other. While an answer lands, the next ones are requested: one, until the gateway has shown that it
 * answers this stream, and then several. Those that it did not answer are reported together.
 */
export const readStream = async (context: Context, references: readonly Reference[]): Promise<StreamEnd> => {
  const waiting = [...references];
  const requested: BegunReference[] = [];
  const request = (most: number): void => {
    const missing = most - requested.length;
    if (missing > 0) requested.push(...waiting.splice(0, missing).map((one) => beginReference(context, one)));
  };
  const failed: GatewayError[] = [];
  let [isAnswered, inRow, most] = [false, 0, 1];
  for (;;) {
    request(1);
    const current = requested.shift();
    if (current === undefined) break;
    const error = await readReference(context, current, () => request(most));
    if (error === null) {
      [isAnswered, inRow, most] = [true, 0, REQUESTED_MAX];
      continue;
    }
    failed.push(error);
    [inRow, most] = [inRow + 1, 1];
    if (inRow >= mostInRow(error, isAnswered)) break;
  }
  const [first] = references;
  if (first === undefined || failed.length === 0) return 'read';
  const left = waiting.length + requested.length;
  await reportFailed(context, { stream: first.stream, wanted: references.length, failed, left });
  const isRefused = !isAnswered && failed.slice(-1).some(({ failure }) => REQUEST_REFUSED.includes(failure));
  const failures = failed
    .map(({ failure }) => failure)
    .filter((failure) => ![...OF_NAME, ...REQUEST_REFUSED].includes(failure));
  if (isUndocumented(first.stream))
    return failures.some((failure) => !NO_LIST.includes(failure)) ? 'unread' : 'read';
  return isRefused || failures.length > 0 ? 'unread' : 'read';
};

/** What is no such list is the answer of a gateway without it. */
const NO_LIST: readonly Failure[] = ['badPage', 'oversized'];

/** A reference that has been requested. */
type BegunReference = {
  readonly reading: ListReading;
  readonly walk: RecordWalk;
};

const beginReference = (context: Context, { stream, scope, walk }: Reference): BegunReference => {
  const reading = readingOf(context, stream, scope);
  return { reading, walk: begun(walk(reading.source)) };
};

/** Lands one reference; returns the error if the gateway does not answer it. */
const readReference = async (
  context: Context,
  { reading, walk }: BegunReference,
  onAnswer: () => void,
): Promise<GatewayError | null> => {
  try {
    await landList(context, announced(walk, onAnswer), reading);
    return null;
  } catch (error) {
    if (!(error instanceof GatewayError) || !OF_REQUEST.includes(error.failure)) throw error;
    return error;
  }
};

type Failed = {
  readonly stream: ReferenceName;
  /** How many references were wanted, and how many of them were not requested any more. */
  readonly wanted: number;
  readonly left: number;
  readonly failed: readonly GatewayError[];
};

/**
 * A stream that the gateway lacks is a note, as is a request that it rejects; a refusal, a failure of the gateway and what was not
 * requested are findings.
 */
const reportFailed = ({ work, entity }: Context, { stream, wanted, left, failed }: Failed): Promise<void> => {
  const isFinding =
    failed.some(({ failure }) => !OF_NAME.includes(failure)) ||
    (left > 0 && failed.some(({ failure }) => failure !== 'missing'));
  const others = left > 0 ? `; after so many failures in a row ${left} of ${wanted} are not requested` : '';
  return report(work.db, work.run, {
    entity: entity.id,
    severity: isFinding && !isUndocumented(stream) ? 'finding' : 'note',
    subject: stream,
    detail: `${unread(failed)}${others}`,
  });
};

const SHOWN_MAX = 5;

const unread = (failed: readonly GatewayError[]): string => {
  const [message] = failed.map((error) => error.message);
  if (failed.length === 1)
    return `not read, so what it explains stays unexplained; no figure rests on it (${message})`;
  const targets = failed.map(({ target }) => target);
  return `${failed.length} not read, so what they explain stays unexplained; no figure rests on them: ${firstOf(targets, SHOWN_MAX)} (${message})`;
};

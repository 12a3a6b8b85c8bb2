// The reading of one list of an entity: its walk within its time limit, landed page by page.
import { isReference, type LandedStream, type StreamName } from '../src/base/streams.ts';
import { HOUR_MS, stopwatch } from '../src/base/time.ts';
import { type ListTime, listTime, type RecordWalk, type Source, timed } from '../src/extract/extract.ts';
import { landWalk, readAgainFrom } from '../src/land/land.ts';
import type { LandTally } from '../src/land/pages.ts';
import { type Context, destination } from './extraction.ts';

/** A list of an entity with its time limit: all its walks make requests through `source`. */
export type ListReading<Stream extends LandedStream = LandedStream> = {
  readonly list: { readonly entity: string; readonly stream: Stream; readonly scope: string };
  readonly source: Source;
  readonly time: ListTime;
};

export const readingOf = <Stream extends LandedStream>(
  context: Context,
  stream: Stream,
  scope = '',
): ListReading<Stream> => {
  const { id } = context.entity;
  const time = listTime({
    list: `${stream}${scope && ` ${scope}`} of ${id}`,
    ...context.perList,
    advice:
      'if this repeats, raise TIEOUT_RUN_HOURS, or ask the support of the gateway why the list does not end',
  });
  return { list: { entity: id, stream, scope }, source: timed(context.source, time), time };
};

/** Lands a walk over a list; nothing if its time is over. */
export const landList = async (
  context: Context,
  walk: RecordWalk,
  { list, time }: ListReading,
): Promise<void> => {
  if (time.isOver()) return;
  const { work, entity, beside } = context;
  const { stream, scope } = list;
  const tookMs = stopwatch();
  const tell = (event: 'page' | 'stream', tally: LandTally) =>
    work.tell({ event, entity: entity.id, stream, scope, ...tally, duration_ms: tookMs() });
  let counted = 0;
  const onPage = (tally: LandTally) => {
    tell('page', tally);
    beside?.signal.throwIfAborted();
    beside?.landed(tally.fresh + tally.changed - counted);
    counted = tally.fresh + tally.changed;
  };
  tell('stream', await landWalk(destination(context, stream, scope), time.within(walk), onPage));
  if (time.isOver() && !isReference(stream)) context.cutShort.add(stream);
};

/** The instant from which a list is read again; null for all of it. */
export const readAgain = (
  { work, isFull }: Context,
  list: ListReading<StreamName>['list'],
): Promise<string | null> =>
  isFull ? Promise.resolve(null) : readAgainFrom(work.db, list, work.config.lagHours[list.stream] * HOUR_MS);

// A stage with a listener beside its nights, and what moves one entity of its world over HTTP.
import { onTestFinished } from 'vitest';
import { listen } from '../../jobs/nightly.ts';
import { STREAM_NAMES } from '../../src/base/streams.ts';
import { nowMs } from '../../src/base/time.ts';
import type { GatewayConfig } from '../../src/config/environment.ts';
import { withBooks } from '../../src/run/entry.ts';
import type { Event } from '../../src/run/events.ts';
import type { Result } from '../../src/run/work.ts';
import { as, ask, type Loose, tell } from '../sandbox/asker.ts';
import { night, type Stage } from './stage.ts';

/**
 * The settings of nights that may skip: in the first hours of a month every list is read, so the test runs where the month
 * began long ago, with the shortest lag.
 */
export const quietSettings = (stage: Stage): GatewayConfig => {
  const isYoung = new Date(nowMs()).getUTCDate() === 1;
  const lagHours = Object.fromEntries(STREAM_NAMES.map((stream) => [stream, 1])) as GatewayConfig['lagHours'];
  return { ...stage.settings(), timezone: isYoung ? 'Pacific/Kiritimati' : 'UTC', lagHours };
};

export const quietNight = (stage: Stage): Promise<Result> =>
  night(quietSettings(stage), { writesFiles: false });

export type Listener = {
  /** Resolves with the first event, from now on, that fits. */
  readonly next: (name: string) => Promise<Event>;
  readonly stop: () => Promise<void>;
  readonly ended: Promise<void>;
};

/** Starts a listener as the loader; it has connected when this resolves, and ends with the test. */
export const startListener = async (
  stage: Stage,
  socketUrl?: string,
  finished: (end: () => Promise<void>) => void = onTestFinished,
): Promise<Listener> => {
  const ending = new AbortController();
  const waiting = new Map<string, (event: Event) => void>();
  const settings = quietSettings(stage);
  const config = { ...settings, gateway: { ...settings.gateway, ...(socketUrl && { socketUrl }) } };
  const ended = withBooks(config, ({ db }) =>
    listen({
      config,
      db,
      signal: ending.signal,
      backoffMs: 10,
      tell: (event) => waiting.get(event.event)?.(event),
    }),
  );
  const next = (name: string) =>
    new Promise<Event>((found, fail) => {
      waiting.set(name, found);
      setTimeout(() => fail(new Error(`no ${name} in 30 s`)), 30_000).unref();
    });
  const stop = async () => {
    ending.abort();
    await Promise.allSettled([ended]);
  };
  const connected = next('connected');
  finished(stop);
  await Promise.race([connected, ended]);
  return { next, stop, ended };
};

/** Moves 1 EUR into trading and, `back`, out again to the same pocket: then every balance is as before. */
export const moveMoney = async ({ sandbox }: Stage, entity: string, { back = false } = {}): Promise<void> => {
  const pockets: Loose[] = (await ask(sandbox, '/v1/wallet/pocket', as(entity))).body;
  const fromPocketId = pockets.find(({ currency }) => currency === 'EUR').id;
  const amount = { amount: '1', currency: 'EUR' };
  const moved = [
    await tell(sandbox, 'POST /v1/trading/wallet/deposit', { ...amount, fromPocketId }, as(entity)),
  ];
  if (back)
    moved.push(
      await tell(
        sandbox,
        'POST /v1/trading/wallet/withdraw',
        { ...amount, toPocketId: fromPocketId },
        as(entity),
      ),
    );
  for (const { status, text } of moved) if (status !== 200) throw new Error(text);
};

/** What the last night did with each entity: why its lists were read, or skipped. */
export const nightsOf = async (stage: Stage): Promise<Record<string, string>> => {
  const rows = await stage.rows(`
    select entity_id, coalesce(reason, 'skipped') as outcome from books.nights
    where run_id = (select run_id from books.runs order by run_number desc limit 1) order by began_at`);
  return Object.fromEntries(rows.map(({ entity_id, outcome }) => [entity_id ?? '', outcome ?? '']));
};

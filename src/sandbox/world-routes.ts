// The routes under /__world: the truth, for tests only, and the route that moves time. They need no key.

import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { STREAM_NAMES } from '../base/streams.ts';
import { isoOf, msOf } from '../base/time.ts';
import { refusal, refuse, send } from './refusals.ts';
import type { World } from './world.ts';

/** One request. `status` is 0 if the socket was destroyed. */
export type Logged = {
  /** The machine's clock at arrival, Unix milliseconds. */
  readonly at: number;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly entity: string | null;
};

const DAY = 86_400_000;
const CENTURY = 36_525 * DAY;
const step = z.union([
  z.strictObject({ days: z.number().positive().max(36_525) }).transform(({ days }) => Math.round(days * DAY)),
  z.strictObject({ ms: z.int().positive().max(CENTURY) }).transform(({ ms }) => ms),
]);

const past = z.strictObject({
  entity: z.string().default('main'),
  at: z.iso.datetime().transform(msOf),
  count: z.int().positive().max(1_000).default(1),
});

/** Adds the routes of the world itself. */
export const worldRoutes = (server: FastifyInstance, world: World, log: readonly Logged[]): void => {
  const now = () => isoOf(world.now());
  server.get('/__world/now', (_, reply) => send(reply, 200, { now: now() }));
  server.get('/__world/truth', (_, reply) => send(reply, 200, { now: now(), balances: world.truth() }));
  server.get('/__world/defects', (_, reply) => send(reply, 200, world.defects()));
  server.get('/__world/log', (_, reply) => send(reply, 200, log));
  server.get('/__world/ids', (_, reply) => send(reply, 200, idsOf(world)));
  server.post('/__world/advance', (request, reply) => {
    const body = step.safeParse(request.body);
    if (!body.success) return refuse(reply, refusal(400, 'advance takes {"days":1} or {"ms":1000}'));
    world.advance(body.data);
    return send(reply, 200, { now: now() });
  });
  server.post('/__world/backdate', (request, reply) => {
    const body = past.safeParse(request.body);
    if (!body.success || world.backdate === undefined)
      return refuse(
        reply,
        refusal(400, 'backdate takes {"entity":"main","at":"2026-10-20T10:00:00Z","count":10}'),
      );
    world.backdate(body.data.entity, body.data);
    return send(reply, 200, { now: now() });
  });
};

const idsOf = (world: World) =>
  Object.fromEntries(
    world.entities.map(({ entityId }) => [
      entityId,
      Object.fromEntries(
        STREAM_NAMES.map((stream) => [stream, world.rows(entityId, stream).map(({ id }) => id)]),
      ),
    ]),
  );

// The routes under /__world: the truth, for tests only, and what moves the world or its moods. They need no key.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { STREAM_NAMES } from '../base/streams.ts';
import { DAY_MS, isoOf, msOf } from '../base/time.ts';
import type { Access } from './access/access.ts';
import { confirmByMail } from './answers/address-book.ts';
import { explanationsOf } from './explanations.ts';
import type { Platform } from './platform.ts';
import { refusal, refuse, send } from './refusals.ts';
import { isSwitch } from './switches.ts';
import type { Logged } from './traffic.ts';
import type { Wire } from './wire-json.ts';
import type { World } from './world.ts';

const CENTURY = 36_525 * DAY_MS;
const step = z.union([
  z
    .strictObject({ days: z.number().positive().max(36_525) })
    .transform(({ days }) => Math.round(days * DAY_MS)),
  z.strictObject({ ms: z.int().positive().max(CENTURY) }).transform(({ ms }) => ms),
]);

const past = z.strictObject({
  entity: z.string().default('main'),
  at: z.iso.datetime().transform(msOf),
  count: z.int().positive().max(1_000).default(1),
});

const mail = z.strictObject({ addressId: z.uuid() });
const mood = z.strictObject({ name: z.string().refine(isSwitch), on: z.boolean() });

type WorldRoutesOf = {
  readonly world: World;
  readonly platform: Platform;
  readonly access: Access;
  readonly log: readonly Logged[];
  readonly onChange: () => void;
};

/** Adds the routes of the world itself. */
export const worldRoutes = (server: FastifyInstance, parts: WorldRoutesOf): void => {
  const { world, platform, log } = parts;
  const now = () => isoOf(world.now());
  server.get('/__world/now', (_, reply) => send(reply, 200, { now: now() }));
  server.get('/__world/truth', (_, reply) => send(reply, 200, { now: now(), balances: world.truth() }));
  server.get('/__world/defects', (_, reply) => send(reply, 200, world.defects()));
  server.get('/__world/explanations', (_, reply) => send(reply, 200, explanationsOf(world)));
  server.get('/__world/log', (_, reply) => send(reply, 200, log));
  server.get('/__world/ids', (_, reply) => send(reply, 200, idsOf(world)));
  server.get('/__world/switches', (_, reply) => send(reply, 200, [...platform.switches]));
  const post = actionOn(server, parts.onChange);
  post('advance', [step, 'advance takes {"days":1} or {"ms":1000}'], (ms) => {
    world.advance(ms);
    return { now: now() };
  });
  post(
    'backdate',
    [past, 'backdate takes {"entity":"main","at":"2026-10-20T10:00:00Z","count":10}'],
    (wanted) => {
      if (world.backdate === undefined) return null;
      world.backdate(wanted.entity, wanted);
      return { now: now() };
    },
  );
  post('confirm-address', [mail, 'confirm-address takes {"addressId":"…"} of an entry'], ({ addressId }) =>
    confirmByMail(parts, addressId) ? { status: 'verified' } : null,
  );
  post(
    'switch',
    [mood, 'switch takes the name of a switch: {"name":"force-second-factor","on":true}'],
    ({ name, on }) => {
      if (on) platform.switches.add(name);
      else platform.switches.delete(name);
      return [...platform.switches];
    },
  );
};

type Post = <T>(
  path: string,
  [schema, usage]: readonly [z.ZodType<T>, string],
  action: (body: T) => Wire,
) => void;

/**
 * Adds routes that take a JSON body and do something. A body that does not fit, or an action that returns null, is 400. They need no key, so
 * a page of another origin in a browser of this host could call them: 403.
 */
export const actionOn =
  (server: FastifyInstance, onChange: () => void): Post =>
  (path, [schema, usage], action) => {
    server.post(`/__world/${path}`, (request, reply) => {
      if (!isOwnOrigin(request.headers.origin))
        return refuse(reply, refusal(403, 'A page of another origin'));
      const body = schema.safeParse(jsonOf(request));
      const answer = body.success ? action(body.data) : null;
      onChange();
      return answer === null ? refuse(reply, refusal(400, usage)) : send(reply, 200, answer);
    });
  };

/** Only a browser sends an origin; a page of this host has one of its addresses or the name localhost in it. */
const isOwnOrigin = (origin: string | undefined): boolean =>
  origin === undefined || /^http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(origin);

const jsonOf = ({ body }: FastifyRequest): unknown => {
  try {
    return JSON.parse(String(body));
  } catch {
    return undefined; // no JSON fits no schema
  }
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

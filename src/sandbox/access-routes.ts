// The routes under /__world that concern access: keys, embed tokens and second factors, which the service handles in ways
// that it does not document. They need no key.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type AccessContext, presentEntities } from './access/access.ts';
import { SCOPES } from './access/api-keys.ts';
import { embedToken } from './access/embed.ts';
import { currentCode, DELIVERIES, secondFactorOf, sendCode } from './access/second-factor.ts';
import type { Entity } from './entity.ts';
import type { Wire } from './wire-json.ts';
import { actionOn } from './world-routes.ts';

const scopes = z.array(z.enum(SCOPES));
const addresses = z.array(z.string().min(1)).nullable();

const newKey = z.strictObject({ scopes: scopes.default([...SCOPES]), addresses: addresses.default(null) });
const changedKey = z.strictObject({
  apiKey: z.string(),
  scopes: scopes.exactOptional(),
  addresses: addresses.exactOptional(),
});
const oldKey = z.strictObject({ apiKey: z.string() });
const someone = z.strictObject({ entity: z.string().default('main') });
const factor = z.strictObject({ entity: z.string().default('main'), delivery: z.enum(DELIVERIES) });

/** Adds the routes of keys, embed tokens and second factors. */
export const accessRoutes = (server: FastifyInstance, context: AccessContext): void => {
  const { keys, now } = context.access;
  const post = actionOn(server, () => {});
  const forEntity = (entityId: string, action: (entity: Entity) => Wire): Wire => {
    const entity = presentEntities(context).find((candidate) => candidate.entityId === entityId);
    return entity === undefined ? null : action(entity);
  };
  post('key', [newKey, 'key takes {"scopes":["read"],"addresses":["127.0.0.1"]}'], (terms) => {
    const { apiKey, apiSecret } = keys.create(terms);
    return { apiKey, apiSecret };
  });
  post(
    'key-change',
    [changedKey, 'key-change takes the apiKey of a key, and its new scopes or addresses'],
    ({ apiKey, ...terms }) => (keys.change(apiKey, terms) ? { apiKey } : null),
  );
  post('key-revoke', [oldKey, 'key-revoke takes the apiKey of a key'], ({ apiKey }) =>
    keys.revoke(apiKey) ? { apiKey } : null,
  );
  post('embed-token', [someone, 'embed-token takes {"entity":"…"}, an entity of the world'], ({ entity }) =>
    forEntity(entity, (user) => ({ accessToken: embedToken(context, user) })),
  );
  post('code', [someone, 'code takes {"entity":"main"}, an entity of the world'], ({ entity }) =>
    forEntity(entity, ({ userId }) => {
      const own = secondFactorOf(context.platform, userId);
      return { type: own.delivery, code: currentCode(own, now()), secret: own.secret };
    }),
  );
  post(
    'second-factor',
    [factor, 'second-factor takes {"entity":"main","delivery":"sms"}'],
    ({ entity, delivery }) =>
      forEntity(entity, ({ userId }) => {
        const own = secondFactorOf(context.platform, userId);
        own.delivery = delivery;
        sendCode(context.platform, own, now());
        return { type: delivery };
      }),
  );
};

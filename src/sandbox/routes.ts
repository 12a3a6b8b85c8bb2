// The routes: every operation of the contract, from credentials to the answer.
import { strict as assert } from 'node:assert';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { STREAMS } from '../base/streams.ts';
import { OPERATIONS } from '../gateway/contract/contract.ts';
import type { Operation } from '../gateway/contract/operation.ts';
import { type Access, admit, type Visitor } from './access/access.ts';
import { embeddedUser } from './access/embed.ts';
import { secondFactorOf, totpRefusal } from './access/second-factor.ts';
import { ANSWERS } from './answers.ts';
import { authorized, type webhookOf } from './authorization.ts';
import type { Entity } from './entity.ts';
import type { Faults } from './faults.ts';
import { anyPace, type Pace, paceOf } from './pace.ts';
import type { Platform } from './platform.ts';
import type { Answers, Question, SandboxAnswer } from './question.ts';
import { type Refusal, refusal, refuse, send } from './refusals.ts';
import { type Valid, validated } from './validation.ts';
import type { World } from './world.ts';

type RoutesOf = {
  readonly world: World;
  readonly platform: Platform;
  readonly access: Access;
  readonly faults: Faults;
  readonly webhook: ReturnType<typeof webhookOf> | null;
  /** Called with the entity of each admitted request. */
  readonly noteEntity: (request: FastifyRequest, entity: Entity) => void;
  /** Called after each request that may have changed something. */
  readonly onChange: () => void;
};

type Parts = RoutesOf & { readonly pace: Pace };

/** Adds a route for each operation. */
export const operationRoutes = (server: FastifyInstance, routes: RoutesOf): void => {
  const pace = routes.faults.has('per-second') ? paceOf(routes.access.now) : anyPace;
  const parts = { ...routes, pace };
  for (const operation of OPERATIONS) {
    const answer = ANSWERS[operation.name];
    assert(answer, `no answer to ${operation.name}`);
    server.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        const content = await answerTo(parts, { operation, answer }, request);
        if (operation.method !== 'GET') parts.onChange();
        return sendAnswer(reply, operation, content);
      },
    });
  }
};

const sendAnswer = (reply: FastifyReply, { status }: Operation, answer: SandboxAnswer): FastifyReply => {
  if ('statusCode' in answer) return refuse(reply, answer);
  if ('file' in answer) return reply.code(status).type(answer.type).send(Buffer.from(answer.file));
  return status === 204 ? reply.code(204).send() : send(reply, status, answer.data);
};

type Route = { readonly operation: Operation; readonly answer: Answers[string] };

/** Credentials first, then the schema, then the second factor; only then the answer, which may wait for a webhook. */
const answerTo = async (
  parts: Parts,
  { operation, answer }: Route,
  request: FastifyRequest,
): Promise<SandboxAnswer> => {
  const presented = presentedBy(request);
  const visitor = admit(parts, operation, presented);
  if (visitor !== null && 'statusCode' in visitor) return visitor;
  if (visitor !== null) parts.noteEntity(request, visitor.entity);
  const barred = barrier(parts, operation, visitor);
  if (barred !== null) return barred;
  const { params, query } = request;
  const valid = validated(operation, { params, query, headers: request.headers, body: presented.body });
  if ('statusCode' in valid) return valid;
  const entity = entityFor(parts, operation, { visitor, valid });
  if ('statusCode' in entity) return entity;
  const refused = secondFactor(parts, operation, { visitor, entity, request });
  if (refused !== null) return refused;
  const { world, faults } = parts;
  if (operation.name === 'trades' && faults.has('shifting-trades')) world.tradeNow?.(entity.entityId);
  const question = questionOf(parts, { visitor, entity, valid });
  const noteRefused = () => world.noteRefused?.(entity.entityId);
  return authorized((authorize) => answer({ ...question, authorize }), {
    webhook: parts.webhook,
    noteRefused,
  });
};

const presentedBy = ({ headers, raw, body, ip }: FastifyRequest) => ({
  headers,
  target: raw.url ?? '',
  body: body instanceof Uint8Array && body.length > 0 ? body : null,
  address: ip,
});

/** What stands in the way of an operation whatever is sent: faults, the key's scopes, the account's pace, a blocked operation. */
const barrier = (
  { faults, platform, pace }: Parts,
  operation: Operation,
  visitor: Visitor | null,
): Refusal | null => {
  const { name, scope } = operation;
  if (faults.names('forbid', name)) return refusal(403, 'Forbidden');
  if (faults.names('missing', name)) return refusal(404, 'Not found');
  if (scope !== null && visitor !== null && !visitor.scopes.includes(scope))
    return refusal(403, `The key lacks the scope ${scope}`);
  const refused = visitor === null ? null : pace(operation, visitor.entity.entityId);
  if (refused !== null) return refused;
  return platform.switches.has(`blocked:${name}`) ? refusal(423, 'The operation is blocked') : null;
};

type Admitted = { readonly visitor: Visitor | null; readonly valid: Valid };

/** The entity that a request is for; any for one that is public, because the answer does not depend on it. */
const entityFor = (parts: RoutesOf, { auth }: Operation, { visitor, valid }: Admitted): Entity | Refusal => {
  if (auth === 'embed-token') return embeddedUser(parts, valid.body);
  return visitor?.entity ?? (parts.world.entities[0] as Entity);
};

type Factor = {
  readonly visitor: Visitor | null;
  readonly entity: Entity;
  readonly request: FastifyRequest;
};

/** Whether a key withdraws without a code (A-SCOPES); a token counts as the key that it was obtained with. */
const bypassesFactor = (visitor: Visitor | null): boolean =>
  visitor !== null && visitor.apiKey !== null && visitor.scopes.includes('withdraw');

const secondFactor = (
  { platform, access }: RoutesOf,
  operation: Operation,
  { visitor, entity, request }: Factor,
): Refusal | null => {
  const [totp, totpType] = [request.headers['x-totp'], request.headers['x-totp-type']].map((header) =>
    typeof header === 'string' ? header : undefined,
  );
  const factor = secondFactorOf(platform, entity.userId);
  const isForced = platform.switches.has('force-second-factor') && !bypassesFactor(visitor);
  return totpRefusal(operation, { totp, totpType }, { factor, isForced, now: access.now() });
};

type AdmittedRequest = Admitted & { readonly entity: Entity };

const questionOf = (
  { world, platform, access, faults }: RoutesOf,
  { visitor, entity, valid }: AdmittedRequest,
): Omit<Question, 'authorize'> => ({
  world,
  platform,
  access,
  entity,
  visitor,
  isAnonymous: visitor === null,
  ...valid,
  tradesMax: faults.number('clamp', STREAMS.trades.pageMax),
});

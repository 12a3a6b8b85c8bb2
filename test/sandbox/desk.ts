// A desk at the stand-in without HTTP: operations are called by name, and checked against the contract both ways.
import { strict as assert } from 'node:assert';
import { parseExact } from '../../src/base/json.ts';
import { OPERATIONS } from '../../src/gateway/contract/contract.ts';
import { accessOf } from '../../src/sandbox/access/access.ts';
import { ANSWERS } from '../../src/sandbox/answers.ts';
import type { Authorize } from '../../src/sandbox/authorization.ts';
import { type Platform, platformOf } from '../../src/sandbox/platform.ts';
import type { Query } from '../../src/sandbox/question.ts';
import { type SandboxOptions, worldOf } from '../../src/sandbox/sandbox.ts';
import { writeJson } from '../../src/sandbox/wire-json.ts';
import type { World } from '../../src/sandbox/world.ts';
import type { Loose } from './asker.ts';

type Call = {
  readonly entity?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly isAnonymous?: boolean;
  readonly authorize?: Authorize;
};

/** The status and the body as a client reads it, with numbers as text. */
type Outcome = { readonly status: number; readonly body: Loose };

export type Desk = {
  readonly world: World;
  readonly platform: Platform;
  readonly call: (name: string, call?: Call) => Outcome;
};

const UNTIL = '2026-11-03T00:00:00.000Z';

/** A desk over a world, by default a seeded one of two entities. */
export const deskOf = (
  options: Partial<SandboxOptions> = {},
  world = worldOf({ seed: 21, until: UNTIL, days: 8, ...options }),
): Desk => {
  const platform = platformOf(options.seed ?? 21);
  const access = accessOf({ seed: 21, isStrict: false, tokenSeconds: 3600, now: world.now });
  const call: Desk['call'] = (
    name,
    { entity: entityId = 'main', query, params = {}, body, ...rest } = {},
  ) => {
    const operation = OPERATIONS.find((one) => one.name === name);
    assert(operation, `no operation ${name}`);
    const entity = world.entities.find((one) => one.entityId === entityId);
    assert(entity, `no entity ${entityId}`);
    const answer = ANSWERS[name]?.({
      world,
      platform,
      entity,
      access,
      visitor: null,
      isAnonymous: rest.isAnonymous ?? false,
      authorize: rest.authorize ?? (() => null),
      query: operation.query.parse(query ?? {}) as Query,
      params:
        operation.pathParts === undefined
          ? params
          : (operation.pathParts.parse(params) as Record<string, string>),
      body: operation.body?.parse(body),
      tradesMax: 50,
    });
    assert(answer, `no answer to ${name}`);
    if ('statusCode' in answer)
      return { status: answer.statusCode, body: parseExact(writeJson(answer.body)) };
    if (operation.status === 204) return { status: 204, body: null };
    assert('data' in answer, `${name} answers a file`);
    const read = parseExact(writeJson(answer.data));
    operation.answer.parse(read);
    return { status: 200, body: read };
  };
  return { world, platform, call };
};

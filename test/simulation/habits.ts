// The bad habits of a seed's gateway, added to the stand-in as hooks: limits reduced without an error, a wrong
// order, wrong counts, invalid cursors. The stand-in itself stays strict.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WireObject } from '../../src/sandbox/wire-json.ts';
import { writeJson } from '../../src/sandbox/wire-json.ts';
import type { List, SimWorld } from './life.ts';
import type { Plan } from './plan.ts';
import { walletPage } from './wallet-list.ts';

export type Habits = {
  /** The last nights are calm: temporary faults are over. */
  calm: boolean;
};

type Query = Record<string, string | undefined>;

const WALLET = '/v3/wallet/transaction';
const ONE = '/v1/wallet/transaction/';
const MOVEMENTS = '/v1/trading/movement';
const EARN = '/v1/earn/wallets/';
const TRADES = '/v1/trading/trade';

/** Gives a server, not listening yet, the habits of a plan. */
export const spoil = (server: FastifyInstance, world: SimWorld): Habits => {
  const habits: Habits = { calm: false };
  const cursors = cursorHabits(world, habits);
  const counts = countHabits(world.plan, habits);
  server.addHook('preHandler', async (request: FastifyRequest, reply: FastifyReply) => {
    const target = request.raw.url ?? '';
    const list = listAsked(target);
    if (list !== null) world.boundary(list);
    const query = request.query as Query;
    if (target.startsWith(TRADES) && world.plan.isSortIgnored) query.direction = 'desc';
    if (target.startsWith(EARN)) clamp(query, world.plan.earnMax);
    if (!target.startsWith(WALLET)) return undefined;
    return cursors(query, reply);
  });
  server.addHook('onSend', async (request, _, payload: unknown) => {
    const target = request.raw.url ?? '';
    const isCounted = target.startsWith(TRADES) || (target.startsWith(EARN) && target.includes('/movements'));
    return isCounted && typeof payload === 'string' ? counts(payload, target.split('?')[0] ?? '') : payload;
  });
  return habits;
};

/** The list in a request target; null for readings of balances. */
const listAsked = (target: string): List | null => {
  const [path = ''] = target.split('?');
  if (path === MOVEMENTS) return { stream: 'movements', scope: '' };
  if (path === TRADES) return { stream: 'trades', scope: '' };
  if (path.startsWith(WALLET) || path.startsWith(ONE)) return { stream: 'wallet-transactions', scope: '' };
  const wallet = path.startsWith(EARN) ? path.slice(EARN.length).split('/')[0] : undefined;
  return wallet === undefined ? null : { stream: 'earn-movements', scope: wallet };
};

const clamp = (query: Query, most: number): void => {
  if (query.limit !== undefined && Number.parseInt(query.limit, 10) > most) query.limit = String(most);
};

/** The count of every nth answer is off by one; one of its two names may be missing. */
const countHabits = ({ countTrouble: trouble }: Plan, habits: Habits) => {
  const counts = new Map<string, number>();
  return (payload: string, path: string): string =>
    payload.replace(/^\{"total":(\d+)(?:,"count":\d+)?/, (_, digits: string) => {
      const nth = (counts.get(path) ?? 0) + 1;
      counts.set(path, nth);
      const isOff = trouble.isForever || (!habits.calm && nth % trouble.every === 0);
      const count = Math.max(0, Number.parseInt(digits, 10) + (isOff ? trouble.off : 0));
      if (trouble.name === 'both') return `{"total":${count},"count":${count}`;
      return `{"${trouble.name}":${count}`;
    });
};

/** Answers every request of the wallet list, with the habits. */
const cursorHabits = (world: SimWorld, habits: Habits) => {
  const { cursorTrouble: trouble } = world.plan;
  let nth = 0;
  return ({ cursor, limit = '20' }: Query, reply: FastifyReply): FastifyReply => {
    if (cursor !== undefined) nth += 1;
    const isOn = trouble?.isForever ? nth >= trouble.nth : nth === trouble?.nth && !habits.calm;
    const kind = cursor !== undefined && isOn ? trouble?.kind : null;
    if (kind === 'refused-400') return send(reply, 400, REFUSED);
    if (kind === 'refused-404') return send(reply, 404, REFUSED);
    if (kind === 'repeated') return send(reply, 200, page([], true, cursor ?? null));
    if (kind === 'empty-and-more') return send(reply, 200, page([], true, 'bm93aGVyZQ=='));
    const found = walletPage(world, { cursor, limit: Number.parseInt(limit, 10) });
    if (found === null) return send(reply, 400, REFUSED);
    if (kind === 'more-without-cursor') return send(reply, 200, page(found.rows, true, null));
    return send(reply, 200, page(found.rows, found.next !== null, found.next));
  };
};

const REFUSED: WireObject = { message: 'Invalid cursor', error: 'Bad Request', statusCode: 400, data: {} };

const page = (rows: readonly WireObject[], hasNextPage: boolean, endCursor: string | null): WireObject => ({
  data: rows,
  pageInfo: { hasNextPage, endCursor },
});

const send = (reply: FastifyReply, status: number, body: WireObject): FastifyReply =>
  reply.code(status).type('application/json; charset=utf-8').send(writeJson(body));

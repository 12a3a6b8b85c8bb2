// Whether an entity is to be read: the gateway knows it, and does not answer for it as for a user whose books exist.
import { sql } from 'kysely';
import { storable } from '../src/base/json.ts';
import type { ReadGateway } from '../src/gateway/client.ts';
import { CONTRACT, type WireRow } from '../src/gateway/contract/contract.ts';
import type { ReadOperation } from '../src/gateway/contract/operation.ts';
import type { Failure } from '../src/gateway/errors.ts';
import { GatewayError } from '../src/gateway/gateway.ts';
import { bookedEntities, report } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';
import type { Entity } from './entities.ts';

/** One of these operations succeeds for every existing account, whatever products it has. */
const PROBES: readonly ReadOperation<{ rows: WireRow[] }>[] = [
  CONTRACT.trading.balance,
  CONTRACT.wallet.pockets,
  CONTRACT.earn.wallets,
];
const UNKNOWN: readonly Failure[] = ['refused', 'missing', 'invalid'];

/**
 * Whether the gateway knows an entity: it has books, is listed, or one probe succeeds. An unknown one is a finding of the
 * main account, and nothing is stored under its own name. So is a new one for which the gateway answers as for other books:
 * a gateway that ignores the id would have everything counted twice. Throws GatewayError for failures that may pass.
 */
export const isKnownEntity = async (work: Work, gateway: ReadGateway, entity: Entity): Promise<boolean> => {
  const { id, subaccount, isListed = false } = entity;
  if (subaccount === undefined || (await bookedEntities(work)).includes(id)) return true;
  const { user, isAnswered } = await probe(gateway, { ...entity, subaccount });
  const other = user === null ? null : await booksOf(work, user);
  if (other !== null) await reportTwin(work, id, { user, other });
  if (isAnswered || isListed) return other === null;
  const detail = `GATEWAY_ENTITIES names ${id}, which the gateway does not know for this key, so it was not read: correct or remove the name`;
  await report(work.db, work.run, { entity: work.config.entity, subject: 'entities', detail });
  return false;
};

type Probed = { readonly user: string | null; readonly isAnswered: boolean };

/** The user as whom the gateway answers for a subaccount, if any list of balances names one. */
const probe = async (gateway: ReadGateway, entity: Entity & { subaccount: string }): Promise<Probed> => {
  let isAnswered = false;
  for (const operation of PROBES) {
    const rows = await probedRows(gateway, operation, entity);
    isAnswered ||= rows !== null;
    const user = rows?.map(({ userId }) => userId).find((id) => typeof id === 'string' && id !== '');
    if (typeof user === 'string') return { user: storable(user), isAnswered };
  }
  return { user: null, isAnswered };
};

/** Null if the gateway does not know the subaccount, or lists it: then its reading meets the same failure, and reports it. */
const probedRows = async (
  gateway: ReadGateway,
  operation: ReadOperation<{ rows: WireRow[] }>,
  { subaccount, isListed = false }: Entity & { subaccount: string },
): Promise<WireRow[] | null> => {
  try {
    return (await gateway.call(operation, { subaccount })).page.rows;
  } catch (error) {
    if (error instanceof GatewayError && (isListed || UNKNOWN.includes(error.failure))) return null;
    throw error;
  }
};

const booksOf = async ({ db }: Work, user: string): Promise<string | null> => {
  const { rows } = await sql<{ entity: string }>`
    select entity_id as entity from run.entities where gateway_user_id = ${user} order by 1 limit 1`.execute(
    db,
  );
  return rows[0]?.entity ?? null;
};

/** A list of subaccounts that names the account itself hides nothing. */
const reportTwin = (work: Work, id: string, { user, other }: { user: string | null; other: string }) =>
  report(work.db, work.run, {
    entity: work.config.entity,
    severity: id === user ? 'note' : 'finding',
    subject: 'subaccounts',
    detail:
      `the gateway answers for ${id} as user ${user}, whose books are ${other}: it is not read, because everything would count twice; ` +
      'ask the platform which id X-SUBACCOUNT-ID takes, and name it in GATEWAY_ENTITIES',
  });

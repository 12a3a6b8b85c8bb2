// The fence: how a run's Kysely talks to a pool. Everything that writes does so in a transaction that begins by holding the
// run's right to write, so that a run that a later one has replaced cannot commit another row. Single statements too.
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { FailedError } from '../base/errors.ts';

/** The run that writes: its number in run.runs, and what ends it before its time. */
export type Fence = { readonly runNumber: string; readonly signal?: AbortSignal | undefined };

type Client = {
  query(
    text: string,
    values: unknown[],
  ): Promise<{ command: string; rowCount: number | null; rows: unknown[] }>;
  release(error?: Error): void;
};
type Pool = { connect(): Promise<Client>; end(): Promise<void> };

/** A client on loan; `isOpen` while a transaction is. */
type Loan = DatabaseConnection & { readonly client: Client; isOpen: boolean };

/** Raised by run.hold. */
const REPLACED = '55T01';

/** What may run outside a transaction: sessions read by default, so that a SELECT that writes is refused there. */
const READS = /^\s*(select|values|table|show)\b/i;

const WRITING = /^(INSERT|UPDATE|DELETE|MERGE)$/;

/** A dialect over a pool whose sessions read unless a transaction says otherwise; the fence guards those that do. */
export const fencedDialect = (pool: Pool, fence: Fence): Dialect => dialectOf(() => driverOf(pool, fence));

const dialectOf = (createDriver: () => Driver): Dialect => ({
  createDriver,
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
});

const driverOf = (pool: Pool, fence: Fence): Driver => ({
  init: async () => {},
  acquireConnection: async () => lend(await pool.connect(), fence),
  beginTransaction: (loan, settings) => begin(loan as Loan, settings, fence),
  commitTransaction: (loan) => end(loan as Loan, 'commit'),
  rollbackTransaction: (loan) => end(loan as Loan, 'rollback'),
  releaseConnection: async (loan) => (loan as Loan).client.release(),
  destroy: () => pool.end(),
});

const lend = (client: Client, fence: Fence): Loan => {
  const loan: Loan = {
    client,
    isOpen: false,
    executeQuery: async <R>(query: CompiledQuery) =>
      (await (loan.isOpen || READS.test(query.sql)
        ? ask(client, query)
        : alone(loan, query, fence))) as QueryResult<R>,
    streamQuery: () => {
      throw new Error('results are read whole, or through a snapshot');
    },
  };
  return loan;
};

const ask = async (client: Client, { sql, parameters }: CompiledQuery): Promise<QueryResult<unknown>> => {
  const { command, rowCount, rows } = await client.query(sql, [...parameters]);
  return { rows: rows ?? [], ...(WRITING.test(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) };
};

/** One statement as a transaction of its own. */
const alone = async (loan: Loan, query: CompiledQuery, fence: Fence): Promise<QueryResult<unknown>> => {
  await begin(loan, {}, fence);
  try {
    const result = await ask(loan.client, query);
    await end(loan, 'commit');
    return result;
  } catch (error) {
    await end(loan, 'rollback').catch(() => {}); // the statement's own error is the one to report
    throw error;
  }
};

/** Begins and holds the right to write, in one round trip. */
const begin = async (loan: Loan, settings: TransactionSettings, fence: Fence): Promise<void> => {
  if ((settings.isolationLevel ?? 'read committed') !== 'read committed')
    throw new Error('a transaction that writes reads what is committed, as run.hold must');
  fence.signal?.throwIfAborted();
  loan.isOpen = true;
  try {
    await ask(
      loan.client,
      CompiledQuery.raw(`begin read write; select run.hold(${BigInt(fence.runNumber)})`),
    );
  } catch (error) {
    await end(loan, 'rollback').catch(() => {}); // a connection that is gone has rolled back
    if ((error as { code?: unknown }).code !== REPLACED) throw error;
    throw new FailedError(
      'a later run has taken over these books: this run stopped and rolled back its unfinished work',
    );
  }
};

/** Postgres answers the commit of a transaction in which a statement failed with a rollback, and with no error. */
const end = async (loan: Loan, how: 'commit' | 'rollback'): Promise<void> => {
  loan.isOpen = false;
  const { command } = await loan.client.query(how, []);
  if (command !== how.toUpperCase())
    throw new Error('a statement of this transaction failed, and what followed went on as if it had not');
};

/**
 * Lends one transaction to `use`, all of which is done or nothing: transactions begun in it are parts of it, and one that
 * is rolled back ends it all.
 */
export const inOne = async <T>(
  pool: Pool,
  fence: Fence,
  use: (dialect: Dialect) => Promise<T>,
): Promise<T> => {
  const loan = lend(await pool.connect(), fence);
  let hasFailed = false;
  const part = async () => {};
  const driver: Driver = {
    init: part,
    acquireConnection: async () => loan,
    releaseConnection: part,
    destroy: part,
    beginTransaction: part,
    commitTransaction: part,
    rollbackTransaction: async () => {
      hasFailed = true;
    },
  };
  try {
    await begin(loan, {}, fence);
    const result = await use(dialectOf(() => driver));
    if (hasFailed) throw new Error('a part of this transaction failed, and the rest went on');
    await end(loan, 'commit');
    return result;
  } catch (error) {
    if (loan.isOpen) await end(loan, 'rollback').catch(() => {}); // a connection that is gone has rolled back
    throw error;
  } finally {
    loan.client.release();
  }
};

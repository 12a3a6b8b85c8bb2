// The fence between a run's Kysely and its pool. Every write is in a transaction that first checks and holds the run's
// right to write, so a run that a later one has replaced cannot commit another row. This includes single statements.
// Whether the session with the run's lock is still there is checked again with the commit.
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

/**
 * The run that writes: its number in run.runs, the server's process id of the session with its lock, if it has one, and the signal that
 * cancels it.
 */
export type Fence = {
  readonly runNumber: string;
  readonly holder?: number;
  readonly signal?: AbortSignal | undefined;
};

type Client = {
  query(
    text: string,
    values: unknown[],
  ): Promise<{ command: string; rowCount: number | null; rows: unknown[] }>;
  release(error?: Error): void;
};
type Pool = { connect(): Promise<Client>; end(): Promise<void> };

/** A borrowed client; `isOpen` while it is in a transaction. */
type Loan = DatabaseConnection & { readonly client: Client; isOpen: boolean };

/** A run's session with its lock has ended: another process may have its part of the books by now. */
export class LockLost extends FailedError {
  constructor() {
    super('the run stopped because the database session with its writer lock ended: run again');
  }
}

/** A later run has the books. */
export const taken = (): FailedError =>
  new FailedError(
    'a later run has taken over these books: this run stopped and rolled back its unfinished work',
  );

/** What the SQLSTATEs mean that a begin or a commit may end with: those of run.hold, and that of a transaction with a failed statement. */
const REFUSALS: Readonly<Record<string, () => Error>> = {
  '55T01': taken,
  '55T02': () => new LockLost(),
  '25P02': () =>
    new Error('a statement of this transaction failed, and what followed went on as if it had not'),
};

/**
 * Statements that may run outside a transaction: sessions are read-only by default, so a SELECT that writes is refused
 * there.
 */
const READS = /^(?:\s|--[^\n]*\n)*(select|values|table|show)\b/i;

const WRITING = /^(INSERT|UPDATE|DELETE|MERGE)$/;

/**
 * A dialect over a pool whose sessions are read-only unless a transaction says otherwise; the fence guards those that
 * write.
 */
export const fencedDialect = (pool: Pool, fence: Fence): Dialect => dialectOf(() => driverOf(pool, fence));

const dialectOf = (createDriver: () => Driver): Dialect => ({
  createDriver,
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
});

const driverOf = (pool: Pool, fence: Fence): Driver => ({
  init: async () => {},
  acquireConnection: async () => borrowConnection(await pool.connect(), fence),
  beginTransaction: (loan, settings) => begin(loan as Loan, settings, fence),
  commitTransaction: (loan) => commit(loan as Loan, fence),
  rollbackTransaction: (loan) => rollBack(loan as Loan),
  releaseConnection: async (loan) => (loan as Loan).client.release(),
  destroy: () => pool.end(),
});

const borrowConnection = (client: Client, fence: Fence): Loan => {
  const loan: Loan = {
    client,
    isOpen: false,
    executeQuery: async <R>(query: CompiledQuery) =>
      (await (loan.isOpen || READS.test(query.sql)
        ? runQuery(client, query)
        : alone(loan, query, fence))) as QueryResult<R>,
    streamQuery: () => {
      throw new Error('results are read whole, or through a snapshot');
    },
  };
  return loan;
};

const runQuery = async (
  client: Client,
  { sql, parameters }: CompiledQuery,
): Promise<QueryResult<unknown>> => {
  const { command, rowCount, rows } = await client.query(sql, [...parameters]);
  return { rows: rows ?? [], ...(WRITING.test(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) };
};

const alone = async (loan: Loan, query: CompiledQuery, fence: Fence): Promise<QueryResult<unknown>> => {
  await begin(loan, {}, fence);
  try {
    const result = await runQuery(loan.client, query);
    await commit(loan, fence);
    return result;
  } catch (error) {
    await rollBack(loan).catch(() => {}); // report the statement's own error
    throw error;
  }
};

const holdOf = ({ runNumber, holder }: Fence): string =>
  [BigInt(runNumber), ...(holder === undefined ? [] : [holder])].join(', ');

/** Begins a transaction and holds the right to write, in one round trip. */
const begin = async (loan: Loan, settings: TransactionSettings, fence: Fence): Promise<void> => {
  if ((settings.isolationLevel ?? 'read committed') !== 'read committed')
    throw new Error('a transaction that writes reads what is committed, as run.hold must');
  fence.signal?.throwIfAborted();
  loan.isOpen = true;
  try {
    await runQuery(loan.client, CompiledQuery.raw(`begin read write; select run.hold(${holdOf(fence)})`));
  } catch (error) {
    await rollBack(loan).catch(() => {}); // a lost connection has already rolled back
    throw refusalOf(error);
  }
};

/**
 * Commits, unless the session with the run's lock has ended since the transaction began; in one round trip. A later run waits for the
 * transaction, so only the lock can be lost meanwhile: to another process of the same run.
 */
const commit = async (loan: Loan, fence: Fence): Promise<void> => {
  const hold = fence.holder === undefined ? '' : `run.hold(${holdOf(fence)})`; // an empty select too fails after a failed statement
  try {
    await loan.client.query(`select ${hold}; commit`, []);
    loan.isOpen = false;
  } catch (error) {
    throw refusalOf(error);
  }
};

const rollBack = async (loan: Loan): Promise<void> => {
  loan.isOpen = false;
  await loan.client.query('rollback', []);
};

const refusalOf = (error: unknown): unknown =>
  REFUSALS[String((error as { code?: unknown }).code)]?.() ?? error;

/**
 * Runs `use` in one transaction that is committed whole or not at all. Transactions begun inside are part of it, and a
 * rollback of one ends it all.
 */
export const inOne = async <T>(
  pool: Pool,
  fence: Fence,
  use: (dialect: Dialect) => Promise<T>,
): Promise<T> => {
  const loan = borrowConnection(await pool.connect(), fence);
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
    await commit(loan, fence);
    return result;
  } catch (error) {
    if (loan.isOpen) await rollBack(loan).catch(() => {}); // a lost connection has already rolled back
    throw error;
  } finally {
    loan.client.release();
  }
};

// The database room: connections, rows in and out, SQL files and the lock of the writer. schema.ts is its other public module.

export { RefusedChallenge } from './client.ts';
export {
  codeOf,
  enterReader,
  inSession,
  openBeside,
  openReader,
  openSession,
  POOL_MAX,
  placeOf,
  reasonOf,
  wholly,
  writerOf,
} from './connection.ts';
export { type Cell, type Column, copiedRows, type RowBatch } from './copied.ts';
export { copyBatch } from './copy.ts';
export { OversizedPage, readPages } from './cursor.ts';
export { LockLost, taken } from './fence.ts';
export { insertOfColumns, insertRows } from './insert.ts';
export { type DatabaseFailure, databaseFailure, isConnectionLost } from './lost.ts';
export { type Numbered, numbersWritten } from './numbered.ts';
export { commitSurely, outcomeOf, transactionId } from './outcome.ts';
export { bindSql, loadSql, parseParameters, readRows, readSql, sqlPaths } from './sql.ts';
export { renewStatistics } from './statistics.ts';
export { inTurn, type Turns } from './turns.ts';
export { unnest } from './unnest.ts';
export { BOOLEAN, instantText, TIMESTAMPTZ } from './values.ts';
export { ALIVE, joinBooks, lockBooks, lockSchema, showAlive, type WriterLock } from './writer-lock.ts';

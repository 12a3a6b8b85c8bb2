// The inbox must hold exactly the landed versions without an outcome: an extra one would stop a night, a missing one would
// be skipped. No outcome may exist for a version that never landed.
import type { Kysely } from 'kysely';
import { loadSql, readRows } from '../../database/database.ts';
import type { DB } from '../../database/db-types.ts';
import type { Proof } from '../proof.ts';

export const proveInbox = async (db: Kysely<DB>): Promise<Proof> => {
  const rows = await readRows<Omit<Proof, 'proof'>>(db, loadSql('proofs/inbox.sql'));
  return {
    proof: 'the inbox holds exactly the versions without an outcome',
    ...(rows[0] ?? { checked: '0', faults: '0', first: null }),
  };
};

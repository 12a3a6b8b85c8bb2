// Personal fields: each that a landed payload has a commitment for is stored as landed, or an erasure took it. The approver's role erases people,
// and so may delete the fields that a hold keeps. The loader may not read them: the owner asks.
import { parseExact } from '../../base/json.ts';
import { LANDED_NAMES } from '../../base/streams.ts';
import type { Session } from '../../database/client.ts';
import type { Stopping } from '../../database/connection.ts';
import { inSession, loadSql, readPages } from '../../database/database.ts';
import { committed, type Person, seal } from '../../privacy/people.ts';
import { type Proof, proofOf } from '../proof.ts';

/** A payload is as large as what the gateway sent. */
const PAGE = { rows: 200, bytesMax: 400_000_000 };

export const provePersonalFields = (ownerUrl: string, stopping: Stopping = {}): Promise<Proof> =>
  inSession(ownerUrl, 'tieout verify', readProof, stopping);

const readProof = async (session: Session): Promise<Proof> => {
  const proof = proofOf('personal fields are as landed, or were erased');
  for await (const { rows } of readPages(session, loadSql('proofs/personal_fields.sql'), PAGE))
    for (const row of rows) proof.check(faultOf(row));
  return proof.done();
};

type FieldsRow = readonly (string | null)[];

const faultOf = ([entity, stream, record, version, payload, fields, key]: FieldsRow): string | null => {
  const stored = new Map(parseExact(fields ?? '[]') as [path: string, value: string][]);
  for (const { path, value } of commitmentsIn(payload ?? '', stream)) {
    const field = `${stream} ${record} of ${entity}: ${path} of version ${version}`;
    const text = stored.get(path);
    if (text === undefined) return `${field} was deleted, and no erasure names the record`;
    if (typeof key === 'string' && committed(text, Buffer.from(key, 'hex')) !== parseExact(value))
      return `${field} was altered: its value is not the one that its record commits to`;
  }
  return null;
};

/**
 * A payload's commitments, as JSON text: sealed again, it has the same ones. Text of somebody else that looks like a commitment
 * is none of them. A payload that is not JSON was altered since, which other proofs name.
 */
const commitmentsIn = (payload: string, stream: FieldsRow[number] | undefined): readonly Person[] => {
  const landedStream = LANDED_NAMES.find((name) => name === stream);
  return seal(readPayload(payload), NO_KEY, landedStream).people.filter(({ value }) =>
    COMMITMENT.test(value),
  );
};

const readPayload = (payload: string): unknown => {
  try {
    return parseExact(payload);
  } catch {
    return null;
  }
};

const NO_KEY = Buffer.alloc(0);
const COMMITMENT = /^"personal:[0-9a-f]{64}"$/;

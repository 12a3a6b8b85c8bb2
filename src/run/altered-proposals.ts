// Proposals are read again by every command that values, closes or exports, and only the owner of the database can alter one. A command
// that meets a content which cannot be read any more names the proposal, not the words of the parser.
import { sql } from 'kysely';
import { FailedError, InterruptedError, messageOf, UsageError } from '../base/errors.ts';
import { parseExact } from '../base/json.ts';
import { codeOf, databaseFailure, openReader } from '../database/database.ts';
import { isAltered, type StoredProposal } from './stored-proposal.ts';

/** The class of SQLSTATE: text that is no number, no instant, no JSON. */
const DATA_EXCEPTION = '22';

const isKnown = (error: unknown): boolean =>
  error instanceof UsageError || error instanceof FailedError || error instanceof InterruptedError;

/**
 * Whether a text that cannot be read may have caused the error: a statement says so by its class, and a parser has no code. A lost
 * database has none either, and would only be asked in vain.
 */
const isUnread = (error: unknown): boolean => {
  const code = codeOf(error);
  if (isKnown(error) || databaseFailure(error) !== null) return false;
  return code === '' || code.startsWith(DATA_EXCEPTION);
};

/** Of the mistakes in a query of a person, only this one may come from a view of ours. */
const isOfJson = (cause: unknown): boolean => cause instanceof Error && / for type json/.test(cause.message);

/** The error that names a proposal which was altered, if a text that cannot be read caused this one; any other as it is. */
export const namingAltered = async (url: string, error: unknown): Promise<unknown> => {
  const cause = error instanceof UsageError && isOfJson(error.cause) ? error.cause : error;
  if (!isUnread(cause)) return error;
  const [first, ...others] = await alteredProposals(url).catch(() => []); // what failed first is the reason
  if (!first) return error;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return new FailedError(
    `the content of proposal ${first.proposal_id} of ${first.entity_id}${more} was altered in the database and cannot be read (${messageOf(cause)}): restore a dump from before that into an empty database, or let the owner of the database write the content back; npx tieout verify ledger names what else was altered`,
    { cause },
  );
};

/** The proposals that are not what was prepared, also if the digest and the id were written anew over a content that nobody can read. */
const alteredProposals = async (url: string): Promise<readonly StoredProposal[]> => {
  const database = openReader(url);
  try {
    const { rows } = await sql<StoredProposal>`
      select entity_id, proposal_id, content, content_sha256, reason, evidence_sha256, prepared_by
      from decide.proposals order by prepared_at, entity_id, proposal_id`.execute(database.db);
    return rows.filter((row) => isAltered(row) || !isReadable(row.content));
  } finally {
    await database.close();
  }
};

const isReadable = (content: string): boolean => {
  try {
    return parseExact(content) instanceof Object;
  } catch {
    return false;
  }
};

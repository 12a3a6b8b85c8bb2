// A statement of which nothing more is heard. Its answer may be lost on a way that stays open, as through a proxy whose other side is gone:
// pg would wait for it for ever. A time limit would also end a long statement, so the server is asked, on another session.
import type { Socket } from 'node:net';
import pg from 'pg';

type LookLimits = {
  readonly lookMs: number;
  /** So long a session has been idle before its answer counts as lost: one that has just been sent is on its way. */
  readonly settledSeconds: number;
};
const LIMITS: LookLimits = { lookMs: 60_000, settledSeconds: 30 };

/** So many looks in a row must find the answer lost: a proxy may lead a look to another server. */
const LOST_LOOKS = 5;
/** So many looks may find nothing out, as behind a pooler: then a day has passed. */
const SILENT_LOOKS = 1_440;

/** What pg's types leave out: whether the session has answered every statement, its socket, and the server's process of it. */
type Inner = {
  readonly readyForQuery?: boolean;
  readonly connection: { readonly stream: Socket };
  readonly processID: number;
};
const innerOf = (client: pg.Client): Inner => client as unknown as Inner;

/** Ends a session whose answer is lost, as one whose connection is. `open` makes a client of the same server for a look. */
export const watchAnswers = (client: pg.Client, open: () => pg.Client, limits = LIMITS): void => {
  client.once('connect', () => {
    let moved = -1;
    let [silent, lost, isLooking] = [0, 0, false];
    const look = async (): Promise<void> => {
      const { readyForQuery = false, connection } = innerOf(client);
      const { bytesRead, bytesWritten } = connection.stream;
      const isSilent = !readyForQuery && bytesRead + bytesWritten === moved;
      moved = bytesRead + bytesWritten;
      silent = isSilent ? silent + 1 : 0;
      lost = silent > 0 && (await isLost(client, open(), limits)) ? lost + 1 : 0;
      if (lost >= LOST_LOOKS || silent >= SILENT_LOOKS)
        connection.stream.destroy(new Error(`Connection terminated: ${WHY}`));
    };
    const timer = setInterval(() => {
      if (isLooking) return;
      isLooking = true;
      void look().finally(() => {
        isLooking = false;
      });
    }, limits.lookMs).unref();
    client.once('end', () => clearInterval(timer));
  });
};

const WHY = 'nothing more arrives, and the database does not work on the statement';

/** Its state in the eyes of the server. `own` is the process of the session that looks. */
const LOOK = `
  select pg_backend_pid() as own, a.pid, a.state, a.wait_event,
    a.state_change < clock_timestamp() - make_interval(secs => $2) as is_settled
  from (select) as one left join pg_stat_activity a on a.pid = $1`;

type Seen = {
  readonly own: number;
  readonly pid: number | null;
  readonly state: string | null;
  readonly wait_event: string | null;
  readonly is_settled: boolean | null;
};

/** Whether the server has no such statement at work, or cannot be reached. */
const isLost = async (
  client: pg.Client,
  other: pg.Client,
  { settledSeconds }: LookLimits,
): Promise<boolean> => {
  other.on('error', () => {}); // the query or the connection fails with it
  const { processID, connection } = innerOf(client);
  try {
    await other.connect();
    const [seen] = (await other.query<Seen>(LOOK, [processID, settledSeconds])).rows;
    if (seen === undefined || seen.own !== innerOf(other).processID) return false; // a pooler gives processes of its own
    return isGone(seen, connection.stream.isPaused());
  } catch (error) {
    return !(error instanceof pg.DatabaseError); // the server's own error is an answer, such as that of too many sessions
  } finally {
    await other.end().catch(() => {});
  }
};

/** A session that waits for us may wait for the reader of a cursor. One that cannot send waits for a way that takes nothing. */
const isGone = ({ pid, state, wait_event, is_settled }: Seen, isPaused: boolean): boolean => {
  if (pid === null) return true;
  if (!is_settled || state === null) return false;
  return state.startsWith('idle') || (state === 'active' && wait_event === 'ClientWrite' && !isPaused);
};

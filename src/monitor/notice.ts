// The notice after a run: TIEOUT_ON_FINISH, a program or an http(s) address, learns how the run ended. Its failure is a
// warning and never changes how the run ended.
import { Agent, request } from 'undici';
import { SECOND_MS } from '../base/time.ts';
import type { ChildOutcome } from '../config/child.ts';
import { isHttpAddress, lastLines, noticeVariables, runChild } from '../config/config.ts';
import type { Stopping } from '../database/connection.ts';

/** How a run ended, as the program or the address receives it. */
export type Notice = {
  readonly job: string;
  readonly outcome: 'success' | 'findings' | 'failure';
  readonly exit_code: number;
  readonly summary: string;
  readonly started_at: string;
  readonly finished_at: string;
  /** The verdict of each entity; absent if the run failed as a whole. */
  readonly entities?: readonly object[];
};

const PROGRAM_MS = 30_000;
/** Once a signal has stopped this process: supervisors such as Kubernetes kill it 30 seconds after the signal. */
const STOPPING_MS = 10_000;
/** A program with a longer variable cannot be started (128 kB on Linux). The JSON is whole. */
const VARIABLE_LENGTH_MAX = 10_000;
const REQUEST_MS = 10_000;

/** Delivers a notice. Returns why that failed, or null; no text contains the address, which may hold a token. */
export const deliver = async (
  target: string,
  notice: Notice,
  { signal }: Stopping = {},
): Promise<string | null> =>
  isHttpAddress(target) ? postNotice(target, notice) : runProgram(target, notice, signal);

/** Starts the program without a shell: its words are separated by spaces. */
const runProgram = async (
  line: string,
  notice: Notice,
  signal: AbortSignal | undefined,
): Promise<string | null> => {
  const [file = '', ...args] = line.trim().split(/\s+/);
  const variables = Object.entries(noticeVariables) as [keyof typeof noticeVariables, string][];
  const outcome = await runChild(file, args, {
    env: Object.fromEntries(
      variables.map(([fact, name]) => [name, String(notice[fact]).slice(0, VARIABLE_LENGTH_MAX)]),
    ),
    input: `${JSON.stringify(notice)}\n`,
    timeoutMs: PROGRAM_MS,
    stopping: { signal, withinMs: STOPPING_MS },
  });
  const limit = signal?.aborted
    ? `the ${STOPPING_MS / SECOND_MS} s that it has when a signal stops tieout`
    : `${PROGRAM_MS / SECOND_MS} s`;
  const failure = programFailure(outcome, limit);
  return failure === null ? null : `the program of TIEOUT_ON_FINISH ${failure}`;
};

/** What is wrong with how a program ended; null if it exited with 0 in time. */
const programFailure = (
  { code, startError, isOverdue, output }: ChildOutcome,
  limit: string,
): string | null => {
  if (startError !== null)
    return `cannot be started (${startError}): check its path, its permissions and its interpreter`;
  const printed = lastLines(output, 1) || 'it printed nothing';
  if (code !== null && code !== 0) return `exited with ${code}: ${printed}`;
  if (isOverdue && code === 0)
    return `exited with 0, but what it started held its output open until it was killed after ${limit}: redirect the output of background processes`;
  if (isOverdue) return `was killed after ${limit}: ${printed}`;
  return code === 0 ? null : `was ended by a signal: ${printed}`;
};

/** An answer that is no HTTP, and a connection that the other side closed before it answered. */
const NO_HTTP = /^HTTPParserError$|^HPE_|^UND_ERR_SOCKET$/;

/** One request without redirects, and without keeping the socket. */
const postNotice = async (address: string, notice: Notice): Promise<string | null> => {
  const agent = new Agent({ connect: { rejectUnauthorized: true, timeout: REQUEST_MS } });
  try {
    const { statusCode, body } = await request(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'tieout' },
      body: JSON.stringify(notice),
      signal: AbortSignal.timeout(REQUEST_MS),
      dispatcher: agent,
    });
    await body.dump();
    return statusCode < 300 ? null : `the address of TIEOUT_ON_FINISH answers ${statusCode}`;
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    if (name === 'TimeoutError')
      return `the address of TIEOUT_ON_FINISH did not answer within ${REQUEST_MS / SECOND_MS} s`;
    const reason = code ?? name;
    const failure = NO_HTTP.test(reason) ? 'does not answer as HTTP' : 'cannot be reached';
    return `the address of TIEOUT_ON_FINISH ${failure} (${reason})`;
  } finally {
    await agent.destroy();
  }
};

// How a command runs a job: its progress, its summary and its exit code.
import { type Command, Option } from 'commander';
import type { Config } from '../config/environment.ts';
import type { Tell } from '../run/events.ts';
import { withRun } from '../run/run.ts';
import type { Result, Work } from '../run/work.ts';
import { withMetrics } from './aftermath.ts';
import { durationMs } from './duration.ts';
import type { Shared } from './options.ts';
import { nextText, print, printJson, progress } from './print.ts';
import { paint, type Tone } from './terminal.ts';

export type RunOptions = Shared & {
  readonly entity?: string;
  readonly full?: boolean;
  /** How long to wait for another run; true for the usual time. */
  readonly wait?: string | true;
  readonly exitOn?: 'findings' | 'failed';
};

/** `more` is printed in addition to the summary: text above it, or members of the JSON value. */
type Job<R extends Result> = {
  readonly name: string;
  /** Creates the books if there are none, and migrates them. */
  readonly begins?: boolean;
  readonly changesClass?: boolean;
  readonly work: (work: Work) => Promise<R>;
  readonly more?: (result: R) => { readonly text?: string; readonly json: object };
  /** Steps for the person who ran the job. */
  readonly next?: (result: R) => readonly string[];
};

/** The stages and their dependencies, loaded only by commands that run one. */
export const jobs = () => import('../../jobs/nightly.ts');

/** The option of every command that works on all entities or on one. */
export const only = (command: Command): Command => command.option('--entity <id>', 'only this entity');

const toneOf = ({ exitCode }: Result): Tone => (exitCode === 0 ? 'good' : exitCode === 1 ? 'warning' : 'bad');

/** Runs a job with progress, prints its summary, and sets the exit code. */
export const runJob = async <R extends Result>(
  config: Config,
  options: RunOptions,
  job: Job<R>,
): Promise<R> => {
  jobs().catch(() => {}); // the stages load while the books open; what fails here fails again where they are used
  const shown = progress(options.json ?? false, config.entity);
  const tell: Tell = (event) => shown.tell(event);
  const waitMs = options.wait === undefined ? 0 : waitMsOf(options.wait);
  const run = () => withRun(config, job.name, { tell, waitMs, ...job }).finally(shown.stop);
  const result = await withMetrics(config, job.begins ?? false, run);
  const more = job.more?.(result);
  if (options.json)
    printJson({
      job: job.name,
      exit_code: result.exitCode,
      requests: result.requests,
      summary: result.summary,
      ...more?.json,
    });
  else {
    const summary = paint(toneOf(result), `${job.name}: ${result.summary}`);
    print(`${more?.text === undefined ? '' : `${more.text}\n\n`}${summary}`);
    if (job.next) print(`\n${nextText(job.next(result))}`);
  }
  process.exitCode = options.exitOn === 'failed' && result.exitCode === 1 ? 0 : result.exitCode;
  return result;
};

const WAIT = '1h';

const waitMsOf = (text: string | true): number => durationMs('wait', text === true ? WAIT : text);

/** The options of commands that a timer starts. */
export const unattended = (command: Command): Command =>
  command
    .option('--wait [duration]', `wait while another run is at work (default: ${WAIT}), instead of exit 75`)
    .addOption(
      new Option(
        '--exit-on <what>',
        'findings: exit 1 if a person must look; failed: exit 0 then, as if clean',
      )
        .choices(['findings', 'failed'])
        .default('findings'),
    );

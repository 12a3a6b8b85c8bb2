// How a command runs a job: its progress, its summary and its exit code.
import type { Command } from 'commander';
import type { Config } from '../config/environment.ts';
import type { Tell } from '../run/events.ts';
import { withRun } from '../run/run.ts';
import type { Result, Work } from '../run/work.ts';
import type { Shared } from './options.ts';
import { nextText, print, printJson, progress } from './print.ts';
import { paint, type Tone } from './terminal.ts';

export type RunOptions = Shared & { readonly entity?: string; readonly full?: boolean };

/** `more` is printed in addition to the summary: text above it, or members of the JSON value. */
type Job<R extends Result> = {
  readonly name: string;
  /** Creates the books if there are none, and migrates them. */
  readonly begins?: boolean;
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
): Promise<void> => {
  const shown = progress(options.json ?? false);
  const tell: Tell = (event) => shown.tell(event);
  const result = await withRun(config, job.name, { tell, ...job }).finally(shown.stop);
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
  process.exitCode = result.exitCode;
};

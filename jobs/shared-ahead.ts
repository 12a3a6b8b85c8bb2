// Work ahead in a night that several processes share: the one that reads the last entities values and drafts meanwhile, once those of
// the others have ended. One process at a time does, because the entities that it reads end only after that, as does the night.
import { endedTasks, hasOpenTasksBeside, hostOfFiles } from '../src/run/run.ts';
import { stepsInOrder, workAhead } from './ahead.ts';
import type { Ahead, Progress } from './beside.ts';
import type { Session } from './session.ts';

export type SharedAhead = Ahead & {
  /** Works on an entity that this process has claimed. `use` ends the entity's task, after `settled`. */
  visit<T>(entity: string, use: () => Promise<T>): Promise<T>;
};

/** `filesHost`: the name of this machine, if its workers write files; otherwise null. */
export const sharedAhead = (session: Session, filesHost: string | null): SharedAhead => {
  const here = new Set<string>();
  const progress = new Map<string, Progress>();
  let ahead: Ahead | undefined;
  const steps = stepsInOrder(session.work);
  const note: Ahead['note'] = (entity, reached) => {
    progress.set(entity, reached);
    ahead?.note(entity, reached);
  };
  const beginIfAlone = async (): Promise<void> => {
    const { db, run } = session.work;
    if (await hasOpenTasksBeside(db, run.id, [...here])) return;
    ahead ??= await beginAhead(session, filesHost, { here, progress });
    ahead.begin();
  };
  const settled = async (): Promise<void> => {
    await steps.ended();
    await ahead?.settled();
  };
  const visit: SharedAhead['visit'] = async (entity, use) => {
    here.add(entity);
    note(entity, BEGUN); // what an attempt that failed has reached does not count
    try {
      return await use();
    } finally {
      await settled(); // also after a failure: another process may try the entity again at once
      here.delete(entity);
    }
  };
  return { note, begin: () => steps.add(beginIfAlone), settled, visit };
};

type Reached = { readonly here: ReadonlySet<string>; readonly progress: ReadonlyMap<string, Progress> };

const BEGUN: Progress = { entries: 0, reading: 'lists' };
const ENDED: Progress = { entries: 0, reading: 'nothing' };

/** All entities have ended or are here. Only the host that writes the files of the night drafts them. */
const beginAhead = async (
  session: Session,
  filesHost: string | null,
  { here, progress }: Reached,
): Promise<Ahead> => {
  const { db, run } = session.work;
  const tasks = await endedTasks(db, run.id);
  const ended = tasks.filter(({ failure, result }) => failure === null && result !== 'unknown');
  const entities = [...new Set([...ended.map(({ entity }) => entity), ...here])].sort();
  const writesFiles = filesHost !== null && filesHost === (await hostOfFiles(db));
  const ahead = workAhead({ ...session, options: { ...session.options, writesFiles } }, entities);
  for (const { entity } of ended) ahead.note(entity, ENDED);
  for (const [entity, reached] of progress) ahead.note(entity, reached);
  return ahead;
};

// The run room: one execution of a job on the books, with its lock, its settings and its findings. chain.ts links runs.

export { namingAltered } from './altered-proposals.ts';
export { besideRuns } from './beside-runs.ts';
export { bookedEntities } from './entities.ts';
export { type OpenBooks, withBooks, withOwner } from './entry.ts';
export { EVENTS, LOG_LINE, logLineOf, timedStep } from './events.ts';
export { type EventSubject, noteConnection, noteEvents, noteSign } from './hints.ts';
export { closeRun, report, reportAll, reportedFailures } from './job-run.ts';
export { databaseTime, type NightReading, storedNight, storeNight, urgentFirst } from './nights.ts';
export { costOf } from './reading-cost.ts';
export { linkValues } from './run-links.ts';
export {
  refuseOtherSettings,
  SETTING_FIELDS,
  settingsOf,
  settingTexts,
  storePlatformClass,
  storeSettings,
  VARIABLES,
} from './settings.ts';
export { openSharedRun, requestsAtGate, sharedRun, stateOf, withSharedRun } from './shared-run.ts';
export { cleanNights, statusOf } from './status.ts';
export { idOfStored, isAltered, type StoredProposal } from './stored-proposal.ts';
export {
  endedTasks,
  endTask,
  hasEnded,
  hasOpenTasksBeside,
  hasTasks,
  openTasks,
  storeTasks,
  type TaskEnd,
} from './tasks.ts';
export { lateNights, type NightVerdict, verdictsOf } from './verdicts.ts';
export { BooksMigrated, refuseMigrated } from './version.ts';
export { endOf, markFailed, offlineResult, withRun } from './work.ts';
export {
  addWorker,
  deadWorkers,
  hostOfFiles,
  refuseOtherSchedule,
  removeWorkers,
  writesFilesOn,
} from './workers.ts';

// The actions room: what a command does, once its arguments are read.
export { momentIn, momentOption } from './moments.ts';

/** The actions by subject. Each is loaded when a command runs it, with the stages that it needs. */
export const ACTIONS = {
  breaks: () => import('./breaks.ts'),
  changes: () => import('./changes.ts'),
  charts: () => import('./charts.ts'),
  close: () => import('./close.ts'),
  counterparties: () => import('./counterparties.ts'),
  demo: () => import('./demo.ts'),
  external: () => import('./external.ts'),
  exportBatch: () => import('./export-batch.ts'),
  labels: () => import('./labels.ts'),
  lists: () => import('./lists.ts'),
  profiles: () => import('./profiles.ts'),
  proposals: () => import('./proposals.ts'),
  rebuild: () => import('./rebuild.ts'),
  restate: () => import('./restate.ts'),
} as const;

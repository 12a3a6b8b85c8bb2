// The rooms of src/: their order, and their public modules.

/** The order of the rooms: a room imports only rooms before it. */
export const ROOMS = [
  'base',
  'config',
  'database',
  'postgres',
  'run',
  'monitor',
  'backup',
  'gateway',
  'extract',
  'privacy',
  'land',
  'webhook',
  'ledger',
  'normalize',
  'approvals',
  'valuation',
  'breaks',
  'external',
  'reconcile',
  'export',
  'close',
  'verify',
  'sandbox',
  'jobs',
  'actions',
  'cli',
];

/** The room without a public module: a library that knows no room, so one module for all would only hide what is used. */
export const OPEN = ['base'];

/** The public modules of each room: one that carries the room's name, and at most one more. Types are free. */
export const DOORS: Readonly<Record<string, readonly string[]>> = {
  config: ['config'],
  database: ['database', 'schema'],
  postgres: ['postgres'],
  run: ['run', 'chain'],
  monitor: ['monitor'],
  backup: ['backup'],
  gateway: ['gateway', 'contract/contract'],
  extract: ['extract', 'references'],
  privacy: ['privacy', 'people'],
  land: ['land', 'seals'],
  webhook: ['webhook'],
  ledger: ['ledger', 'accounts'],
  normalize: ['normalize', 'rules'],
  approvals: ['approvals', 'batches'],
  valuation: ['valuation', 'value-all'],
  breaks: ['breaks'],
  external: ['external'],
  reconcile: ['reconcile', 'confirm'],
  export: ['export', 'contents'],
  close: ['close', 'seal'],
  verify: ['verify'],
  sandbox: ['sandbox'],
  jobs: ['nightly', 'book', 'worker'], // the job queue's package is loaded by workers alone
  actions: ['actions'],
};

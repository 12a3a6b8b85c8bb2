// The rooms of src/: their order, and their public modules.

/** The order of the rooms: a room imports only rooms before it. */
export const ROOMS = [
  'base',
  'config',
  'database',
  'postgres',
  'run',
  'gateway',
  'extract',
  'privacy',
  'land',
  'ledger',
  'normalize',
  'approvals',
  'valuation',
  'breaks',
  'reconcile',
  'export',
  'close',
  'verify',
  'sandbox',
  'jobs',
  'actions',
  'cli',
];

/** Rooms without a public module: their files are small and know no room, and each may be imported. */
export const OPEN = ['base', 'config', 'database'];

/** The public modules of rooms. Types are free; proofs read what they check, so `verify` may import from any room. */
export const DOORS: Readonly<Record<string, readonly string[]>> = {
  postgres: ['postgres'],
  run: ['run', 'work', 'entities', 'settings', 'status', 'covers', 'link-sql'],
  // The contract is data for every room; the stand-in checks signatures with the client's code.
  gateway: ['client', 'contract/contract', 'errors', 'signature'],
  extract: ['extract'],
  privacy: ['privacy', 'people', 'people-key', 'search-text', 'holds'],
  land: ['land', 'answers', 'balances', 'official', 'plan', 'rates', 'seals'],
  ledger: ['ledger', 'accounts', 'entry', 'period', 'posting', 'entry-id', 'returns'],
  normalize: ['normalize', 'restate', 'forget', 'conservation', 'booking', 'context', 'rules'],
  approvals: ['approvals', 'batches'],
  valuation: ['valuation', 'value-all'],
  breaks: ['breaks', 'break-page', 'cause', 'causes', 'candidates', 'life', 'divergence', 'not-final'],
  reconcile: ['reconcile', 'confirm'],
  export: ['export', 'reports/csv', 'packages/export-batch', 'packages/re-export', 'packages/packages'],
  close: ['close'],
  verify: ['verify', 'coverage/coverage', 'ledger/ledger', 'report/report', 'report/books', 'seals/seals'],
  actions: [
    'close',
    'breaks',
    'counterparties',
    'proposals',
    'lists',
    'profiles',
    'moments',
    'changes',
    'export-batch',
    'demo',
    'rebuild',
    'restate',
  ],
  sandbox: ['sandbox'],
  jobs: ['nightly', 'book', 'months', 'run-result', 'session'],
};

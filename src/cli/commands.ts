// The commands by group, each with the function that loads it: a command line loads only the command that it names.
import type { Command } from 'commander';

type Load = () => Promise<Command>;

/** The groups of `tieout --help` and their commands, in their order. */
export const COMMANDS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  'Get started:': {
    demo: async () => (await import('./demo-command.ts')).demoCommand(),
    init: async () => (await import('./init-command.ts')).initCommand(),
    doctor: async () => (await import('./doctor-command.ts')).doctorCommand(),
    sandbox: async () => (await import('./sandbox-command.ts')).sandboxCommand(),
    completion: async () => (await import('./completion-command.ts')).completionCommand(),
  },
  'Nightly run:': {
    nightly: async () => (await import('./run-commands.ts')).nightlyCommand(),
    extract: async () => (await import('./run-commands.ts')).extractCommand(),
    normalize: async () => (await import('./normalize-command.ts')).normalizeCommand(),
    reconcile: async () => (await import('./run-commands.ts')).reconcileCommand(),
    export: async () => (await import('./export-command.ts')).exportCommand(),
    worker: async () => (await import('./worker-command.ts')).workerCommand(),
    listen: async () => (await import('./listen-command.ts')).listenCommand(),
    serve: async () => (await import('./serve-command.ts')).serveCommand(),
  },
  'Inspect:': {
    status: async () => (await import('./status-command.ts')).statusCommand(),
    query: async () => (await import('./query-command.ts')).queryCommand(),
    views: async () => (await import('./views-command.ts')).viewsCommand(),
    psql: async () => (await import('./database-commands.ts')).psqlCommand(),
    consolidate: async () => (await import('./consolidate-command.ts')).consolidateCommand(),
  },
  'Breaks:': {
    breaks: async () => (await import('./break-commands.ts')).breakCommands(),
    rejects: async () => (await import('./reject-commands.ts')).rejectCommands(),
    adjust: async () => (await import('./entry-commands.ts')).adjustCommand(),
    approve: async () => (await import('./approve-command.ts')).approveCommand(),
  },
  'Close:': {
    close: async () => (await import('./period-commands.ts')).closeCommand(),
    reopen: async () => (await import('./period-commands.ts')).reopenCommand(),
    restate: async () => (await import('./period-commands.ts')).restateCommand(),
    budget: async () => (await import('./second-person-commands.ts')).budgetCommand(),
    values: async () => (await import('./second-person-commands.ts')).valuesCommand(),
    duties: async () => (await import('./second-person-commands.ts')).dutiesCommand(),
  },
  'Master data:': {
    entities: async () => (await import('./entity-commands.ts')).entityCommands(),
    counterparties: async () => (await import('./counterparty-commands.ts')).counterpartyCommands(),
    chart: async () => (await import('./chart-commands.ts')).chartCommands(),
    labels: async () => (await import('./label-commands.ts')).labelCommands(),
    rates: async () => (await import('./rates-command.ts')).ratesCommand(),
    lots: async () => (await import('./lots-command.ts')).lotsCommand(),
    open: async () => (await import('./entry-commands.ts')).openCommand(),
  },
  'Bank and chain:': {
    bank: async () => (await import('./external-commands.ts')).bankCommands(),
    chain: async () => (await import('./external-commands.ts')).chainCommands(),
  },
  'Proofs:': {
    verify: async () => (await import('./verify-command.ts')).verifyCommand(),
    confirm: async () => (await import('./confirm-command.ts')).confirmCommand(),
  },
  'Database:': {
    db: async () => (await import('./database-commands.ts')).dbCommand(),
    dump: async () => (await import('./backup-commands.ts')).dumpCommand(),
    restore: async () => (await import('./backup-commands.ts')).restoreCommand(),
    migrate: async () => (await import('./migrate-command.ts')).migrateCommand(),
    rebuild: async () => (await import('./rebuild-command.ts')).rebuildCommand(),
    erase: async () => (await import('./erase-command.ts')).eraseCommand(),
  },
};

/**
 * The command that a line names, if its end needs no other: help, the completion script and the hints on the demo's books show
 * all commands, and a name that is none is answered with the nearest one.
 */
export const onlyCommand = (name: string, args: readonly string[]): string | undefined => {
  if (name === 'completion' || args.includes('--demo')) return undefined;
  return Object.values(COMMANDS).some((group) => Object.hasOwn(group, name)) ? name : undefined;
};

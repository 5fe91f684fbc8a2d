import type { Command } from 'commander'

type AddCommands = (program: Command) => void

const load =
  <Name extends string>(importFile: () => Promise<Readonly<Record<Name, AddCommands>>>, name: Name) =>
  async (): Promise<AddCommands> =>
    (await importFile())[name]

const backup = load(() => import('./backup-command.ts'), 'addBackupCommands')

/** The first words of the command line and the file of each, in the order in which the help shows them. */
const loaders = {
  serve: load(() => import('./serve-command.ts'), 'addServeCommand'),
  user: load(() => import('./user-command.ts'), 'addUserCommands'),
  app: load(() => import('./app-command.ts'), 'addAppCommands'),
  token: load(() => import('./token-command.ts'), 'addTokenCommands'),
  session: load(() => import('./session-command.ts'), 'addSessionCommands'),
  delivery: load(() => import('./delivery-command.ts'), 'addDeliveryCommands'),
  backup,
  restore: backup,
  'rehearse-restore': load(() => import('./rehearse-command.ts'), 'addRehearseCommand'),
  copy: load(() => import('./copy-command.ts'), 'addCopyCommand'),
  migrate: load(() => import('./migrate-command.ts'), 'addMigrateCommand'),
  import: load(() => import('./import-command.ts'), 'addImportCommand'),
  export: load(() => import('./export-command.ts'), 'addExportCommand'),
  verify: load(() => import('./verify-command.ts'), 'addVerifyCommand'),
  checkpoint: load(() => import('./checkpoint-command.ts'), 'addCheckpointCommand'),
  stats: load(() => import('./stats-command.ts'), 'addStatsCommand'),
  status: load(() => import('./status-command.ts'), 'addStatusCommand'),
  healthcheck: load(() => import('./healthcheck-command.ts'), 'addHealthcheckCommand'),
  config: load(() => import('./config-command.ts'), 'addConfigCommand'),
}

const isCommand = (word: string | undefined): word is keyof typeof loaders =>
  word !== undefined && Object.hasOwn(loaders, word)

/**
 * Adds the commands that a line may mean: those of its first word, because most of the time that a command takes is the
 * loading of files; all when that word is none of them, for the help and for what was misspelt.
 */
export async function loadCommands(program: Command, firstWord: string | undefined): Promise<void> {
  const meant = isCommand(firstWord) ? [loaders[firstWord]] : new Set(Object.values(loaders))
  for (const addCommands of await Promise.all([...meant].map((loadFile) => loadFile()))) addCommands(program)
}

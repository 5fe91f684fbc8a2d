/** The commands; `run` is meant when none is named. */
export const commandNames = ['run', 'list', 'explain', 'doctor'] as const

/** One of the commands. */
export type CommandName = (typeof commandNames)[number]

/** One option: how it is written, which commands take it, what its help says. Its variable follows from its name. */
export interface Option {
  readonly name: string
  /** What stands for the value in the help; absent for a switch. */
  readonly value?: string
  readonly repeatable?: true
  readonly commands: readonly CommandName[]
  readonly help: string
}

const connecting: readonly CommandName[] = ['run', 'doctor']
const selecting: readonly CommandName[] = ['run', 'list']

/** Every option that has a variable, in the order of the help. */
export const optionTable: readonly Option[] = [
  {
    name: 'base-url',
    value: 'URL',
    commands: connecting,
    help: 'base address of the server, version segment included',
  },
  { name: 'client-id', value: 'ID', commands: connecting, help: 'id of the registered application' },
  { name: 'client-secret', value: 'SECRET', commands: connecting, help: 'secret of the registered application' },
  {
    name: 'user',
    value: 'NAME:PASSWORD',
    repeatable: true,
    commands: connecting,
    help: 'account to work in; a second one lets the suite judge that accounts are kept apart',
  },
  {
    name: 'auth-header',
    value: 'FORM',
    repeatable: true,
    commands: connecting,
    help: "Authorization header that the server takes, such as 'Bearer {token}'; default: try the usual forms",
  },
  {
    name: 'other-client',
    value: 'ID:SECRET',
    commands: ['run'],
    help: 'a second registered application; with it the suite judges that applications are kept apart',
  },
  {
    name: 'webhook-listen',
    value: 'HOST:PORT',
    commands: ['run'],
    help: 'play a receiver of webhooks and push messages there (port 0: a free one), and judge what the server sends',
  },
  {
    name: 'webhook-url',
    value: 'URL',
    commands: ['run'],
    help: 'how the server reaches that receiver, if not as http://HOST:PORT',
  },
  {
    name: 'profile',
    value: 'core|full',
    commands: selecting,
    help: 'core: what the interface states; full: also the decided rest',
  },
  {
    name: 'rule',
    value: 'ID',
    repeatable: true,
    commands: selecting,
    help: 'only the rules whose id is or begins with ID',
  },
  { name: 'level', value: 'must|should', commands: ['run'], help: 'should: a failed SHOULD decides the verdict too' },
  { name: 'histories', value: 'N', commands: ['run'], help: 'how many random histories to play (0: none)' },
  { name: 'seed', value: 'N', commands: ['run'], help: 'repeat the random choices of an earlier run' },
  {
    name: 'jobs',
    value: 'N',
    commands: ['run'],
    help: 'how many rules to run at the same time (default: 4, more where answers take long)',
  },
  {
    name: 'timeout',
    value: 'TIME',
    commands: connecting,
    help: 'longest silence of the server within one request, such as 10s (the default)',
  },
  {
    name: 'budget',
    value: 'TIME',
    commands: ['run'],
    help: 'longest time for the run, such as 60s or 5m (default: 10m); what does not fit is said to be not judged',
  },
  {
    name: 'restart',
    value: 'COMMAND',
    commands: ['run'],
    help: 'command that restarts the server and ends; without it the rules of what a restart forgets do not apply',
  },
  {
    name: 'wipe',
    commands: ['run'],
    help: 'delete EVERY thing of the accounts first (default: leave alone what the run did not make)',
  },
  {
    name: 'report',
    value: 'KIND=FILE',
    repeatable: true,
    commands: ['run'],
    help: 'write a report; kinds: json, junit, tap, html, text',
  },
  {
    name: 'scripts',
    value: 'FOLDER',
    commands: ['run'],
    help: 'where the scripts go that repeat what failed (default: a new folder for temporary files)',
  },
  { name: 'verbose', commands: ['run'], help: 'show every finding in full, instead of one screen' },
  { name: 'expect', value: 'FILE', commands: ['run'], help: 'known deviations, a JSON array of {"id", "reason"}' },
]

/** Name of the variable that stands for an option: `--base-url` is `THINGSYNC_BASE_URL`. */
export function variableOf(optionName: string): string {
  return `THINGSYNC_${optionName.toUpperCase().replaceAll('-', '_')}`
}

/** The options that a command takes. */
export function optionsOf(command: CommandName): readonly Option[] {
  return optionTable.filter((option) => option.commands.includes(command))
}

/** The commands; `run` is the default, and checks a server. `client` checks a client. */
export const commandNames = ['run', 'client', 'list', 'explain', 'doctor'] as const

/** One of the commands. */
export type CommandName = (typeof commandNames)[number]

/** One option of one or several commands. */
export interface Option {
  readonly name: string
  /** The placeholder of the value in the help, such as `ID`, or the words to choose from; absent for a switch. */
  readonly value: string | undefined
  readonly isRepeatable: boolean
  readonly commands: readonly CommandName[]
  readonly help: string
  /** The value when the option is not given. */
  readonly byDefault: string | undefined
  /** The environment variable that sets the option. */
  readonly variable: string | undefined
}

/** `name VALUE`, followed by dots when the option is repeatable; a switch has no value. */
type Row = readonly [written: string, commands: readonly CommandName[], help: string, byDefault?: string]

const connecting: readonly CommandName[] = ['run', 'doctor']
const run: readonly CommandName[] = ['run']
const both: readonly CommandName[] = ['run', 'client']

const rows: readonly Row[] = [
  [
    'base-url URL',
    connecting,
    'base URL of the server, including the version segment, such as http://localhost:8080/v1/',
  ],
  ['client-id ID', connecting, 'client ID of the registered app'],
  ['client-secret SECRET', connecting, 'client secret of the registered app'],
  [
    'user NAME:PASSWORD...',
    connecting,
    'account to work in; with a second account, the suite checks that accounts are isolated from each other',
  ],
  [
    'auth-header FORM...',
    connecting,
    "Authorization header that the server accepts, such as 'Bearer {token}'; default: try the usual forms",
  ],
  [
    'other-client ID:SECRET',
    run,
    'a second registered app; without it, the rules about several apps are skipped: secrets, refresh, revocation',
  ],
  [
    'webhook-listen HOST:PORT',
    run,
    'receive webhooks and push messages there (port 0: a free one), and check what the server sends',
  ],
  ['webhook-url URL', run, 'URL at which the server reaches that receiver (default: http://HOST:PORT)'],
  ['profile core|full', run, 'core: every server of the protocol; full: also the extensions of this project', 'core'],
  [
    'profile core|full|api|replica',
    ['list'],
    'core: every server of the protocol; full: also the extensions of this project; api, replica: rules for clients',
    'full',
  ],
  [
    'profile api|replica',
    ['client'],
    'api: a library that is online; replica: an offline client (default: all that the adapter claims)',
  ],
  ['rule ID...', ['run', 'client', 'list'], 'only the rules whose ID is or begins with ID'],
  ['level must|should', both, 'should: a failed SHOULD also decides the verdict', 'must'],
  ['histories N', run, 'number of random histories to play (0: none; default: 2 to 20, fewer for slow servers)'],
  ['histories N', ['client'], 'number of random histories to play (0: none)', '10'],
  ['seed N', both, 'repeat the random choices of an earlier run (default: a new random seed)'],
  ['jobs N', run, 'number of rules to run at the same time (default: 4; more if responses are slow)'],
  ['jobs N', ['client'], 'number of rules, and of adapters, to run at the same time', '4'],
  [
    'timeout TIME',
    connecting,
    'maximum time without data from the server within one request, such as 500ms or 30s (default: 10s)',
  ],
  [
    'budget TIME',
    run,
    'maximum time for the run, such as 60s or 5m (default: 10m); rules that do not fit are reported as blocked',
  ],
  [
    'restart COMMAND',
    run,
    'command that restarts the server and then exits; without it, the rules about restarts are skipped',
  ],
  ['restart-manually', run, 'ask you to restart the server, and wait until you press Enter; needs a terminal'],
  ['wipe', run, 'delete EVERY thing of the accounts first (default: keep what the run did not create)'],
  ['report KIND=FILE...', both, 'write a report; KIND is json, junit, tap, html or text'],
  ['scripts FOLDER', run, 'folder for the scripts that repeat failures (default: a new folder for temporary files)'],
  ['verbose', both, 'show every finding in full, instead of one screen'],
  ['expect FILE', both, 'expected failures, a JSON array of {"id", "reason"}'],
  ['coverage', ['list'], 'requirement by requirement: the rules that observe it, or why none does'],
  ['help', commandNames, 'this text'],
  ['version', commandNames, 'the version of the suite'],
]

const withoutVariable = ['coverage', 'help', 'version']

/** Every option, in the order of the help. Parsing, help and defaults are derived from it. */
export const optionTable: readonly Option[] = rows.map(([written, commands, help, byDefault]) => {
  const [, name = '', value, dots] = /^(\S+)(?: (\S+?)(\.{3})?)?$/.exec(written) ?? []
  const variable = withoutVariable.includes(name) ? undefined : `THINGSYNC_${name.toUpperCase().replaceAll('-', '_')}`
  return { name, value, isRepeatable: dots !== undefined, commands, help, byDefault, variable }
})

/** Returns the options that a command takes. */
export function optionsOf(command: CommandName): readonly Option[] {
  return optionTable.filter(({ commands }) => commands.includes(command))
}

interface CommandHelp {
  readonly purpose: string
  readonly usage: string
  readonly examples: readonly string[]
}

const connection = '--base-url URL --client-id ID --client-secret SECRET --user NAME:PASSWORD [options]'

const commands: Readonly<Record<CommandName, CommandHelp>> = {
  run: {
    purpose: 'Check a server and say what to fix (the default command).',
    usage: `[run] ${connection}`,
    examples: [
      '--base-url http://localhost:8080/v1/ --client-id dev --client-secret s3cret \\\n      --user alice:wonderland --user bob:builder',
      '--rule SYNC-INCREMENTAL            # other options from THINGSYNC_… variables',
      '--profile full --report junit=report.xml --report html=report.html --expect known.json',
    ],
  },
  client: {
    purpose: 'Check a client through its adapter, which COMMAND starts, and say what to fix.',
    usage: 'client [options] -- COMMAND…',
    examples: [
      'client -- python3 my_adapter.py',
      'client --profile api --report html=report.html -- node my-adapter.mjs',
      'client --rule CLIENT-LOST-01 --verbose -- node my-adapter.mjs',
    ],
  },
  list: {
    purpose: 'List the rules; with --coverage, every requirement of the protocol with the rules that observe it.',
    usage: 'list [--coverage] [--profile core|full|api|replica] [--rule ID]',
    examples: ['list --rule TOKEN', 'list --profile replica', 'list --coverage'],
  },
  explain: {
    purpose:
      'Say what one rule or requirement asks for, where it comes from, and where to read it in the specification.',
    usage: 'explain RULE-ID|REQUIREMENT-ID',
    examples: ['explain SYNC-INCREMENTAL-02', 'explain C-4.3-5', 'explain CLIENT-LOST-01', 'explain D-4.3-8'],
  },
  doctor: {
    purpose:
      'Check the connection step by step: base URL, token, header forms, sync, contents of the accounts; with -- COMMAND…, check an adapter.',
    usage: `doctor ${connection}\n       thingsync-conformance doctor -- COMMAND…`,
    examples: [
      'doctor -- python3 my_adapter.py',
      'doctor --base-url http://localhost:8080/v1/ --client-id dev --client-secret s3cret --user alice:wonderland',
    ],
  },
}

/** The meaning of the exit codes. */
const exitCodeHelp: readonly string[] = [
  '  0    every MUST of the selected rules passed or was skipped (doctor: nothing to fix)',
  '  1    at least one MUST failed (doctor: the server or the adapter responds, but a problem was found)',
  '  2    usage or configuration error, server unreachable, adapter not usable, credentials rejected, or nothing selected',
  '  3    inconclusive: a MUST was blocked, and none failed',
  '  130  interrupted by Ctrl-C (143: by SIGTERM): within two seconds the suite reports the results so far, and removes what the run created as far as that allows',
]

/** Renders the help of one command. */
export function renderCommandHelp(command: CommandName): string {
  const { purpose, usage, examples } = commands[command]
  const options = optionsOf(command)
  const written = options.map(({ name, value }) => (value === undefined ? `--${name}` : `--${name} ${value}`))
  const width = Math.max(...written.map((left) => left.length))
  const lines = options.flatMap(({ help, isRepeatable, byDefault, variable }, index) => [
    `  ${written[index]?.padEnd(width)}  ${help}${isRepeatable ? ' (repeatable)' : ''}${byDefault ? ` (default: ${byDefault})` : ''}`,
    ...(variable === undefined ? [] : [`  ${''.padEnd(width)}  ${variable}`]),
  ])
  if (options.some(({ isRepeatable }) => isRepeatable))
    lines.push('  In a variable, write each value of a repeatable option on its own line.')
  return [
    ...[purpose, '', `Usage: thingsync-conformance ${usage}`, ''],
    ...['Options, and the variable that sets each (the command line wins):', ...lines, ''],
    ...['Examples:', ...examples.map((line) => `  thingsync-conformance ${line}`), ''],
    ...['Exit codes:', ...exitCodeHelp, ''],
    ...['NO_COLOR turns colors off, FORCE_COLOR turns them on.', ''],
  ].join('\n')
}

/** Renders the help of the program: its commands, then the default command's own help. */
export function renderHelp(): string {
  return [
    'thingsync-conformance checks a server or a client of the thingsync protocol, in whatever language it is written.',
    '',
    'Commands (each has its own --help):',
    ...commandNames.map((name) => `  ${name.padEnd(8)}  ${commands[name].purpose}`),
    '',
    renderCommandHelp('run'),
  ].join('\n')
}

/** The commands; `run` is meant when none is named. */
export const commandNames = ['run', 'list', 'explain', 'doctor'] as const

/** One of the commands. */
export type CommandName = (typeof commandNames)[number]

/** One option of one or several commands. */
export interface Option {
  readonly name: string
  /** What stands for the value in the help, such as `ID`, or the words to choose from; absent for a switch. */
  readonly value: string | undefined
  readonly isRepeatable: boolean
  readonly commands: readonly CommandName[]
  readonly help: string
  /** The value when none is given. */
  readonly byDefault: string | undefined
  /** The variable that stands for it. */
  readonly variable: string | undefined
}

/** `name VALUE`, with dots when the option is repeatable; a switch has no value. */
type Row = readonly [written: string, commands: readonly CommandName[], help: string, byDefault?: string]

const connecting: readonly CommandName[] = ['run', 'doctor']
const run: readonly CommandName[] = ['run']

const rows: readonly Row[] = [
  ['base-url URL', connecting, 'base address of the server, version segment included'],
  ['client-id ID', connecting, 'id of the registered application'],
  ['client-secret SECRET', connecting, 'secret of the registered application'],
  [
    'user NAME:PASSWORD...',
    connecting,
    'account to work in; a second one lets the suite judge that accounts are kept apart',
  ],
  [
    'auth-header FORM...',
    connecting,
    "Authorization header that the server takes, such as 'Bearer {token}'; default: try the usual forms",
  ],
  [
    'other-client ID:SECRET',
    run,
    'a second registered application; with it the suite judges that applications are kept apart',
  ],
  [
    'webhook-listen HOST:PORT',
    run,
    'play a receiver of webhooks and push messages there (port 0: a free one), and judge what the server sends',
  ],
  ['webhook-url URL', run, 'how the server reaches that receiver, if not as http://HOST:PORT'],
  ['profile core|full', run, 'core: what the interface states; full: also the decided rest', 'core'],
  ['profile core|full', ['list'], 'core: what the interface states; full: also the decided rest', 'full'],
  ['rule ID...', ['run', 'list'], 'only the rules whose id is or begins with ID'],
  ['level must|should', run, 'should: a failed SHOULD decides the verdict too', 'must'],
  ['histories N', run, 'how many random histories to play (0: none)'],
  ['seed N', run, 'repeat the random choices of an earlier run'],
  ['jobs N', run, 'how many rules to run at the same time (default: 4, more where answers take long)'],
  ['timeout TIME', connecting, 'longest silence of the server within one request, such as 10s (the default)'],
  [
    'budget TIME',
    run,
    'longest time for the run, such as 60s or 5m (default: 10m); what does not fit is said to be not judged',
  ],
  [
    'restart COMMAND',
    run,
    'command that restarts the server and ends; without it the rules of what a restart forgets do not apply',
  ],
  ['wipe', run, 'delete EVERY thing of the accounts first (default: leave alone what the run did not make)'],
  ['report KIND=FILE...', run, 'write a report; kinds: json, junit, tap, html, text'],
  ['scripts FOLDER', run, 'where the scripts go that repeat what failed (default: a new folder for temporary files)'],
  ['verbose', run, 'show every finding in full, instead of one screen'],
  ['expect FILE', run, 'known deviations, a JSON array of {"id", "reason"}'],
  ['coverage', ['list'], 'clause by clause: the rules that observe it, or why none does'],
  ['help', commandNames, 'this text'],
  ['version', commandNames, 'the version of the suite'],
]

const withoutVariable = ['coverage', 'help', 'version']

/** Every option, in the order of the help: parsing, help and defaults follow from it. */
export const optionTable: readonly Option[] = rows.map(([written, commands, help, byDefault]) => {
  const [, name = '', value, dots] = /^(\S+)(?: (\S+?)(\.{3})?)?$/.exec(written) ?? []
  const variable = withoutVariable.includes(name) ? undefined : `THINGSYNC_${name.toUpperCase().replaceAll('-', '_')}`
  return { name, value, isRepeatable: dots !== undefined, commands, help, byDefault, variable }
})

/** The options that a command takes. */
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
    purpose: 'Judge a server and say what to mend (the default command).',
    usage: `[run] ${connection}`,
    examples: [
      '--base-url http://localhost:8080/v1/ --client-id dev --client-secret s3cret \\\n      --user alice:wonderland --user bob:builder',
      '--rule SYNC-DELTA            # the rest from THINGSYNC_… variables',
      '--profile full --report junit=report.xml --report html=report.html --expect known.json',
    ],
  },
  list: {
    purpose: 'List the rules; with --coverage, every clause of the interface with the rules that observe it.',
    usage: 'list [--coverage] [--profile core|full] [--rule ID]',
    examples: ['list --rule TOKEN', 'list --coverage'],
  },
  explain: {
    purpose: 'Say what one rule or clause asks for, where it comes from, and where the specification tells it.',
    usage: 'explain RULE-ID|CLAUSE-ID',
    examples: ['explain SYNC-DELTA-02', 'explain C-4.3-5'],
  },
  doctor: {
    purpose: 'Check the connection step by step: address, token, header forms, sync, what the accounts hold.',
    usage: `doctor ${connection}`,
    examples: [
      'doctor --base-url http://localhost:8080/v1/ --client-id dev --client-secret s3cret --user alice:wonderland',
    ],
  },
}

/** What the exit codes mean. */
const exitCodeHelp: readonly string[] = [
  '  0    every MUST of the chosen rules ran and was kept (doctor: nothing to mend)',
  '  1    at least one MUST was not kept (doctor: a problem was found on a server that answers)',
  '  2    usage or configuration error, server unreachable, credentials refused, or nothing selected',
  '  3    inconclusive: a MUST could not be judged, and none failed',
  '  130  interrupted by Ctrl-C (143: by SIGTERM): within two seconds what was seen so far is reported, and what the run made removed as far as that allows',
]

/** The help of one command. */
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
    lines.push('  In a variable, several values of a repeatable option stand one on a line.')
  return [
    ...[purpose, '', `Usage: thingsync-conformance ${usage}`, ''],
    ...['Options, and the variable that stands for each (the command line wins):', ...lines, ''],
    ...['Examples:', ...examples.map((line) => `  thingsync-conformance ${line}`), ''],
    ...['Exit codes:', ...exitCodeHelp, ''],
    ...['NO_COLOR turns colours off, FORCE_COLOR turns them on.', ''],
  ].join('\n')
}

/** The help of the program: its commands, then the default command's own help. */
export function renderHelp(): string {
  return [
    'thingsync-conformance judges a server of the thing synchronisation interface, in whatever language it is written.',
    '',
    'Commands (each has its own --help):',
    ...commandNames.map((name) => `  ${name.padEnd(8)}  ${commands[name].purpose}`),
    '',
    renderCommandHelp('run'),
  ].join('\n')
}

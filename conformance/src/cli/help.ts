import { type CommandName, commandNames, optionsOf } from './option-table.ts'

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
export const exitCodeHelp: readonly string[] = [
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

import { type CommandName, optionsOf, variableOf } from './option-table.ts'

const purposes: Readonly<Record<CommandName, string>> = {
  run: 'Judge a server and say what to mend (the default command).',
  list: 'List the rules; with --coverage, every clause of the interface with the rules that observe it.',
  explain: 'Say what one rule or clause asks for, where it comes from, and where the specification tells it.',
  doctor: 'Check the connection step by step: address, token, header forms, sync, what the accounts hold.',
}

const usages: Readonly<Record<CommandName, string>> = {
  run: 'thingsync-conformance [run] --base-url URL --client-id ID --client-secret SECRET --user NAME:PASSWORD [options]',
  list: 'thingsync-conformance list [--coverage] [--profile core|full] [--rule ID]',
  explain: 'thingsync-conformance explain RULE-ID|CLAUSE-ID',
  doctor:
    'thingsync-conformance doctor --base-url URL --client-id ID --client-secret SECRET --user NAME:PASSWORD [options]',
}

const examples: Readonly<Record<CommandName, readonly string[]>> = {
  run: [
    'thingsync-conformance --base-url http://localhost:8080/v1/ --client-id dev --client-secret s3cret \\',
    '    --user alice:wonderland --user bob:builder',
    'thingsync-conformance --rule SYNC-DELTA            # the rest from THINGSYNC_… variables',
    'thingsync-conformance --profile full --report junit=report.xml --report html=report.html --expect known.json',
  ],
  list: ['thingsync-conformance list --rule TOKEN', 'thingsync-conformance list --coverage'],
  explain: ['thingsync-conformance explain SYNC-DELTA-02', 'thingsync-conformance explain C-4.3-5'],
  doctor: [
    'thingsync-conformance doctor --base-url http://localhost:8080/v1/ --client-id dev --client-secret s3cret --user alice:wonderland',
  ],
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
  const options = optionsOf(command)
  const rows = [
    ...options.map((option) => ({
      left: `--${option.name}${option.value === undefined ? '' : ` ${option.value}`}`,
      help: `${option.help}${option.repeatable ? ' (repeatable)' : ''}`,
      variable: variableOf(option.name),
    })),
    ...(command === 'list'
      ? [
          {
            left: '--coverage',
            help: 'clause by clause: the rules that observe it, or why none does',
            variable: undefined,
          },
        ]
      : []),
    { left: '--help', help: 'this text', variable: undefined },
  ]
  const width = Math.max(...rows.map((row) => row.left.length))
  return [
    purposes[command],
    '',
    `Usage: ${usages[command]}`,
    '',
    'Options, and the variable that stands for each (the command line wins):',
    ...rows.flatMap((row) => [
      `  ${row.left.padEnd(width)}  ${row.help}`,
      ...(row.variable ? [`  ${''.padEnd(width)}  ${row.variable}`] : []),
    ]),
    ...(options.some((option) => option.repeatable)
      ? ['  In a variable, several values of a repeatable option stand one on a line.']
      : []),
    '',
    'Examples:',
    ...examples[command].map((line) => `  ${line}`),
    '',
    'Exit codes:',
    ...exitCodeHelp,
    '',
    'NO_COLOR turns colours off, FORCE_COLOR turns them on.',
    '',
  ].join('\n')
}

/** The help of the program: its commands, then the default command's own help. */
export function renderHelp(): string {
  return [
    'thingsync-conformance judges a server of the thing synchronisation interface, in whatever language it is written.',
    '',
    'Commands (each has its own --help):',
    ...Object.entries(purposes).map(([name, purpose]) => `  ${name.padEnd(8)}  ${purpose}`),
    '',
    renderCommandHelp('run'),
  ].join('\n')
}

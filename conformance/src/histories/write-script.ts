import { isRacing, replicaNames } from './plan.ts'
import type { Failure } from './play-once.ts'
import { scriptFunctions } from './script-functions.ts'
import { writeProof } from './script-proof.ts'
import { describeAnomaly, tellStory } from './tell-story.ts'
import { isSync, type SyncEvent, type Trace, type TraceEvent } from './trace.ts'
import { encodeUploadStep } from './upload-form.ts'

/** Plays of a history whose requests race; one alone may miss the moment. */
const attemptsWhenRacing = 40

const quote = (text: string): string =>
  `'${text.replaceAll("'", "'\\''")}'`
    .replaceAll('@mark@', `'"$mark"'`)
    .replaceAll(/@id:([^@]+)@/g, `'"$(id $1)"'`)
    .replaceAll(/^''(?=")|(?<=")''$/g, '')

// What a server says stands in comments only, and must not get out of them.
const comment = (text: string): string => `# ${text.replaceAll(/\p{Cc}|\p{Zl}|\p{Zp}/gu, ' ')}`

const writeUpload = (event: SyncEvent): string[] => {
  if (event.step.kind !== 'upload') return []
  return encodeUploadStep(event.step, { mark: '@mark@', idOf: (thing) => `@id:${thing}@` }).map(([name, value]) =>
    // curl encodes what follows the first "=" only.
    quote(`${name.replaceAll('[', '%5B').replaceAll(']', '%5D')}=${value}`),
  )
}

const writeEvent = (event: TraceEvent): string[] => {
  if (!isSync(event)) return [`refresh ${event.who}`]
  const { step, number, who, base } = event
  const from = base === 0 ? '' : ` "$(since ${base})"`
  if (step.kind === 'list') return [`ask ${number} ${who} get${from}`]
  if (step.kind === 'upload') {
    const created = step.creates.map(({ thing }) => `created ${number} ${thing}`)
    return [[`ask ${number} ${who} post${from}`, ...writeUpload(event)].join(' \\\n    '), ...created]
  }
  return [`pages ${number} ${who} ${step.keep} ${step.size}${from}`]
}

/** What others do between the pages of a listing, as a shell function. */
const writeBetween = ({ number }: TraceEvent, trace: Trace): string[] => {
  const parts = trace.events.filter((other) => isSync(other) && other.during === number)
  const cases = parts.map((part, index) => `    ${index + 1}) ${writeEvent(part).join('\n      ')} ;;`)
  return [`between_${number}() {`, '  case $1 in', ...cases, '    *) return 1 ;;', '  esac', '}']
}

const writeRound = (events: readonly TraceEvent[]): string[] => {
  const lanes = replicaNames
    .map((who) => events.filter((event) => event.who === who).flatMap(writeEvent))
    .filter((lane) => lane.length > 0)
  if (lanes.length === 1) return lanes.flat()
  return [...lanes.map((lane) => `(\n    ${lane.join('\n    ')}\n  ) &`), 'wait']
}

/**
 * A shell script that plays the history again on the server named by its environment and shows the anomaly: it ends with 1
 * when it is there, with 0 when it is not, with 2 when it could not look. Secrets come from variables only.
 */
export const writeScript = ({ plan, trace, anomaly }: Failure): string => {
  const main = trace.events.filter((event) => !isSync(event) || event.during === undefined)
  const rounds = [...new Set(main.map(({ round }) => round))]
  const body = rounds.flatMap((round) => writeRound(main.filter((event) => event.round === round)))
  const last = trace.events.filter(isSync).findLast(({ position }) => position !== undefined)
  const used = replicaNames.filter((name) => trace.events.some(({ who }) => who === name))
  const attempts = isRacing(plan) ? attemptsWhenRacing : 3
  return [
    '#!/bin/sh',
    comment(`Shows an anomaly of a server of the thing synchronisation interface: ${describeAnomaly(anomaly)}`),
    ...tellStory(trace).map((line) => comment(`  ${line}`)),
    '# Ends with 1 when it happens again, 0 when it does not, 2 when the server could not be asked.',
    '# THINGSYNC_BASE_URL, THINGSYNC_CLIENT_ID, THINGSYNC_CLIENT_SECRET and THINGSYNC_USER (NAME:PASSWORD, the first line) say where.',
    scriptFunctions,
    ...main.filter(({ step }) => step.kind === 'pages').flatMap((event) => writeBetween(event, trace)),
    'play() {',
    '  mark="again$(date +%s)x$$x$attempt"',
    '  rm -f "$work"/[0-9]* "$work"/id.*',
    ...body.map((line) => `  ${line}`),
    '}',
    '',
    ...writeProof(trace, anomaly),
    '',
    ...used.map((who) => `log_in ${who}`),
    'attempt=1',
    `while [ "$attempt" -le ${attempts} ]; do`,
    '  play',
    '  fine && shown=no || shown=yes',
    `  tidy ${last?.who} ${last?.number}`,
    `  if [ $shown = yes ]; then echo "${anomaly.kind}: shown by attempt $attempt"; exit 1; fi`,
    '  attempt=$((attempt + 1))',
    'done',
    `echo "${anomaly.kind}: not shown in ${attempts} attempts"`,
  ]
    .join('\n')
    .concat('\n')
}

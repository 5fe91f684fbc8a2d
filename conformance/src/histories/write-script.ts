import { isRacing, replicaNames } from './plan.ts'
import type { Failure } from './play-once.ts'
import { scriptFunctions } from './script-functions.ts'
import { writeProof } from './script-proof.ts'
import { describeAnomaly, tellStory } from './tell-story.ts'
import { isSync, type SyncEvent, type Trace, type TraceEvent } from './trace.ts'
import { encodeUploadStep } from './upload-form.ts'

/** Plays of a history whose requests race; one alone may miss the moment. */
const attemptsWhenRacing = 50

const quote = (text: string): string =>
  `'${text.replaceAll("'", "'\\''")}'`
    .replaceAll('@mark@', `'"$mark"'`)
    .replaceAll(/@id:([^@]+)@/g, `'"$(id $1)"'`)
    .replaceAll(/^''(?=")|(?<=")''$/g, '')

const writeUpload = (event: SyncEvent): string[] => {
  if (event.step.kind !== 'upload') return []
  return encodeUploadStep(event.step, { mark: '@mark@', idOf: (thing) => `@id:${thing}@` }).map(([name, value]) =>
    // curl encodes what follows the first "=" only.
    quote(`${name.replaceAll('[', '%5B').replaceAll(']', '%5D')}=${value}`),
  )
}

const writeEvent = (event: TraceEvent, { events }: Trace): string[] => {
  if (!isSync(event)) return [`refresh ${event.who}`]
  const { step, number, who, base, answers } = event
  const from = base === 0 ? '' : ` "$(since ${base})"`
  if (step.kind === 'list') return [`ask ${number} ${who} get${from}`]
  if (step.kind === 'upload') {
    const created = step.creates.map(({ thing }) => `created ${number} ${thing}`)
    return [[`ask ${number} ${who} post${from}`, ...writeUpload(event)].join(' \\\n    '), ...created]
  }
  const meanwhile = events.filter((other) => isSync(other) && other.during === number)
  const pages = answers.flatMap((_, page) => {
    const ask = `ask ${number} ${who} get${from} skip=${page * step.size} limit=${step.size}`
    const keep = page === 0 ? [`cp "$work/${number}.kept" "$work/${number}.first"`] : []
    const between = meanwhile[page]
    return [ask, ...keep, ...(between === undefined ? [] : writeEvent(between, { mark: '', events, idOf: new Map() }))]
  })
  return step.keep === 'first' ? [...pages, `cp "$work/${number}.first" "$work/${number}.kept"`] : pages
}

const writeRound = (events: readonly TraceEvent[], trace: Trace): string[] => {
  const lanes = replicaNames
    .map((who) => events.filter((event) => event.who === who).flatMap((event) => writeEvent(event, trace)))
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
  const body = rounds.flatMap((round) =>
    writeRound(
      main.filter((event) => event.round === round),
      trace,
    ),
  )
  const used = replicaNames.filter((name) => trace.events.some(({ who }) => who === name))
  const attempts = isRacing(plan) ? attemptsWhenRacing : 3
  return [
    '#!/bin/sh',
    `# Shows an anomaly of a server of the thing synchronisation interface: ${describeAnomaly(anomaly)}`,
    ...tellStory(trace).map((line) => `#   ${line}`),
    '# Ends with 1 when it happens again, 0 when it does not, 2 when the server could not be asked.',
    '# THINGSYNC_BASE_URL, THINGSYNC_CLIENT_ID, THINGSYNC_CLIENT_SECRET and THINGSYNC_USER (NAME:PASSWORD) say where.',
    scriptFunctions,
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
    `  if ! fine; then echo "${anomaly.kind}: shown by attempt $attempt"; exit 1; fi`,
    '  attempt=$((attempt + 1))',
    'done',
    `echo "${anomaly.kind}: not shown in ${attempts} attempts"`,
  ]
    .join('\n')
    .concat('\n')
}

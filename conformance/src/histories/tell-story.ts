import type { Anomaly } from './anomaly.ts'
import { colorOf, titleOf } from './thing-fields.ts'
import { isSync, type SyncEvent, type Trace, type TraceEvent } from './trace.ts'

const join = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ')

const describeUpload = (event: SyncEvent, { mark, idOf }: Trace): string => {
  const { step } = event
  if (step.kind !== 'upload') return ''
  const quote = (version: (typeof step.creates)[number]): string =>
    `"${titleOf(version, mark).replace(`${mark} `, '')}"`
  const id = (thing: string): string => idOf.get(thing) ?? '(no _id)'
  const what = join([
    step.creates.length === 0 ? '' : `creates ${step.creates.map(quote).join(', ')}`,
    ...step.changes.map((version) => `changes "${version.thing}" (${id(version.thing)}) to ${quote(version)}`),
    ...step.deletes.map((thing) => `deletes "${thing}" (${id(thing)})`),
    ...step.tags.map((version) => `gives tag ${version.tag} color ${colorOf(version)}`),
  ])
  const ids = step.creates.map(({ thing }) => `"${thing}" is ${id(thing)}`)
  return ids.length === 0 || event.refusal !== undefined ? what : `${what} (${ids.join(', ')})`
}

const describeListed = ({ answers }: SyncEvent, { mark, idOf }: Trace): string => {
  const ours = new Set(idOf.values())
  const changed = answers.flatMap((answer) =>
    [...answer.changed].flatMap(([id, { title }]) => {
      const isOurs = ours.has(id) || title.startsWith(`${mark} `)
      return isOurs ? [`"${title.replace(`${mark} `, '')}"`] : []
    }),
  )
  const deleted = answers.flatMap((answer) => [...answer.deleted].filter((id) => ours.has(id)))
  const colors = answers.flatMap((answer) =>
    [...answer.colors].flatMap(([name, color]) =>
      name.startsWith(`${mark}-`) ? [`tag ${name.slice(mark.length + 1)} ${color}`] : [],
    ),
  )
  return join([
    changed.length === 0 ? '' : `listed ${changed.join(', ')}`,
    deleted.length === 0 ? '' : `deleted ${deleted.join(', ')}`,
    ...colors,
  ])
}

const describeFrom = ({ base }: SyncEvent, { events }: Trace): string => {
  const before = events.find(({ number }) => number === base)
  if (before === undefined || !isSync(before)) return 'everything'
  return `what changed since ${before.position} (line ${base})`
}

const describeEvent = (event: TraceEvent, trace: Trace): string => {
  if (!isSync(event)) return 'refreshes its tokens'
  const from = describeFrom(event, trace)
  const { step, refusal, position } = event
  const asks =
    step.kind === 'upload'
      ? `${describeUpload(event, trace)}${event.base === 0 ? ', without from' : ` from ${from.replace('what changed since ', '')}`}`
      : step.kind === 'pages'
        ? `asks for ${from} in pages of ${step.size} and keeps the pos of the ${step.keep} page`
        : `asks for ${from}`
  if (refusal !== undefined) return `${asks} → ${refusal}`
  const listed = describeListed(event, trace)
  return `${asks} → ${join([listed === '' && step.kind !== 'upload' ? 'nothing of ours' : listed, `pos ${position}`])}`
}

/** A history as numbered lines that a person can follow: who did what, from which position, and what came. */
export const tellStory = (trace: Trace): string[] =>
  trace.events.map((event) => {
    const during = isSync(event) ? event.during : undefined
    const isPart = (other: TraceEvent): boolean => isSync(other) && other.during === event.number
    const together = trace.events.some((other) => other.who !== event.who && !isPart(other) && isAtOnce(other, event))
    const remark = during !== undefined ? ` (between the pages of line ${during})` : together ? ' (at once)' : ''
    return `${event.number}. ${event.who}${remark} ${describeEvent(event, trace)}`
  })

const isAtOnce = (one: TraceEvent, other: TraceEvent): boolean => one.started < other.ended && other.started < one.ended

/** The anomaly in one sentence, by its name. */
export const describeAnomaly = ({ kind, event, expected, actual }: Anomaly): string =>
  `${kind} in line ${event.number}: expected ${expected}, but ${actual}`

import type { Anomaly, HeldField } from './anomaly.ts'
import { colorOf, titleOf } from './thing-fields.ts'
import { isSync, type SyncEvent, type Trace, uploadOf } from './trace.ts'

/** The lines from which a replica came to what it holds after a line, oldest first. */
const chainOf = (number: number, trace: Trace): SyncEvent[] => {
  const event = trace.events.find((each) => each.number === number)
  if (event === undefined || !isSync(event)) return []
  return [...(event.base === 0 ? [] : chainOf(event.base, trace)), event]
}

const quoteTitle = (title: string): string => (title === 'gone' ? 'gone' : `"$mark ${title}"`)

const writeHolds = (number: number, thing: string, trace: Trace): string[] =>
  chainOf(number, trace).map((event) => {
    const upload = uploadOf(event)
    const uploaded = (['creates', 'changes'] as const).flatMap((kind) =>
      (upload?.[kind] ?? [])
        .filter((version) => version.thing === thing)
        .map((version) => ` ${kind} "${titleOf(version, '$mark')}"`),
    )
    const deleted = upload?.deletes.includes(thing) === true ? [' deletes gone'] : []
    return `  hold ${event.number} ${event.base}${[...uploaded, ...deleted][0] ?? ''}`
  })

const writeColors = (number: number, tag: string, trace: Trace): string[] =>
  chainOf(number, trace).map((event) => {
    const own = uploadOf(event)
      ?.tags.filter((version) => tag.endsWith(`-${version.tag}`))
      .at(-1)
    return `  color ${event.number} ${event.base}${own === undefined ? '' : ` '${colorOf(own)}'`}`
  })

// A field that is not listed: false when it is `archived`, none when it is any other.
const writeField = (number: number, [name, value]: HeldField): string => {
  const listed = `listed ${number} | grep -q '"${name}" *: *`
  if (value === undefined || value === false) return `[ -z "$(listed ${number})" ] || ! ${listed}[^f]' || return 1`
  const text = JSON.stringify(value).replaceAll('/', '\\\\*/')
  return `[ -z "$(listed ${number})" ] || ${listed}${text}' || return 1`
}

const writeCheck = ({ event: { number, step }, proof }: Anomaly, trace: Trace): string[] => {
  switch (proof.kind) {
    case 'holds':
      return [
        `  thing=${proof.thing}`,
        ...writeHolds(number, proof.thing, trace),
        `  wanted ${number} ${proof.wanted.map(quoteTitle).join(' ')}`,
      ]
    case 'same':
      return [
        `  thing=${proof.thing}`,
        ...writeHolds(number, proof.thing, trace),
        ...writeHolds(proof.other, proof.thing, trace),
        `  wanted ${number} "$(cat "$work/${proof.other}.held")" || return 1`,
        ...proof.fields.map((field) => `  ${writeField(number, field)}`),
      ]
    case 'color':
      return [
        `  tag=${proof.tag.replace(/^.*-/, '')}`,
        ...writeColors(number, proof.tag, trace),
        `  wanted ${number} ${proof.wanted.map((color) => `'${color}'`).join(' ')}`,
      ]
    case 'unlisted':
      return [`  thing=${proof.thing}`, `  [ -z "$(listed ${number})" ]`]
    case 'silent':
      return [`  thing=${proof.thing}`, `  [ -z "$(listed ${number})" ] && ! deletes ${number}`]
    case 'once':
      return [
        `  thing=${proof.title.split(' ')[0]}`,
        `  strange=$(objects ${number} | grep "\\"title\\" *: *\\"$mark ${proof.title}\\"" | grep -vc "\\"$(id "$thing")\\"")`,
        `  times=$(tr '{[,' '\\n\\n\\n' < "$work/${number}.json" | grep -v "$mark-" | grep -c "\\"$(id "$thing")\\"")`,
        '  [ "$strange" -eq 0 ] && [ "$times" -le 1 ]',
      ]
    case 'accepted': {
      const created = step.kind === 'upload' ? step.creates.map(({ thing }) => ` && [ -n "$(id ${thing})" ]`) : []
      return [`  [ "$(since ${number})" != from= ] && ! grep -q '"error"' "$work/${number}.json"${created.join('')}`]
    }
    case 'apart':
      return [`  [ "$(id ${proof.things[0]})" != "$(id ${proof.things[1]})" ]`]
  }
}

/** The shell function `fine`, which fails when the anomaly is there. */
export const writeProof = (trace: Trace, anomaly: Anomaly): string[] => ['fine() {', ...writeCheck(anomaly, trace), '}']

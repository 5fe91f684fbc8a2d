/*
 * The story of one rule: the commands that went to the adapter with their results, what other devices did, and the
 * exchanges on the wire, in the order in which they happened. A report shows its end, with secrets replaced. A rule can
 * check several variants at the same time; each event knows its variant, so that a failure shows its own events only.
 */
import type { JsonObject } from '../encoding.ts'
import { describeExchange } from '../report/reported-result.ts'
import type { ClientProfile, Exchange } from '../result.ts'
import type { Outcome } from './adapter.ts'
import { isUpload, toExchange, type WireExchange } from './wire.ts'

/** Something that happened while a rule was checked; `who` names a client or a device. */
export type StoryEvent =
  | { readonly kind: 'command'; readonly who: string; readonly command: string; readonly parameters: JsonObject }
  | { readonly kind: 'outcome'; readonly who: string; readonly outcome: Outcome }
  | { readonly kind: 'exchange'; readonly exchange: WireExchange }
  /** Anything else, in words; `upload` is what another device sent. */
  | { readonly kind: 'note'; readonly text: string; readonly upload?: JsonObject }

/** Takes the events of one variant of a rule, or of a rule without variants. */
export type Tell = (event: StoryEvent) => void

/** The events of one rule. */
export interface Story {
  /** Returns the function that takes the events of a variant; without one, of the rule itself. */
  readonly tellFor: (variant?: number) => Tell
  /** Records that an error ended a variant; only the first one counts. */
  readonly blame: (error: unknown, variant: number) => void
  /** Returns the events behind an error: of the variant that it ended, or all. */
  readonly eventsBehind: (error: unknown) => readonly StoryEvent[]
  /** Forgets all events: the next part of a rule begins with new servers. */
  readonly clear: () => void
}

/** Creates the story of one rule, without events. */
export function createStory(): Story {
  let entries: { readonly event: StoryEvent; readonly variant: number | undefined }[] = []
  let failed: { readonly error: unknown; readonly variant: number } | undefined
  return {
    tellFor: (variant) => (event) => void entries.push({ event, variant }),
    blame: (error, variant) => {
      failed ??= { error, variant }
    },
    eventsBehind: (error) => {
      const variant = failed?.error === error ? failed?.variant : undefined
      return entries.filter((entry) => variant === undefined || entry.variant === variant).map(({ event }) => event)
    },
    clear: () => {
      entries = []
    },
  }
}

/** Returns the exchanges among events, oldest first. */
export function exchangesOf(events: readonly StoryEvent[]): readonly WireExchange[] {
  return events.flatMap((event) => (event.kind === 'exchange' ? event.exchange : []))
}

/**
 * Finds the exchange that a finding is about, when the finding names none. It belongs to the last command that sent a
 * request. There it is the last one that the rule scripted: a client may repeat its request, or follow a redirect, after
 * it. A replica syncs until nothing is left; what it holds then is not the fault of syncs without an upload and without
 * news.
 */
export function findDecisive(events: readonly StoryEvent[], profile: ClientProfile): WireExchange | undefined {
  const all = exchangesOf(events)
  const lastOutcome = events.findLast((event) => event.kind === 'outcome')?.outcome
  const isAboutState = profile === 'replica' && lastOutcome?.error === undefined
  const decisive = isAboutState ? lastWithNews(all) : all.at(-1)
  const last = events.findLastIndex((event) => event.kind === 'exchange' && event.exchange === decisive)
  const start = events.findLastIndex(({ kind }, index) => kind === 'command' && index < last)
  return exchangesOf(events.slice(start + 1, last + 1)).findLast(({ isScripted }) => isScripted) ?? decisive
}

/** Finds the last exchange that uploaded something, listed something or failed; otherwise the last one. */
export function lastWithNews(exchanges: readonly WireExchange[]): WireExchange | undefined {
  return exchanges.findLast((exchange) => !isIdleSync(exchange)) ?? exchanges.at(-1)
}

function isIdleSync({ request, response, isScripted }: WireExchange): boolean {
  if (request.path !== 'sync' || isUpload(request) || isScripted || response?.status !== 200) return false
  return !response.body.includes('"things"') && !response.body.includes('"tags"')
}

/** Describes an exchange for a report, with its secrets replaced. */
export function describeWire(exchange: WireExchange, redact: (text: string) => string): Exchange {
  return JSON.parse(redact(JSON.stringify(toExchange(exchange))))
}

/** Maximum number of lines of a story, and maximum length of one, in characters. */
export const storyLimits = { lines: 60, lineLength: 300 } as const

const heading = 'Commands to the adapter (>), their results (<), and the requests between them, oldest first:'

/** Renders the end of a story as text, or undefined without an event. `redact` replaces the secrets in a text. */
export function renderStory(events: readonly StoryEvent[], redact: (text: string) => string): string | undefined {
  const { lines: maxLines, lineLength } = storyLimits
  // From the end: a long rule has thousands of events, and the report shows only the last ones.
  let lines: string[] = []
  let index = events.length - 1
  for (; index >= 0 && lines.length < maxLines; index -= 1) {
    const event = events[index]
    if (event !== undefined) lines = [...renderEvent(event, redact), ...lines]
  }
  if (lines.length === 0) return undefined
  const leftOut = index + 1 === 0 ? [] : [`(${index + 1} earlier events are left out)`]
  const cut = (line: string): string => (line.length > lineLength ? `${line.slice(0, lineLength)}…` : line)
  return [heading, ...leftOut, ...lines.map(cut)].join('\n')
}

/** A secret is replaced before a text is cut: half of a secret would stay. */
function renderEvent(event: StoryEvent, redact: (text: string) => string): readonly string[] {
  const show = (value: unknown): string => redact(JSON.stringify(value))
  switch (event.kind) {
    case 'command': {
      const { who, command, parameters } = event
      return [`${who} > ${command}${Object.keys(parameters).length === 0 ? '' : ` ${show(parameters)}`}`]
    }
    case 'outcome': {
      const { who, outcome } = event
      return [
        outcome.error === undefined ? `${who} < ${show(outcome.result)}` : `${who} < error ${show(outcome.error)}`,
      ]
    }
    case 'exchange':
      return describeExchange(describeWire(event.exchange, redact))
        .split('\n')
        .map((line) => `    ${line}`)
    default:
      return [`${redact(event.text)}${event.upload === undefined ? '' : ` ${show(event.upload)}`}`]
  }
}

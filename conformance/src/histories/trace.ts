import type { Exchange } from '../result.ts'
import type { Answer } from './answer.ts'
import type { ListStep, PagesStep, ReplicaName, UploadStep } from './plan.ts'

/** What every event has. Times are ticks of one counter: a smaller one came before. */
interface Timed {
  /** Line of the story, from 1. */
  readonly number: number
  readonly round: number
  readonly who: ReplicaName
  readonly started: number
  readonly ended: number
}

/** One sync, or the pages of one listing, as it went. */
export interface SyncEvent extends Timed {
  readonly step: ListStep | UploadStep | PagesStep
  /** Number of the event whose position was sent as `from`; 0 when everything was asked for. */
  readonly base: number
  /** The answers in order: one, or one for each page; empty when the request was refused. */
  readonly answers: readonly Answer[]
  /** The position that the replica keeps; undefined when the request was refused. */
  readonly position: number | undefined
  /** What the server said instead of a sync answer. */
  readonly refusal: string | undefined
  readonly exchange: Exchange | undefined
  /** Number of the pages event between whose pages this one happened. */
  readonly during: number | undefined
}

/** A grant by request token. */
export interface RefreshEvent extends Timed {
  readonly step: { readonly kind: 'refresh' }
}

/** One thing that happened. */
export type TraceEvent = SyncEvent | RefreshEvent

/** A history as it was played. */
export interface Trace {
  readonly mark: string
  /** In the order in which they were started; `number` counts them. */
  readonly events: readonly TraceEvent[]
  /** The `_id` that each created thing was given. */
  readonly idOf: ReadonlyMap<string, string>
}

/** Whether the event is a sync. */
export const isSync = (event: TraceEvent): event is SyncEvent => event.step.kind !== 'refresh'

/** The upload that the event sent, if it did. */
export const uploadOf = (event: TraceEvent): UploadStep | undefined =>
  event.step.kind === 'upload' ? event.step : undefined

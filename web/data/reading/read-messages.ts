import { ClientError, type ClientErrorCode, isClientError } from '../../../client/src/index.ts'
import type { ThingPart } from './thing-part.ts'

/** What a reading worker is told: first the name of the store, and then that one more part may be sent. */
export type ReadAsked = { readonly kind: 'read'; readonly store: string } | { readonly kind: 'next' }

/** What it answers; after `end` and `failure` there is nothing more. */
export type ReadTold =
  | { readonly kind: 'part'; readonly part: ThingPart }
  | { readonly kind: 'end' }
  | { readonly kind: 'failure'; readonly message: string; readonly code?: ClientErrorCode }

/** Where a reading runs: a worker in a browser. */
export interface ReadPort {
  readonly send: (asked: ReadAsked) => void
  readonly listen: (listener: (told: ReadTold) => void) => void
  readonly stop: () => void
}

/** An error loses its code on its way out of a worker. */
export const toFailure = (error: unknown): ReadTold => {
  const message = error instanceof Error ? error.message : String(error)
  return { kind: 'failure', message, ...(isClientError(error) ? { code: error.code } : {}) }
}

const toError = ({ message, code }: Extract<ReadTold, { kind: 'failure' }>): Error =>
  code === undefined ? new Error(message) : new ClientError(code, message)

/** Parts that are made while others are taken in. */
const partsAhead = 3

/** The parts that come through a port. */
export async function* receiveParts({ send, listen, stop }: ReadPort, store: string): AsyncGenerator<ThingPart, void> {
  const arrived: ReadTold[] = []
  let wake = () => {}
  listen((told) => {
    arrived.push(told)
    wake()
  })
  try {
    send({ kind: 'read', store })
    for (let ahead = 0; ahead < partsAhead; ahead++) send({ kind: 'next' })
    while (true) {
      const told = arrived.shift()
      if (told === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      if (told.kind === 'failure') throw toError(told)
      if (told.kind === 'end') return
      send({ kind: 'next' })
      yield told.part
    }
  } finally {
    stop()
  }
}

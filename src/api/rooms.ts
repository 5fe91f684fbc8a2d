import { type BytePace, createBytePace } from '../wire/byte-pace.ts'
import { type BodyRoom, createBodyRoom } from './body-room.ts'
import { type ByteGate, createByteGate } from './byte-gate.ts'
import type { Limits } from './limits.ts'

/** Where the bytes of all bodies of a server are counted while they are under way. */
export interface Rooms {
  /** Of senders that are not known yet, by address. */
  readonly unknown: BodyRoom
  /** Of users, by user id. */
  readonly users: BodyRoom
  /** How fast bodies may come that may be for nothing. */
  readonly pace: BytePace
  /** Where long bodies of users wait to be decoded. */
  readonly gate: ByteGate
}

/** Empty rooms; `now` is the time in milliseconds. */
export const createRooms = (limits: Limits, now: () => number): Rooms => ({
  unknown: createBodyRoom(
    {
      total: limits.unknownBytes,
      each: limits.unknownBytesPerAddress,
      safeSeconds: limits.unknownSafeSeconds,
      refusal: 'tooManyUnknownBytes',
    },
    now,
  ),
  users: createBodyRoom({ total: Number.POSITIVE_INFINITY, each: limits.userBytes, refusal: 'tooManyUserBytes' }, now),
  pace: createBytePace(limits.unknownBytesPerSecond),
  gate: createByteGate(limits.longBytesAtOnce),
})

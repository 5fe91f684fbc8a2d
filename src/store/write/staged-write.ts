import type { AccountSteps } from '../image/account.ts'
import type { Records } from '../image/records.ts'
import type { ErrandChange, OtherChange, StoredTag, Tombstone } from '../record/change.ts'
import { createThingScanner, type EncodedThing } from '../record/encoded-thing.ts'
import { thingStart } from '../record/thing-step.ts'
import type { TagUsage } from '../store.ts'
import type { StepRoom } from './step-room.ts'

/** A step of a write: of a thing its place in the room, any other as it is. */
export type StagedStep = number | OtherChange

/** The changes of one write, which others may be staged on before it is durable. */
export interface StagedWrite extends AccountSteps {
  /** The account's position after it. */
  readonly position: number
  /** By id: the place of the last version of a thing, or its tombstone. */
  readonly items: ReadonlyMap<string, number | Tombstone>
  /** The thing at a place, which is used again for the next one. */
  readonly readThing: (place: number) => EncodedThing
  readonly tags: ReadonlyMap<string, StoredTag>
  /** What the account keeps of tags after it. */
  readonly tagUsage: TagUsage
  /** All records of the account after it. */
  readonly records: Records
  readonly errands: ReadonlyMap<string, ErrandChange>
  /** Those that are among its steps. */
  readonly errandSteps: readonly ErrandChange[]
  /** Its steps as a JSON list, in pieces. */
  readonly json: readonly Buffer[]
}

/** The last version of a thing in a write, which is used again for the next one, or its tombstone. */
export const findIn = ({ items, readThing }: Pick<StagedWrite, 'items' | 'readThing'>, id: string) => {
  const item = items.get(id)
  return typeof item === 'number' ? readThing(item) : item
}

/** Reads the things of a room. */
export const readThingsOf = (room: StepRoom): StagedWrite['readThing'] => {
  const scan = createThingScanner()
  return (place) => {
    const { bytes, start } = room.find(place)
    const thing = scan(bytes, start + thingStart)
    if (thing === undefined) throw new Error('the step of a thing is not what was written')
    return thing
  }
}

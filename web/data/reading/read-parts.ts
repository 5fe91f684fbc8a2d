import type { ReplicaReader, ReplicaThing } from '../../../client/src/index.ts'
import { createParts, type ThingPart } from './thing-part.ts'

/** Few messages, and a page that draws between two of them. */
const thingsPerStep = 1_000

/** Everything that a replica shows. */
export async function* readParts(reader: Pick<ReplicaReader, 'listThingParts'>): AsyncGenerator<ThingPart, void> {
  let gathered: ReplicaThing[] = []
  for await (const things of reader.listThingParts()) {
    gathered.push(...things)
    if (gathered.length < thingsPerStep) continue
    yield* createParts(gathered)
    gathered = []
  }
  yield* createParts(gathered)
}

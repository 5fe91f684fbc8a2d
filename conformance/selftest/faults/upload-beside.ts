import { type Behaviour, right } from '../server/behaviour.ts'
import { type Exchange, findParameter } from '../server/right-requests.ts'
import type { Upload } from '../server/right-uploads.ts'
import type { Json } from '../server/world.ts'
import { answers, type Fault, fault } from './fault.ts'
import { beside } from './upload-array.ts'

const { listsThing } = right

function numberOf(exchange: Exchange, name: string): number | undefined {
  const value = findParameter(exchange.parameters, name)
  return value === undefined ? undefined : Number(value)
}

function withoutUploads(all: Exchange['parameters']): Exchange['parameters'] {
  return all.filter(([name]) => !/_thing|^tag/.test(name))
}

/** The entries of `things.new` cut by a parameter. */
export function cutNew(
  cut: (entries: readonly (readonly [string, Json])[], exchange: Exchange) => readonly (readonly [string, Json])[],
): Partial<Behaviour> {
  return answers((answer, exchange) => {
    const things = answer.things as { new?: object } | undefined
    return things?.new === undefined
      ? answer
      : { ...answer, things: { ...things, new: Object.fromEntries(cut(Object.entries(things.new), exchange)) } }
  })
}

function cutCreated(cut: (upload: Upload, exchange: Exchange) => Partial<Upload>): Partial<Behaviour> {
  return {
    delay: async (exchange) => void exchange.account?.memory.set('asked', exchange),
    applied: (upload, _session, account) => {
      const exchange = account.memory.get('asked') as Exchange | undefined
      return exchange === undefined ? upload : { ...upload, ...cut(upload, exchange) }
    },
  }
}

/** What was given as skip_id so far, this request included. */
function skipped({ parameters }: Exchange, memory: Map<string, Json>): ReadonlySet<Json> {
  const known = (memory.get('skipped') ?? new Set()) as Set<Json>
  memory.set('skipped', known)
  const id = findParameter(parameters, 'skip_id')
  if (id !== undefined) known.add(id)
  return known
}

/** Uploads beside `limit`, `skip` and `skip_id` (interface 4.3). */
export const uploadBesideFaults: readonly Fault[] = [
  fault(
    'limit-cuts-upload',
    'creates as many things as limit says',
    cutCreated(({ created }, exchange) => ({ created: created.slice(0, numberOf(exchange, 'limit')) })),
  ),
  fault(
    'limit-cuts-new-map',
    'maps as many things as limit says',
    cutNew((entries, exchange) => entries.slice(0, numberOf(exchange, 'limit'))),
  ),
  fault('limit-makes-read-only', 'reads no upload beside a limit', beside('limit', withoutUploads)),
  fault(
    'skip-cuts-upload',
    'skips new things, too',
    cutCreated(({ created }, exchange) => ({ created: created.slice(numberOf(exchange, 'skip') ?? 0) })),
  ),
  fault(
    'skip-cuts-new-map',
    'skips entries of things.new, too',
    cutNew((entries, exchange) => entries.slice(numberOf(exchange, 'skip') ?? 0)),
  ),
  fault(
    'skip-id-stops-changes',
    'does not change things given as skip_id',
    cutCreated(({ changed }, exchange) => ({
      changed: changed.filter(({ id }) => id !== findParameter(exchange.parameters, 'skip_id')),
    })),
  ),
  fault(
    'skip-id-stops-deletions',
    'deletes nothing beside a skip_id',
    cutCreated(({ deleted }, exchange) => ({
      deleted: findParameter(exchange.parameters, 'skip_id') === undefined ? deleted : [],
    })),
  ),
  fault('skip-id-makes-read-only', 'reads no upload beside a skip_id', beside('skip_id', withoutUploads)),
  fault('skip-id-remembered', 'leaves out for a session what it once gave as skip_id', {
    listsThing: (thing, of) => listsThing(thing, of) && !skipped(of.exchange, of.session.memory).has(thing.id),
  }),
  fault('skip-id-for-everybody', 'leaves out for all devices what one gave as skip_id', {
    listsThing: (thing, of) => listsThing(thing, of) && !skipped(of.exchange, of.account.memory).has(thing.id),
  }),
  fault('skip-id-deletes', 'deletes what is given as skip_id', {
    delay: async ({ account, parameters }) => {
      const thing = account?.things.get(findParameter(parameters, 'skip_id'))
      if (thing !== undefined) thing.deleted = true
    },
  }),
]

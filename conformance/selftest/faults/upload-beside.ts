import { type Behaviour, right } from '../server/behaviour.ts'
import type { Exchange } from '../server/right-requests.ts'
import { findParameter } from '../server/right-requests.ts'
import type { Upload } from '../server/right-uploads.ts'
import type { Json } from '../server/world.ts'
import { answers, type Fault } from './fault.ts'
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
  {
    id: 'limit-cuts-upload',
    title: 'creates as many things as limit says',
    behaviour: cutCreated(({ created }, exchange) => ({ created: created.slice(0, numberOf(exchange, 'limit')) })),
  },
  {
    id: 'limit-cuts-new-map',
    title: 'maps as many things as limit says',
    behaviour: cutNew((entries, exchange) => entries.slice(0, numberOf(exchange, 'limit'))),
  },
  { id: 'limit-makes-read-only', title: 'reads no upload beside a limit', behaviour: beside('limit', withoutUploads) },
  {
    id: 'skip-cuts-upload',
    title: 'skips new things, too',
    behaviour: cutCreated(({ created }, exchange) => ({ created: created.slice(numberOf(exchange, 'skip') ?? 0) })),
  },
  {
    id: 'skip-cuts-new-map',
    title: 'skips entries of things.new, too',
    behaviour: cutNew((entries, exchange) => entries.slice(numberOf(exchange, 'skip') ?? 0)),
  },
  {
    id: 'skip-id-stops-changes',
    title: 'does not change things given as skip_id',
    behaviour: cutCreated(({ changed }, exchange) => ({
      changed: changed.filter(({ id }) => id !== findParameter(exchange.parameters, 'skip_id')),
    })),
  },
  {
    id: 'skip-id-stops-deletions',
    title: 'deletes nothing beside a skip_id',
    behaviour: cutCreated(({ deleted }, exchange) => ({
      deleted: findParameter(exchange.parameters, 'skip_id') === undefined ? deleted : [],
    })),
  },
  {
    id: 'skip-id-makes-read-only',
    title: 'reads no upload beside a skip_id',
    behaviour: beside('skip_id', withoutUploads),
  },
  {
    id: 'skip-id-remembered',
    title: 'leaves out for a session what it once gave as skip_id',
    behaviour: {
      listsThing: (thing, of) => listsThing(thing, of) && !skipped(of.exchange, of.session.memory).has(thing.id),
    },
  },
  {
    id: 'skip-id-for-everybody',
    title: 'leaves out for all devices what one gave as skip_id',
    behaviour: {
      listsThing: (thing, of) => listsThing(thing, of) && !skipped(of.exchange, of.account.memory).has(thing.id),
    },
  },
  {
    id: 'skip-id-deletes',
    title: 'deletes what is given as skip_id',
    behaviour: {
      delay: async ({ account, parameters }) => {
        const thing = account?.things.get(findParameter(parameters, 'skip_id'))
        if (thing !== undefined) thing.deleted = true
      },
    },
  },
]

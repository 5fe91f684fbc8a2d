import { right } from '../server/behaviour.ts'
import type { Fault } from './fault.ts'
import { unless } from './transport.ts'

const { findAccessToken } = right

function isArray(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('[')
}

/** Empty bodies, and uploads by GET (interface 4.3). */
export const getUploadFaults: readonly Fault[] = [
  {
    id: 'empty-post-refused',
    title: 'refuses empty bodies',
    behaviour: {
      bodyOf: (chunks, headers, url) => {
        unless(!(headers['content-length'] === '0' && url.includes('sync')), 'the body is empty')
        return Buffer.concat(chunks)
      },
    },
  },
  {
    id: 'empty-post-empty-answer',
    title: 'lists nothing for an empty body',
    behaviour: {
      listed: (list, _kind, { exchange }) =>
        exchange.method === 'POST' && exchange.parameters.length === 0 ? [] : list,
    },
  },
  {
    id: 'empty-post-token-unread',
    title: 'looks for the token of a POST without parameters nowhere',
    behaviour: {
      findAccessToken: (world, token, way, exchange) =>
        exchange.method === 'POST' && exchange.body.length === 0 && way === 'header'
          ? undefined
          : findAccessToken(world, token, way, exchange),
      tokenBeforeBody: false,
    },
  },
  ...(['new_thing', 'changed_thing', 'deleted_thing', 'tag'] as const).map(
    (kind): Fault => ({
      id: {
        new_thing: 'get-creates',
        changed_thing: 'get-changes',
        deleted_thing: 'get-deletes',
        tag: 'get-sets-tags',
      }[kind],
      title: `applies ${kind} of a GET`,
      behaviour: {
        overlooks: ['upload-in-get'],
        anyMethod: true,
        parameters: (all, { method, path }) =>
          method === 'GET' && path === 'sync'
            ? all.filter(([name]) => name.startsWith(kind) || !/_thing|^tag/.test(name))
            : all,
      },
    }),
  ),
  {
    id: 'get-deletion-hides',
    title: 'leaves out of the answer to a GET what its query deletes',
    behaviour: {
      overlooks: ['upload-in-get'],
      listsThing: (thing, of) =>
        right.listsThing(thing, of) && thing.id !== of.exchange.query.find(([name]) => name === 'deleted_thing')?.[1],
    },
  },
  {
    id: 'get-change-shows',
    title: 'shows in the answer to a GET what its query changes',
    behaviour: {
      overlooks: ['upload-in-get'],
      thing: (thing, isTodo, of) => {
        const text = of?.exchange.query.find(([name]) => name === 'changed_thing')?.[1]
        const change = typeof text === 'string' ? (JSON.parse(text) as { _id: string }) : undefined
        const json = right.thing(thing, isTodo, of) as object
        return change?._id === thing.id ? { ...json, ...change } : json
      },
    },
  },
  {
    id: 'get-array-creates',
    title: 'applies new_thing[] of a GET',
    behaviour: {
      overlooks: ['upload-in-get'],
      anyMethod: true,
      parameters: (all, { method, path }) =>
        method === 'GET' && path === 'sync'
          ? all.filter(([name]) => name === 'new_thing[]' || !/_thing|^tag/.test(name))
          : all,
    },
  },
  {
    id: 'get-json-array-deletes',
    title: 'applies a deletion of a GET that is a JSON array',
    behaviour: {
      overlooks: ['upload-in-get'],
      anyMethod: true,
      parameters: (all, { method, path }) =>
        method === 'GET' && path === 'sync'
          ? all
              .filter(([name, value]) => !/_thing|^tag/.test(name) || (name === 'deleted_thing' && isArray(value)))
              .map(([name, value]) => (name === 'deleted_thing' ? [name, JSON.parse(String(value))] : [name, value]))
          : all,
    },
  },
  {
    id: 'get-new-answered',
    title: 'gives _ids for what a GET would create',
    behaviour: {
      overlooks: ['upload-in-get'],
      things: (things, { exchange }) => {
        const isMeant = exchange.method === 'GET' && exchange.query.some(([name]) => name === 'new_thing')
        return right.things(isMeant ? { new: { a: 'a1' }, ...things } : things, {} as never)
      },
    },
  },
  {
    id: 'get-new-counted',
    title: 'counts in thingCount what a GET would create',
    behaviour: {
      overlooks: ['upload-in-get'],
      syncAnswer: (answer, { method, query }) => {
        const isMeant = method === 'GET' && query.some(([name]) => name === 'new_thing')
        return isMeant ? { ...answer, thingCount: Number(answer.thingCount ?? 0) + 1 } : answer
      },
    },
  },
  {
    id: 'get-with-upload-deletes-all',
    title: 'deletes things for a GET with a deletion in its query, whichever they are',
    behaviour: {
      delay: async (exchange) => {
        if (exchange.method !== 'GET' || !exchange.parameters.some(([name]) => name === 'deleted_thing')) return
        for (const thing of exchange.account?.things.values() ?? []) thing.deleted = true
      },
    },
  },
]

import { right } from '../server/behaviour.ts'
import { type Fault, fault } from './fault.ts'
import { unless } from './transport.ts'

const { findAccessToken } = right

function isArray(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('[')
}

/** Empty bodies, and uploads by GET (interface 4.3). */
export const getUploadFaults: readonly Fault[] = [
  fault('empty-post-refused', 'refuses empty bodies', {
    bodyOf: (chunks, headers, url) => {
      unless(!(headers['content-length'] === '0' && url.includes('sync')), 'the body is empty')
      return Buffer.concat(chunks)
    },
  }),
  fault('empty-post-empty-answer', 'lists nothing for an empty body', {
    listed: (list, _kind, { exchange }) => (exchange.method === 'POST' && exchange.parameters.length === 0 ? [] : list),
  }),
  fault('empty-post-token-unread', 'looks for the token of a POST without parameters nowhere', {
    findAccessToken: (world, token, way, exchange) =>
      exchange.method === 'POST' && exchange.body.length === 0 && way === 'header'
        ? undefined
        : findAccessToken(world, token, way, exchange),
    tokenBeforeBody: false,
  }),
  ...(['new_thing', 'changed_thing', 'deleted_thing', 'tag'] as const).map(
    (kind): Fault =>
      fault(
        {
          new_thing: 'get-creates',
          changed_thing: 'get-changes',
          deleted_thing: 'get-deletes',
          tag: 'get-sets-tags',
        }[kind],
        `applies ${kind} of a GET`,
        {
          overlooks: ['upload-in-get'],
          anyMethod: true,
          parameters: (all, { method, path }) =>
            method === 'GET' && path === 'sync'
              ? all.filter(([name]) => name.startsWith(kind) || !/_thing|^tag/.test(name))
              : all,
        },
      ),
  ),
  fault('get-deletion-hides', 'leaves out of the answer to a GET what its query deletes', {
    overlooks: ['upload-in-get'],
    listsThing: (thing, of) =>
      right.listsThing(thing, of) && thing.id !== of.exchange.query.find(([name]) => name === 'deleted_thing')?.[1],
  }),
  fault('get-change-shows', 'shows in the answer to a GET what its query changes', {
    overlooks: ['upload-in-get'],
    thing: (thing, isTodo, of) => {
      const text = of?.exchange.query.find(([name]) => name === 'changed_thing')?.[1]
      const change = typeof text === 'string' ? (JSON.parse(text) as { _id: string }) : undefined
      const json = right.thing(thing, isTodo, of) as object
      return change?._id === thing.id ? { ...json, ...change } : json
    },
  }),
  fault('get-array-creates', 'applies new_thing[] of a GET', {
    overlooks: ['upload-in-get'],
    anyMethod: true,
    parameters: (all, { method, path }) =>
      method === 'GET' && path === 'sync'
        ? all.filter(([name]) => name === 'new_thing[]' || !/_thing|^tag/.test(name))
        : all,
  }),
  fault('get-json-array-deletes', 'applies a deletion of a GET that is a JSON array', {
    overlooks: ['upload-in-get'],
    anyMethod: true,
    parameters: (all, { method, path }) =>
      method === 'GET' && path === 'sync'
        ? all
            .filter(([name, value]) => !/_thing|^tag/.test(name) || (name === 'deleted_thing' && isArray(value)))
            .map(([name, value]) => (name === 'deleted_thing' ? [name, JSON.parse(String(value))] : [name, value]))
        : all,
  }),
  fault('get-new-answered', 'gives _ids for what a GET would create', {
    overlooks: ['upload-in-get'],
    things: (things, { exchange }) => {
      const isMeant = exchange.method === 'GET' && exchange.query.some(([name]) => name === 'new_thing')
      return right.things(isMeant ? { new: { a: 'a1' }, ...things } : things, {} as never)
    },
  }),
  fault('get-new-counted', 'counts in thingCount what a GET would create', {
    overlooks: ['upload-in-get'],
    syncAnswer: (answer, { method, query }) => {
      const isMeant = method === 'GET' && query.some(([name]) => name === 'new_thing')
      return isMeant ? { ...answer, thingCount: Number(answer.thingCount ?? 0) + 1 } : answer
    },
  }),
  fault('get-with-upload-deletes-all', 'deletes things for a GET with a deletion in its query, whichever they are', {
    delay: async (exchange) => {
      if (exchange.method !== 'GET' || !exchange.parameters.some(([name]) => name === 'deleted_thing')) return
      for (const thing of exchange.account?.things.values() ?? []) thing.deleted = true
    },
  }),
]

import type { RunningExchange } from './behaviour.ts'
import { announce } from './delivery.ts'
import { notifications, type Operation } from './notifications.ts'
import type { Reply } from './right-requests.ts'
import { findParameter } from './right-requests.ts'
import { completeFields, readFields } from './upload.ts'
import { countParameter, readBoolean, readNumber, refuse, textParameter } from './values.ts'
import { type Account, createThing, type Json, type JsonObject, type Session, type Thing } from './world.ts'
import { addThing } from './write.ts'

function ok(body: Json): Reply {
  return { status: 200, headers: {}, body }
}

function accountOf({ account }: RunningExchange): Account {
  if (account === undefined) throw new Error('the operation needs a session')
  return account
}

function returned(exchange: RunningExchange, thing: Thing): JsonObject {
  const { behaviour } = exchange.world
  const tags = behaviour.tagsOf(accountOf(exchange), exchange.world)
  return behaviour.thing(thing, behaviour.isTodo(thing, tags)) as JsonObject
}

function tagsGet(exchange: RunningExchange): Reply {
  const { world } = exchange
  const account = accountOf(exchange)
  const from = readNumber(world, findParameter(exchange.parameters, 'from'), 'from')
  const settings = world.behaviour.tagsOf(account, world)
  const counts = new Map([...settings].filter(([, tag]) => tag.settings.favorite).map(([name]) => [name, 0]))
  for (const thing of account.things.values()) {
    if (!world.behaviour.countsThing(thing)) continue
    for (const name of new Set(thing.fields.tags.split(/\s+/))) if (name) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const isFavorite = (name: string): boolean => settings.get(name)?.settings.favorite === true
  const nothingNew = from === account.position && world.behaviour.tagsGetReadsFrom
  const all = nothingNew ? [] : [...counts]
  const apart = world.behaviour.favoritesApart
  return ok({
    pos: account.position,
    favorite: Object.fromEntries(all.filter(([name]) => isFavorite(name) && apart)),
    other: Object.fromEntries(all.filter(([name]) => !isFavorite(name) || !apart)),
  })
}

function given(exchange: RunningExchange): JsonObject {
  return Object.fromEntries(exchange.parameters)
}

function next(exchange: RunningExchange, operation: string, old: number): number {
  const { behaviour } = exchange.world
  return behaviour.operationMoves.includes(operation) ? behaviour.nextPosition(accountOf(exchange)) : old
}

function thingAdd(exchange: RunningExchange): Reply {
  const { world, session } = exchange
  const account = accountOf(exchange)
  const fields = readFields(world, given(exchange), 'thing')
  if (fields.title === undefined) refuse(world, 'title-missing', 'title is required')
  const prevents = readBoolean(world, findParameter(exchange.parameters, 'prevent_duplicate'), 'prevent_duplicate')
  const complete = completeFields(world, fields)
  if (world.behaviour.urlFromTitle && /^https?:\/\/\S+$/i.test(complete.title)) complete.url ??= complete.title
  if (prevents === true && complete.url !== undefined && world.behaviour.preventsDuplicates) {
    const same = [...account.things.values()].find(({ deleted, fields: { url } }) => !deleted && url === complete.url)
    if (same !== undefined) return ok({ ...returned(exchange, same), duplicate: true })
  }
  const id = world.behaviour.newId(account, world)
  const position = next(exchange, 'add', account.position)
  const thing = addThing(account, session as Session, id, complete, position)
  announce(world, account, session as Session, 'operation')
  return ok(returned(exchange, thing))
}

function findThing(exchange: RunningExchange): Thing {
  const id = textParameter(exchange, '_id')
  if (id === undefined) refuse(exchange.world, 'id-missing', '_id is required')
  const thing = exchange.world.behaviour.findToChange(accountOf(exchange), String(id), exchange.world)
  if (thing !== undefined) return thing
  refuse(exchange.world, 'thing-unknown', 'there is no such thing')
  const fields = completeFields(exchange.world, {})
  return { ...createThing(exchange.session as Session, id, fields, 0), deleted: true }
}

function thingChange(exchange: RunningExchange): Reply {
  const { world } = exchange
  const thing = findThing(exchange)
  const change = readFields(world, given(exchange), 'thing')
  const { operationKeepsAbsent } = world.behaviour
  const old = operationKeepsAbsent ? thing.fields : { ...completeFields(world, {}), title: thing.fields.title }
  thing.fields = world.behaviour.changedFields(old, change)
  thing.position = next(exchange, 'change', thing.position)
  thing.writers.set(exchange.session as Session, thing.position)
  announce(world, accountOf(exchange), exchange.session as Session, 'operation')
  return ok(returned(exchange, thing))
}

function thingDelete(exchange: RunningExchange): Reply {
  const thing = findThing(exchange)
  thing.position = next(exchange, 'delete', thing.position)
  thing.writers.set(exchange.session as Session, thing.position)
  exchange.world.behaviour.remove(thing, accountOf(exchange))
  announce(exchange.world, accountOf(exchange), exchange.session as Session, 'operation')
  return ok({ deleted_thing: thing.id })
}

function thingsGet(exchange: RunningExchange): Reply {
  const { behaviour } = exchange.world
  const reads = (name: string): boolean => behaviour.thingsGetReads.includes(name)
  const archived = reads('archived') ? textParameter(exchange, 'archived') : undefined
  const tag = reads('tag') ? textParameter(exchange, 'tag') : undefined
  const skip = (reads('skip') ? countParameter(exchange, 'skip') : undefined) ?? 0
  const limit = reads('limit') ? countParameter(exchange, 'limit') : undefined
  const things = [...accountOf(exchange).things.values()]
    .filter((thing) => !thing.deleted && behaviour.getsThing(thing, archived))
    .filter(({ fields }) => tag === undefined || fields.tags.split(/\s+/).includes(tag))
    .sort((a, b) => a.position - b.position)
    .map((thing) => returned(exchange, thing))
  return ok(behaviour.page(things, skip, limit))
}

function userGet(exchange: RunningExchange): Reply {
  const account = accountOf(exchange)
  const thingCount = [...account.things.values()].filter(({ deleted }) => !deleted).length
  const username = exchange.world.behaviour.userName(account)
  return ok({ username, date: account.createdAt, pos: account.position, thingCount })
}

/** The operations besides token and sync, by path. */
export const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['tags/get', { methods: ['GET'], answer: tagsGet }],
  ['thing/add', { methods: ['POST'], answer: thingAdd }],
  ['thing/change', { methods: ['POST'], answer: thingChange }],
  ['thing/delete', { methods: ['POST'], answer: thingDelete }],
  ['things/get', { methods: ['GET'], answer: thingsGet }],
  ['user/get', { methods: ['GET'], answer: userGet }],
  ...notifications,
  ['test', { methods: ['GET', 'POST'], answer: (exchange) => ok({ user: accountOf(exchange).username }) }],
])

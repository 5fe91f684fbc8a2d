/*
 * What it means that a replica has converged: it holds what the account holds, each thing once. Values that right
 * servers may change are compared as what they mean: tags as a set, colors without letter case.
 */
import { isObject, type JsonObject, showValue } from '../encoding.ts'
import type { Account } from '../model/state.ts'
import { canonicalize, expectThat, type HeldThing, type ReplicaDevice } from './client-lab.ts'
import type { ScriptedServer } from './scripted-server.ts'

/** Returns the sorted set of the tags of a thing. */
function tagsOf(tags: unknown): readonly string[] {
  return [...new Set(String(tags ?? '').split(' '))].filter((tag) => tag !== '').sort()
}

/** Returns the fields that two copies of a thing must have in common; `date` only where the other copy has it. */
function comparable(thing: JsonObject, hasDate: boolean): JsonObject {
  const { title, tags, url, html, archived, date } = thing
  return {
    ...{ title: title ?? '', tags: tagsOf(tags), archived: archived === true },
    ...(url === undefined || url === '' ? {} : { url }),
    ...(html === undefined || html === '' ? {} : { html }),
    ...(hasDate && date !== undefined ? { date } : {}),
  }
}

/** Describes the first difference between a replica and the account; undefined when there is none. */
export function findDifference(held: readonly HeldThing[], account: readonly JsonObject[]): string | undefined {
  const ids = held.map((thing) => thing._id)
  const twice = ids.find((id, index) => typeof id === 'string' && ids.indexOf(id) !== index)
  if (twice !== undefined) return `it holds the thing ${showValue(twice)} twice`
  const byId = new Map(account.map((thing) => [thing._id, thing]))
  for (const thing of held) {
    if (typeof thing._id !== 'string') return `it holds "${thing.title}" without an _id`
    const stored = byId.get(thing._id)
    if (stored === undefined) return `it holds "${thing.title}" (${thing._id}), which the account does not have`
    const [here, there] = [comparable(thing, true), comparable(stored, thing.date !== undefined)]
    if (canonicalize(here) !== canonicalize(there))
      return `it holds ${showValue(here)}, but the account has ${showValue(there)}`
  }
  const missing = account.find((thing) => !ids.includes(thing._id as string))
  return missing === undefined ? undefined : `it does not hold "${missing.title}" (${showValue(missing._id)})`
}

const plain = { favorite: false, color: false, todo: false }

/** Describes the first difference between the tag settings of a replica and of the account. */
export function findTagDifference(held: JsonObject, { tags }: Account): string | undefined {
  const meaning = (settings: unknown): string => {
    const given: JsonObject = { ...plain, ...(isObject(settings) ? settings : {}) }
    const color = typeof given.color === 'string' ? given.color.toLowerCase() : given.color
    return canonicalize({ favorite: given.favorite, color, todo: given.todo !== false })
  }
  for (const [name, { settings }] of tags) {
    const here = Object.entries(held).find(([key]) => key === name)?.[1]
    if (meaning(here) !== meaning(settings))
      return `it has ${showValue(here)} for the tag "${name}", but the account has ${showValue(settings)}`
  }
  return undefined
}

/**
 * Expects that a replica, which has just synced, holds what the account holds, and has no edits that wait.
 * @throws Finding that names the first difference
 */
export async function expectConverged(server: ScriptedServer, device: ReplicaDevice, because: string): Promise<void> {
  const { things, tags } = await device.read()
  const difference = findDifference(things, server.things()) ?? findTagDifference(tags, server.account())
  expectThat(
    difference === undefined,
    `${device.name} to hold what the account holds, because ${because}`,
    difference ?? '',
  )
  const { pending } = await device.state()
  expectThat(
    pending === 0,
    `no edit that waits in ${device.name}, because ${because}`,
    `state says that ${pending} wait`,
  )
}

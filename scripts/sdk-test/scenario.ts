import { readFileSync } from 'node:fs'
import { isObject, type JsonObject } from '../json.ts'

/** One call of the scenario and what its answer must be; `about` in `sdk/scenario.json` explains the fields. */
export type Step = {
  name: string
  call: string
  with?: JsonObject
  token?: string
  present?: 'pair' | 'query' | 'body'
  expect?: Record<string, unknown>
  absent?: string[]
  size?: Record<string, number>
  error?: JsonObject
  keep?: Record<string, string>
  pages?: { limit: number; things: number }
}

/** The whole scenario, with the user that the server must have. */
export type Scenario = { user: { username: string; password: string }; steps: Step[] }

/** Reads `sdk/scenario.json`. */
export const readScenario = (): Scenario => JSON.parse(readFileSync('sdk/scenario.json', 'utf8'))

/** The value at a JSON pointer; undefined when there is none. */
export function findAt(value: unknown, pointer: string): unknown {
  let at = value
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(at)) at = at[Number(name)]
    else at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }
  return at
}

function repeatItem({ repeat, item }: JsonObject, kept: ReadonlyMap<string, unknown>): unknown[] {
  const text = JSON.stringify(fillIn(item, kept))
  return Array.from({ length: Number(repeat) }, (_, index) => JSON.parse(text.replaceAll('{n}', String(index + 1))))
}

/** The value with every `$name` in it replaced by what was kept, and every `repeat` written out. */
export function fillIn(value: unknown, kept: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((item) => (isObject(item) && 'repeat' in item ? repeatItem(item, kept) : [fillIn(item, kept)]))
  }
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillIn(item, kept)]))
  if (typeof value !== 'string' || !value.startsWith('$')) return value
  if (!kept.has(value.slice(1))) throw new Error(`sdk/scenario.json: nothing was kept as ${value}`)
  return kept.get(value.slice(1))
}

import type { RunningExchange, RunningWorld } from './behaviour.ts'
import { Refusal, type RefusalReason } from './refusal.ts'
import { findParameter } from './right-requests.ts'
import type { Json, JsonObject } from './world.ts'

/** Refuses for a reason, unless this server overlooks it. */
export function refuse(
  world: RunningWorld,
  reason: RefusalReason,
  message: string,
  headers?: Record<string, string>,
): void {
  if (!world.behaviour.overlooks.includes(reason)) throw new Refusal(reason, message, headers)
}

/** Whether a value is a JSON object. */
export function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value that may be JSON in a form's text. */
export function parseJson(world: RunningWorld, value: Json, name: string): Json {
  if (typeof value !== 'string') return value
  if (depthOf(value) > world.behaviour.maxJsonDepth) refuse(world, 'bad-json', `${name} nests too deep`)
  try {
    return JSON.parse(value)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    refuse(world, 'bad-json', `${name} is not JSON`)
    return undefined
  }
}

/** Levels that the brackets of a JSON text nest; those inside its strings do not count. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const bracket of text.replace(/"(?:[^"\\]|\\.)*"/gs, '').match(/[[\]{}]/g) ?? []) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** The fields that say something; null says nothing (contract, sync 8). */
export function withoutNulls(world: RunningWorld, given: JsonObject): JsonObject {
  if (!world.behaviour.nullIsAbsent) return given
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
}

/** A boolean in any accepted spelling; undefined stays undefined. */
export function readBoolean(world: RunningWorld, value: Json, name: string): boolean | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'boolean') return value
  const found = world.behaviour.readsBooleanText ? booleans.get(world.behaviour.booleanText(String(value))) : undefined
  if (found === undefined) refuse(world, 'boolean-invalid', `${name} is not a boolean`)
  return found
}

/** A finite number, or text that holds one; undefined stays undefined. */
export function readNumber(world: RunningWorld, value: Json, name: string): number | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isFinite(value)) return value
  const text = typeof value === 'string' ? value.trim() : ''
  if (text !== '' && Number.isFinite(Number(text))) return Number(text)
  refuse(world, 'number-invalid', `${name} is not a number`)
  return undefined
}

/** Text without NUL and lone surrogates; undefined stays undefined. */
export function readText(world: RunningWorld, value: Json, name: string): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string') refuse(world, 'text-invalid', `${name} is not a text`)
  const text = String(value)
  if (text.includes('\0')) refuse(world, 'nul', `${name} holds NUL`)
  if (/\p{Surrogate}/u.test(text)) refuse(world, 'lone-surrogate', `${name} holds a lone surrogate`)
  return text
}

/** A text parameter; undefined when it is absent. */
export function textParameter(exchange: RunningExchange, name: string): string | undefined {
  return readText(exchange.world, findParameter(exchange.parameters, name), name)
}

/** A whole number of zero or more; undefined when it is absent. */
export function countParameter(exchange: RunningExchange, name: string): number | undefined {
  const value = readNumber(exchange.world, findParameter(exchange.parameters, name), name)
  if (value !== undefined && (value < 0 || !Number.isInteger(value))) {
    refuse(exchange.world, 'number-invalid', `${name} is not a whole number of 0 or more`)
  }
  return value
}

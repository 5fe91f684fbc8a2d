import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../json.ts'
import { findAt, type Step } from './scenario.ts'

/** What an SDK made of an answer: a value, a refusal by the server, or a failure of its own. */
export type SdkAnswer = { value: unknown } | { status: number; error: unknown } | { failure: string }

const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 300)
const countMembers = (value: unknown): number =>
  Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0

function judgeRefusal(error: object, answer: SdkAnswer): string[] {
  if (!('status' in answer)) return [`expected the refusal ${show(error)}, got ${show(answer)}`]
  const given = { status: answer.status, ...(isObject(answer.error) ? answer.error : {}) }
  return Object.entries(error)
    .filter(([name, value]) => findAt(given, `/${name}`) !== value)
    .map(([name, value]) => `${name}: expected ${show(value)}, got ${show(findAt(given, `/${name}`))}`)
}

/** What is wrong with the answer to a step whose `$names` are filled in; nothing when the SDK did it right. */
export function judgeAnswer(step: Step, answer: SdkAnswer): string[] {
  if (step.error !== undefined) return judgeRefusal(step.error, answer)
  if (!('value' in answer)) return [`got ${show(answer)}`]
  const wrong = Object.entries(step.expect ?? {})
    .filter(([pointer, wanted]) => !isDeepStrictEqual(findAt(answer.value, pointer), wanted))
    .map(([pointer, wanted]) => `${pointer}: expected ${show(wanted)}, got ${show(findAt(answer.value, pointer))}`)
  const present = (step.absent ?? [])
    .filter((pointer) => findAt(answer.value, pointer) !== undefined)
    .map((pointer) => `${pointer}: expected nothing, got ${show(findAt(answer.value, pointer))}`)
  const miscounted = Object.entries(step.size ?? {})
    .filter(([pointer, size]) => countMembers(findAt(answer.value, pointer)) !== size)
    .map(
      ([pointer, size]) => `${pointer}: expected ${size} members, got ${countMembers(findAt(answer.value, pointer))}`,
    )
  const missing = Object.values(step.keep ?? {})
    .filter((pointer) => findAt(answer.value, pointer) === undefined)
    .map((pointer) => `${pointer}: is missing`)
  return [...wrong, ...present, ...miscounted, ...missing]
}

/** What is wrong with the pages of a listing: every thing must be on one page, and all pages must have the same position. */
export function judgePages(things: number, pages: readonly SdkAnswer[]): string[] {
  const values = pages.map((page) => ('value' in page ? page.value : undefined))
  if (values.includes(undefined)) return [`a page is ${show(pages.find((page) => !('value' in page)))}`]
  const ids = values.flatMap((value) => {
    const changed = findAt(value, '/things/changed')
    return Array.isArray(changed) ? changed.map((thing) => findAt(thing, '/_id')) : []
  })
  const positions = new Set(values.map((value) => findAt(value, '/pos')))
  const found = `${ids.length} things, ${new Set(ids).size} of them different, at ${positions.size} positions`
  return ids.length === things && new Set(ids).size === things && positions.size === 1 ? [] : [`pages give ${found}`]
}

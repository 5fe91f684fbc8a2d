import { isObject } from '../json.ts'
import { type GivenRequest, openFrontServer } from './front-server.ts'

const form = 'application/x-www-form-urlencoded'
const numbers = new Set(['from', 'skip', 'limit'])
const decimal = /^\d+(\.\d+)?$/
const ids = /^(deleted_thing|skip_id)(\[\])?$/
const things = /^(new_thing|changed_thing)(\[\])?$/
const tag = /^tag\[.*\]$/s

const isJson = (text: string, test: (value: unknown) => boolean): boolean => {
  try {
    return test(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** Whether a parameter of /sync is one that interface 4.3 gives, spelled as it says. */
const isPublished = ([name, value]: [string, string]): boolean =>
  name === 'access_token' ||
  (numbers.has(name) && decimal.test(value)) ||
  ids.test(name) ||
  (things.test(name) && isJson(value, (item) => isObject(item) || (Array.isArray(item) && item.every(isObject)))) ||
  (tag.test(name) && isJson(value, isObject))

const findRefusal = ({ method, path, headers, body }: GivenRequest) => {
  const type = headers['content-type']?.split(';')[0]
  if (method === 'POST' && type !== form) return { status: 415, description: `${type} is no form` }
  const { pathname, searchParams } = new URL(path, 'http://localhost/')
  const foreign =
    pathname === '/sync'
      ? [...searchParams, ...new URLSearchParams(body)].find((field) => !isPublished(field))
      : undefined
  return foreign && { status: 400, description: `${foreign.join('=')} is not a form of interface 4.3` }
}

/**
 * A server that takes forms only, before ours: any other body is refused with 415, and in /sync every parameter that is not a
 * published form (interface 4.3) with 400, so that an SDK that passes speaks to every server of the interface.
 */
export const openFormsOnlyServer = (baseUrl: string) => openFrontServer(baseUrl, { judge: findRefusal })

import type { ReferenceControl } from '../../src/pages/reference/reference.ts'
import { asObject, isObject, type JsonObject } from '../json.ts'
import { listParameters } from './describe-fields.ts'
import { followReference, readMembers } from './describe-type.ts'

const formType = 'application/x-www-form-urlencoded'
const secrets = new Set(['password', 'client_secret', 'refresh_token', 'token', 'code_verifier', 'code'])

/** The controls of the form by which the page sends an operation: the members of its form, or its query. */
export const describeControls = (document: JsonObject, operation: JsonObject): ReferenceControl[] => {
  const content = isObject(operation.requestBody) ? asObject(operation.requestBody.content, 'content') : {}
  const form = content[formType] ?? content['application/json']
  if (!isObject(form)) {
    return listParameters(document, operation.parameters).map(({ name, required, schema, example }) =>
      describeControl(document, String(name), required === true, asObject(schema, 'schema'), example),
    )
  }
  const { properties, required } = readMembers(
    document,
    followReference(document, asObject(form.schema, 'schema')).target,
  )
  const examples = firstExample(content)
  return Object.entries(properties)
    .filter(([name]) => name !== 'access_token')
    .map(([name, schema]) =>
      describeControl(document, name, required.has(name), asObject(schema, name), examples[name]),
    )
}

/** JSON shows best what stands in a field; where there is none, the form is as good. */
const firstExample = (content: JsonObject): JsonObject => {
  const { examples } = asObject(content['application/json'] ?? content[formType], 'body')
  const [first] = isObject(examples) ? Object.values(examples) : []
  return isObject(first) && isObject(first.value) ? first.value : {}
}

const describeControl = (
  document: JsonObject,
  name: string,
  isRequired: boolean,
  schema: JsonObject,
  example: unknown,
): ReferenceControl => {
  const { target } = followReference(document, schema)
  const choices = target.type === 'boolean' ? [true, false] : Array.isArray(target.enum) ? target.enum : []
  return {
    name,
    isRequired,
    kind: choices.length > 0 ? 'choice' : findKind(name, target, example),
    choices: choices.map(String),
    ...(example === undefined ? {} : { example: typeof example === 'string' ? example : JSON.stringify(example) }),
  }
}

const findKind = (name: string, { type, format }: JsonObject, example: unknown): ReferenceControl['kind'] => {
  if (secrets.has(name)) return 'secret'
  if (type === 'integer' || type === 'number') return 'number'
  const isJson = isObject(example) || Array.isArray(example) || String(format).startsWith('json-')
  return isJson || type === 'object' || type === 'array' || name === 'html' ? 'lines' : 'line'
}

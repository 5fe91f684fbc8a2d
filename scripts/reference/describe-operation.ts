import type {
  ReferenceAnswer,
  ReferenceBody,
  ReferenceExample,
  ReferenceOperation,
} from '../../src/pages/reference/reference.ts'
import { asObject, isObject, type JsonObject } from '../json.ts'
import { describeControls } from './describe-controls.ts'
import { describeMembers, describeParameters } from './describe-fields.ts'
import { describeType, followReference } from './describe-type.ts'
import { renderText } from './render-markdown.ts'

const streamType = 'text/event-stream'

/** An operation as the page shows it. `samples` are code in several languages, by the name of each. */
export const describeOperation = (
  document: JsonObject,
  { path, method, operation }: { readonly path: string; readonly method: string; readonly operation: JsonObject },
  samples: ReferenceOperation['samples'],
): ReferenceOperation => ({
  id: String(operation.operationId),
  method: method === 'get' ? 'GET' : 'POST',
  path,
  summary: String(operation.summary),
  aboutHtml: renderText(readString(operation.description)),
  takesToken: !Array.isArray(operation.security) || operation.security.some((way) => Object.keys(way).length > 0),
  query: describeParameters(document, operation.parameters),
  bodies: describeBodies(document, operation.requestBody),
  answers: listAnswers(document, operation).filter(({ name }) => name === undefined),
  refusals: listAnswers(document, operation).flatMap(({ status, name }) =>
    name === undefined ? [] : [{ status, name }],
  ),
  isEndless: Object.values(asObject(operation.responses, 'responses')).some(isStream),
  controls: describeControls(document, operation),
  samples: samples.map(({ label, source }) => ({ label, source })),
})

const isStream = (answer: unknown): boolean =>
  isObject(answer) && isObject(answer.content) && streamType in answer.content

/** All that an operation answers. */
export const listAnswers = (document: JsonObject, operation: JsonObject): ReferenceAnswer[] =>
  Object.entries(asObject(operation.responses, 'responses')).map(([status, answer]) =>
    describeAnswer(document, status, asObject(answer, status)),
  )

const readString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** A body with the same members in two content types is told once. */
const describeBodies = (document: JsonObject, requestBody: unknown): ReferenceBody[] => {
  if (!isObject(requestBody)) return []
  const bodies = new Map<string, ReferenceBody>()
  for (const [type, body] of Object.entries(asObject(requestBody.content, 'content'))) {
    const { schema, examples } = asObject(body, type)
    const fields = describeMembers(document, asObject(schema, 'schema'))
    const key = JSON.stringify(fields)
    const same = bodies.get(key)
    if (same === undefined) bodies.set(key, { type, fields, examples: describeExamples(examples, type) })
    else bodies.set(key, { ...same, type: `${same.type} or ${type}` })
  }
  return [...bodies.values()]
}

const describeAnswer = (document: JsonObject, status: string, given: JsonObject): ReferenceAnswer => {
  const { name, target: answer } = followReference(document, given)
  const content = isObject(answer.content) ? answer.content : {}
  const type = streamType in content ? streamType : 'application/json'
  const { schema, examples } = isObject(content[type]) ? content[type] : {}
  const shape = isObject(schema) ? describeType(document, schema).shape : undefined
  return {
    status,
    ...(name === undefined ? {} : { name }),
    aboutHtml: renderText(readString(answer.description)),
    ...(shape === undefined ? {} : { shape }),
    examples: describeExamples(examples, type),
  }
}

const describeExamples = (examples: unknown, type: string): ReferenceExample[] =>
  Object.entries(isObject(examples) ? examples : {}).map(([name, example]) => {
    const { summary, value } = asObject(example, name)
    return { summary: readString(summary) ?? 'Example', text: writeExample(value, type, name) }
  })

const writeExample = (value: unknown, type: string, name: string): string => {
  if (type === streamType) return String(value)
  return type === 'application/json' ? JSON.stringify(value, undefined, 2) : toFormText(asObject(value, name))
}

/** One field a line, as `curl --data-urlencode` takes them. */
const toFormText = (value: JsonObject): string =>
  Object.entries(value)
    .flatMap(([name, field]) =>
      isObject(field) ? Object.entries(field).map(([key, text]) => `${name}[${key}]=${text}`) : [`${name}=${field}`],
    )
    .join('\n')

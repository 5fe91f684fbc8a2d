import { Marked, type Tokens } from 'marked'
import { parse } from 'yaml'
import type {
  Reference,
  ReferenceBody,
  ReferenceControl,
  ReferenceExample,
  ReferenceField,
  ReferenceGroup,
  ReferenceOperation,
  ReferenceResponse,
  ReferenceShape,
} from '../../src/pages/docs/reference.ts'
import { asObject, isObject, type JsonObject } from '../json.ts'
import type { CodeSample, CodeSamples } from '../sdk/languages.ts'

/** A heading of a text; `id` is the fragment of its URL. */
interface Heading {
  readonly id: string
  readonly title: string
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const toId = (title: string): string => `about-${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`

/**
 * Renders a Markdown text of the document as HTML, and lists its headings. A table has its own scrolling box, which the
 * keyboard can scroll, so that a narrow page does not scroll sideways.
 */
const renderMarkdown = (text: string): { readonly html: string; readonly headings: readonly Heading[] } => {
  const headings: Heading[] = []
  const marked = new Marked({ async: false })
  marked.use({
    renderer: {
      code({ text: code }: Tokens.Code) {
        return `<pre tabindex="0">${escapeHtml(code)}</pre>\n`
      },
      heading({ depth, tokens, text: title }: Tokens.Heading) {
        const id = toId(title)
        headings.push({ id, title })
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      table({ header, rows }: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], name: string) =>
          `<tr>${cells.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`).join('')}</tr>`
        const title = headings.at(-1)?.title ?? 'Table'
        const head = `<thead>${row(header, 'th')}</thead>`
        const body = `<tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody>`
        return `<div class="wide" tabindex="0" role="region" aria-label="${title}"><table>${head}${body}</table></div>\n`
      },
    },
  })
  const html = marked.parse(text) as string
  return { html: html.trim(), headings }
}

/** Renders a Markdown text as HTML; an empty text for undefined. */
const renderText = (text: string | undefined): string => (text === undefined ? '' : renderMarkdown(text).html)

/** A type in words, and the name of the object in it, if there is one. */
interface DescribedType {
  readonly type: string
  readonly shape?: string
}

/** Follows a `$ref`: returns its name and its target, or the schema itself without a `$ref`. */
const followReference = (
  document: JsonObject,
  schema: JsonObject,
): { readonly name?: string; readonly target: JsonObject } => {
  const { $ref } = schema
  if (typeof $ref !== 'string') return { target: schema }
  const target = $ref
    .slice(2)
    .split('/')
    .reduce((at, part) => asObject(at[part], $ref), document)
  return { name: $ref.slice($ref.lastIndexOf('/') + 1), target }
}

/** Reads the members of an object, including the members of its `allOf`. */
const readMembers = (
  document: JsonObject,
  schema: JsonObject,
): { readonly properties: JsonObject; readonly required: ReadonlySet<string> } => {
  const parts = Array.isArray(schema.allOf) ? schema.allOf : []
  const all = [...parts.map((part) => followReference(document, asObject(part, 'allOf')).target), schema]
  return {
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: new Set(all.flatMap(({ required }) => (Array.isArray(required) ? required : []))),
  }
}

/** Whether a schema is an object with known members. */
const hasMembers = (document: JsonObject, schema: JsonObject): boolean =>
  Object.keys(readMembers(document, schema).properties).length > 0

const showValue = (value: unknown): string => JSON.stringify(value)

/** Describes the type of a schema, as in `list of Thing`, `string or number`, `"strike" or "dont-strike"`. */
const describeType = (document: JsonObject, schema: JsonObject): DescribedType => {
  const { name, target } = followReference(document, schema)
  if (name !== undefined && hasMembers(document, target)) return { type: name, shape: name }
  if (Array.isArray(target.oneOf)) {
    const types = target.oneOf.map((one) => describeType(document, asObject(one, 'oneOf')).type)
    return { type: types.join(' or ') }
  }
  if (Array.isArray(target.enum)) return { type: target.enum.map(showValue).join(' or ') }
  if (isObject(target.items)) return prefix('list of ', describeType(document, target.items))
  if (isObject(target.additionalProperties)) {
    return prefix('map of ', describeType(document, target.additionalProperties))
  }
  const format = typeof target.format === 'string' ? target.format : ''
  const json = /^json-(\w+)$/.exec(format)?.[1]
  if (json !== undefined) return { type: `JSON text of ${json}`, shape: json }
  const width = format === 'int64' || format === 'double' ? ` (${format})` : ''
  return { type: `${String(target.type ?? 'any value')}${width}` }
}

const prefix = (words: string, { type, shape }: DescribedType): DescribedType => ({
  type: `${words}${type}`,
  ...(shape === undefined ? {} : { shape }),
})

const readText = ({ description }: JsonObject): string | undefined =>
  typeof description === 'string' ? description : undefined

/** Describes the members of an object as rows of a table. */
const describeMembers = (document: JsonObject, schema: JsonObject): ReferenceField[] => {
  const { properties, required } = readMembers(document, followReference(document, schema).target)
  return Object.entries(properties).map(([name, member]) =>
    describeField(document, name, required.has(name), asObject(member, name)),
  )
}

/** Describes the parameters of the query as rows of a table. */
const describeParameters = (document: JsonObject, parameters: unknown): ReferenceField[] =>
  listParameters(document, parameters).map((parameter) => ({
    ...describeField(
      document,
      String(parameter.name),
      parameter.required === true,
      asObject(parameter.schema, 'schema'),
    ),
    aboutHtml: renderText(readText(parameter)),
  }))

/** Lists the query parameters of an operation, with references resolved. */
const listParameters = (document: JsonObject, parameters: unknown): JsonObject[] =>
  (Array.isArray(parameters) ? parameters : [])
    .map((parameter) => followReference(document, asObject(parameter, 'parameter')).target)
    // The description of the operation covers headers: the forms and curl lines of the page contain only queries.
    .filter((parameter) => parameter.in === 'query')

const describeField = (
  document: JsonObject,
  name: string,
  isRequired: boolean,
  schema: JsonObject,
): ReferenceField => ({
  name,
  isRequired,
  ...describeType(document, schema),
  aboutHtml: renderText(readText(schema) ?? readText(followReference(document, schema).target)),
})

const formType = 'application/x-www-form-urlencoded'
const secrets = new Set(['password', 'client_secret', 'refresh_token', 'token', 'code_verifier', 'code'])

/** Describes the controls of the page's form for an operation: the members of its body, or its query. */
const describeControls = (document: JsonObject, operation: JsonObject): ReferenceControl[] => {
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

/** Returns the first example of a body: in JSON, which shows types best, or else of the form. */
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

const streamType = 'text/event-stream'

/** Describes an operation for the page. `samples`: code in several languages. */
const describeOperation = (
  document: JsonObject,
  { path, method, operation }: { readonly path: string; readonly method: string; readonly operation: JsonObject },
  samples: ReferenceOperation['samples'],
): ReferenceOperation => ({
  id: String(operation.operationId),
  method: method === 'get' ? 'GET' : 'POST',
  path,
  summary: String(operation.summary),
  aboutHtml: renderText(readString(operation.description)),
  isExtension: operation['x-extension'] === true,
  takesToken: !Array.isArray(operation.security) || operation.security.some((way) => Object.keys(way).length > 0),
  query: describeParameters(document, operation.parameters),
  bodies: describeBodies(document, operation.requestBody),
  responses: listResponses(document, operation).filter(({ name }) => name === undefined),
  errors: listResponses(document, operation).flatMap(({ status, name }) =>
    name === undefined ? [] : [{ status, name }],
  ),
  isEndless: Object.values(asObject(operation.responses, 'responses')).some(isStream),
  controls: describeControls(document, operation),
  samples: samples.map(({ label, source }) => ({ label, source })),
})

const isStream = (response: unknown): boolean =>
  isObject(response) && isObject(response.content) && streamType in response.content

/** Lists the responses of an operation, including errors. */
const listResponses = (document: JsonObject, operation: JsonObject): ReferenceResponse[] =>
  Object.entries(asObject(operation.responses, 'responses')).map(([status, response]) =>
    describeResponse(document, status, asObject(response, status)),
  )

const readString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Describes the bodies of a request. Content types with the same members share one description. */
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

const describeResponse = (document: JsonObject, status: string, given: JsonObject): ReferenceResponse => {
  const { name, target: response } = followReference(document, given)
  const content = isObject(response.content) ? response.content : {}
  const type = streamType in content ? streamType : 'application/json'
  const { schema, examples } = isObject(content[type]) ? content[type] : {}
  const shape = isObject(schema) ? describeType(document, schema).shape : undefined
  return {
    status,
    ...(name === undefined ? {} : { name }),
    aboutHtml: renderText(readString(response.description)),
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

/** Writes one field per line, as `curl --data-urlencode` takes them. */
const toFormText = (value: JsonObject): string =>
  Object.entries(value)
    .flatMap(([name, field]) =>
      isObject(field) ? Object.entries(field).map(([key, text]) => `${name}[${key}]=${text}`) : [`${name}=${field}`],
    )
    .join('\n')

const errorShapes = /ErrorBody$/

/** Creates the reference that `/docs` shows, from the text of `openapi.yaml` and code samples for each operation. */
export const createReference = (text: string, samples: CodeSamples): Reference => {
  const document = asObject(parse(text), 'the document')
  const info = asObject(document.info, 'info')
  const { html, headings } = renderMarkdown(String(info.description))
  return {
    title: String(info.title),
    version: String(info.version),
    aboutHtml: html,
    headings,
    groups: listGroups(document, samples),
    shapes: listShapes(document),
    errors: listErrors(document),
  }
}

const listOperations = (document: JsonObject) =>
  Object.entries(asObject(document.paths, 'paths')).flatMap(([path, item]) =>
    Object.entries(asObject(item, path))
      .filter(([method]) => method === 'get' || method === 'post')
      .map(([method, operation]) => ({ path, method, operation: asObject(operation, path) })),
  )

const listErrors = (document: JsonObject): ReferenceResponse[] => {
  const responses = listOperations(document).flatMap(({ operation }) => listResponses(document, operation))
  const named = new Map(responses.flatMap((one) => (one.name === undefined ? [] : [[one.name, one]])))
  return [...named.values()].sort((one, other) => Number(one.status) - Number(other.status))
}

const withoutLanguage = (of: readonly CodeSample[] = []) => of.map(({ label, source }) => ({ label, source }))

const listGroups = (document: JsonObject, samples: CodeSamples): ReferenceGroup[] => {
  const operations = listOperations(document)
  const tags = Array.isArray(document.tags) ? document.tags : []
  return tags.map(({ name, description }) => ({
    name,
    aboutHtml: renderText(description),
    operations: operations
      .filter(({ operation }) => Array.isArray(operation.tags) && operation.tags[0] === name)
      .map((found) =>
        describeOperation(document, found, withoutLanguage(samples[String(found.operation.operationId)])),
      ),
  }))
}

/** Lists the named objects except errors, which are in the introduction, and bodies, which are at their operations. */
const listShapes = (document: JsonObject): ReferenceShape[] => {
  const used = JSON.stringify([document.paths, document.components]).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  const bodies = listBodyNames(document)
  const names = new Set([...used].map(([, name]) => name ?? ''))
  return Object.entries(asObject(asObject(document.components, 'components').schemas, 'schemas'))
    .filter(([name, schema]) => names.has(name) && isObject(schema) && hasMembers(document, schema))
    .filter(([name]) => !errorShapes.test(name) && !bodies.has(name))
    .map(([name, schema]) => ({
      name,
      aboutHtml: renderText(asObject(schema, name).description as string | undefined),
      fields: describeMembers(document, asObject(schema, name)),
    }))
}

const listBodyNames = (document: JsonObject): ReadonlySet<string> => {
  const bodies = listOperations(document).map(({ operation }) => operation.requestBody)
  const found = JSON.stringify(bodies).matchAll(/"schema":\{"\$ref":"#\/components\/schemas\/(\w+)"/g)
  return new Set([...found].map(([, name]) => name ?? ''))
}

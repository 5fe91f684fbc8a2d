import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { parse } from 'yaml'
import { allRequirements } from '../conformance/src/requirements/all-requirements.ts'
import { readOperations, writeCollections } from './collections/write-collections.ts'
import { bundleText } from './contract/releases.ts'
import { fillStatements, pagePath } from './interface-page.ts'
import { createReference } from './reference/make-reference.ts'
import { type CodeSamples, listSamples, samplesPath, stampSdks } from './sdk/languages.ts'
import { profilePath, writeProfile } from './sdk/profile.ts'

type FieldSchema = Readonly<{
  description?: string
  type?: string
  minLength?: number
  minimum?: number
  maximum?: number
  enum?: readonly unknown[]
  'x-presence'?: string
}>
type ThingSchema = Readonly<{ required: readonly string[]; properties: Readonly<Record<string, FieldSchema>> }>

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'integer',
  boolean: 'flag',
}

const findPresence = ({ type, minLength = 0, enum: values, ...schema }: FieldSchema, isRequired: boolean): string => {
  if (schema['x-presence'] !== undefined) return schema['x-presence']
  if (isRequired) return 'always'
  if (type === 'boolean') return values?.length === 1 && values[0] === true ? 'true' : 'set'
  return type === 'string' && minLength > 0 ? 'notEmpty' : 'set'
}

const showBounds = ({ minimum, maximum }: FieldSchema): string =>
  (minimum === undefined ? '' : `, minimum: ${minimum}`) + (maximum === undefined ? '' : `, maximum: ${maximum}`)

/**
 * Creates the table of a thing's fields from the schema `Thing` of the document: the kind of each field, when the
 * returned form has it, and the bounds of numbers. The table does not contain the id.
 * @throws Error for a field of a type that a thing cannot have, and for a field after the fields of state
 */
const listThingFields = ({ required, properties }: ThingSchema): string => {
  let hasState = false
  const rows = Object.entries(properties).flatMap(([name, schema]) => {
    if (name === '_id') return []
    const kind = kinds[schema.type ?? '']
    if (kind === undefined)
      throw new Error(`Thing.${name} has the type ${schema.type}; a field is a text, number or flag`)
    const presence = findPresence(schema, required.includes(name))
    const isState = presence === 'true' || presence === 'todo'
    if (hasState && !isState) throw new Error(`Thing.${name} must stand before archived and todoStatus`)
    hasState ||= isState
    return [`  ${name}: { kind: '${kind}', presence: '${presence}'${showBounds(schema)} },\n`]
  })
  return `/**
 * The fields of a thing beside its id (interface 2.1), in the order of the returned form: what kind of value each holds, and
 * when the returned form has it: \`always\`, when the text is \`notEmpty\`, when it is \`set\`, when the flag is \`true\`, or while
 * the thing is a \`todo\`. \`minimum\` and \`maximum\` are the bounds of a number that has some.
 */
export const thingFields = {
${rows.join('')}} as const
`
}

const submitted: Readonly<Record<string, readonly string[]>> = {
  ThingCreate: ['local_id'],
  ThingUpdate: ['_id'],
  ThingAddition: ['access_token', 'prevent_duplicate'],
  ThingChange: ['access_token', '_id'],
}

/**
 * Checks that each schema of a submitted thing has the fields of `Thing`, and no other fields except its own.
 * @throws Error that names the schema and the field
 */
const checkSubmittedThings = (schemas: Readonly<Record<string, Pick<ThingSchema, 'properties'>>>): void => {
  const fields = Object.keys(schemas.Thing?.properties ?? {}).filter((name) => name !== '_id')
  for (const [schema, own] of Object.entries(submitted)) {
    const names = Object.keys(schemas[schema]?.properties ?? {})
    const missing = fields.find((name) => !names.includes(name))
    if (missing !== undefined) throw new Error(`${schema} lacks ${missing}, which Thing has`)
    const unknown = names.find((name) => !fields.includes(name) && !own.includes(name))
    if (unknown !== undefined) throw new Error(`${schema} has ${unknown}, which Thing lacks`)
  }
}

const maxLine = 120

/** Fills the text of the schema of our transfer format with a property for each field of the schema `Thing`. */
const fillTransferSchema = (text: string, { properties }: ThingSchema): string => {
  const begin = text.indexOf('          "title": {')
  const end = text.indexOf('\n        }\n', begin)
  if (begin === -1 || end === -1) throw new Error('the schema of our own JSON has no properties of things')
  const members = Object.entries(properties)
    .filter(([name]) => name !== '_id')
    .map(([name, { description, type, minimum, maximum }]) => {
      const parts = Object.entries({ description, type, minimum, maximum })
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => `"${key}": ${JSON.stringify(value)}`)
      const line = `          "${name}": { ${parts.join(', ')} }`
      return line.length < maxLine
        ? line
        : `          "${name}": {\n            ${parts.join(',\n            ')}\n          }`
    })
  return `${text.slice(0, begin)}${members.join(',\n')}${text.slice(end)}`
}

/**
 * Writes everything that is generated from `openapi.yaml`: the SDK profile, the types, the resolved documents, the code
 * samples, the collections of requests and the reference in `/docs`. It also writes the requirements of the suite into
 * `docs/interface.md`. `npm run generate` writes; `npm run generate -- --check` only lists stale files and exits 1.
 */

const source = 'openapi.yaml'
const transferSchema = 'docs/transfer.schema.json'
const firstLine = (tool: string) => `// Made from ${source} by ${tool} (npm run generate); edit ${source} instead.\n`

/** Writes JSON with a line for each member or item down to this depth, so that a diff shows which operation changed. */
const showLines = (value: unknown, depth: number): string => {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[\n${value.map((item) => showLines(item, depth - 1)).join(',\n')}]`
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${showLines(member, depth - 1)}`,
  )
  return `{\n${members.join(',\n')}}`
}

/** Writes a module that exports a document with its references resolved. */
const writeModule = (text: string, name: string, about: string): string =>
  `${firstLine('redocly bundle')}import type { Document } from 'openapi-backend'\n\n` +
  `/** ${about} */\nexport const ${name} = ${showLines(JSON.parse(bundleText(text, 'resolved.json')), 3)} as unknown as Document\n`

/** Writes the module with the reference that `/docs` shows. */
const writeReference = (text: string, samples: CodeSamples): string =>
  `${firstLine('scripts/reference')}import type { Reference } from '../src/pages/docs/reference.ts'\n\n` +
  `/** The document as \`/docs\` shows it. */\nexport const reference: Reference = ${showLines(createReference(text, samples), 2)}\n`

async function createFiles(): Promise<Map<string, string>> {
  const text = readFileSync(source, 'utf8')
  checkSubmittedThings(parse(text).components.schemas)
  const profile = writeProfile(text)
  const samples = listSamples([...readOperations(parse(profile)).keys()])
  const types = astToString(await openapiTS(text, { rootTypes: true, rootTypesNoSchemaPrefix: true }))
  return new Map([
    [profilePath, profile],
    [pagePath, fillStatements(readFileSync(pagePath, 'utf8'), allRequirements)],
    ['generated/types.ts', `${firstLine('openapi-typescript')}${types}`],
    [
      'generated/thing-fields.ts',
      `${firstLine('scripts/thing-fields')}${listThingFields(parse(text).components.schemas.Thing)}`,
    ],
    [transferSchema, fillTransferSchema(readFileSync(transferSchema, 'utf8'), parse(text).components.schemas.Thing)],
    [
      'generated/document.ts',
      writeModule(text, 'document', 'The document without `$ref`: each operation has its own copy of a schema.'),
    ],
    ['generated/sdk-document.ts', writeModule(profile, 'sdkDocument', 'The resolved document for SDK generators.')],
    ['generated/reference.ts', writeReference(text, samples)],
    [samplesPath, `${JSON.stringify(samples, undefined, 2)}\n`],
    ...writeCollections(profile),
    ...stampSdks(parse(text).info.version),
  ])
}

const files = await createFiles()
const readOrEmpty = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
const stale = [...files].filter(([path, content]) => readOrEmpty(path) !== content).map(([path]) => path)
if (process.argv.includes('--check')) {
  for (const path of stale)
    console.error(`${path} is stale: ${path === pagePath ? 'the requirements' : source} changed; run: npm run generate`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  for (const path of stale) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, files.get(path) ?? '')
  }
  console.log(stale.length > 0 ? `wrote ${stale.join(', ')}` : 'everything is up to date')
}

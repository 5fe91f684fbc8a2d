/**
 * Writes everything that is made from `openapi.yaml`: the SDK profile, the types, the resolved documents, the code samples of
 * its operations, the collections of requests and what `/docs` shows; and the suite's clauses into the page that tells
 * them. `npm run generate` writes, `npm run generate -- --check` only says what is stale and exits 1.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { parse } from 'yaml'
import { allClauses } from '../conformance/src/clauses/all-clauses.ts'
import { bundleText } from './bundle-document.ts'
import { readOperations } from './collections/read-operations.ts'
import { writeCollections } from './collections/write-collections.ts'
import { fillStatements, pagePath } from './interface-page/fill-statements.ts'
import { makeReference } from './reference/make-reference.ts'
import { type CodeSamples, listSamples, samplesPath } from './sdk/code-samples.ts'
import { stampSdks } from './sdk/stamp.ts'
import { profilePath, writeProfile } from './sdk/write-profile.ts'
import { checkSubmittedThings, fillTransferSchema, listThingFields } from './thing-fields.ts'

const source = 'openapi.yaml'
const transferSchema = 'docs/transfer.schema.json'
const firstLine = (tool: string) => `// Made from ${source} by ${tool} (npm run generate); edit ${source} instead.\n`

/** JSON with a line for each member or item down to this depth: enough lines for a diff to show which operation changed. */
const showLines = (value: unknown, depth: number): string => {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[\n${value.map((item) => showLines(item, depth - 1)).join(',\n')}]`
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${showLines(member, depth - 1)}`,
  )
  return `{\n${members.join(',\n')}}`
}

/** A module that exports a document with its references resolved. */
const writeModule = (text: string, name: string, about: string): string =>
  `${firstLine('redocly bundle')}import type { Document } from 'openapi-backend'\n\n` +
  `/** ${about} */\nexport const ${name} = ${showLines(JSON.parse(bundleText(text, 'resolved.json')), 3)} as unknown as Document\n`

/** What `/docs` shows. */
const writeReference = (text: string, samples: CodeSamples): string =>
  `${firstLine('scripts/reference')}import type { Reference } from '../src/pages/reference/reference.ts'\n\n` +
  `/** The document as \`/docs\` shows it. */\nexport const reference: Reference = ${showLines(makeReference(text, samples), 2)}\n`

async function makeFiles(): Promise<Map<string, string>> {
  const text = readFileSync(source, 'utf8')
  checkSubmittedThings(parse(text).components.schemas)
  const profile = writeProfile(text)
  const samples = listSamples([...readOperations(parse(profile)).keys()])
  const types = astToString(await openapiTS(text, { rootTypes: true, rootTypesNoSchemaPrefix: true }))
  return new Map([
    [profilePath, profile],
    [pagePath, fillStatements(readFileSync(pagePath, 'utf8'), allClauses)],
    ['generated/types.ts', `${firstLine('openapi-typescript')}${types}`],
    [
      'generated/thing-fields.ts',
      `${firstLine('scripts/thing-fields')}${listThingFields(parse(text).components.schemas.Thing)}`,
    ],
    [transferSchema, fillTransferSchema(readFileSync(transferSchema, 'utf8'), parse(text).components.schemas.Thing)],
    ['generated/document.ts', writeModule(text, 'document', 'The resolved document.')],
    ['generated/sdk-document.ts', writeModule(profile, 'sdkDocument', 'The resolved document for SDK generators.')],
    ['generated/reference.ts', writeReference(text, samples)],
    [samplesPath, `${JSON.stringify(samples, undefined, 2)}\n`],
    ...writeCollections(profile),
    ...stampSdks(parse(text).info.version),
  ])
}

const files = await makeFiles()
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
    console.error(
      `${path} is not what ${path === pagePath ? 'the clauses give' : `${source} gives`}; run: npm run generate`,
    )
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  for (const path of stale) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, files.get(path) ?? '')
  }
  console.log(stale.length > 0 ? `wrote ${stale.join(', ')}` : 'everything is fresh')
}

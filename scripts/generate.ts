/**
 * Writes everything that is made from `openapi.yaml`: the types, the resolved document and the suite's clauses.
 * `npm run generate` writes, `npm run generate -- --check` only says what is stale and exits 1.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'
import { parse } from 'yaml'
import { bundleDocument } from './bundle-document.ts'

const source = 'openapi.yaml'
const firstLine = (tool: string) => `// Made from ${source} by ${tool} (npm run generate); edit ${source} instead.\n`

async function makeFiles(): Promise<Map<string, string>> {
  const text = readFileSync(source, 'utf8')
  const types = astToString(await openapiTS(text, { rootTypes: true, rootTypesNoSchemaPrefix: true }))
  const documentText = JSON.stringify(JSON.parse(bundleDocument(source, 'resolved.json')), undefined, 1)
  const clauses: object[] = parse(text)['x-clauses']
  return new Map([
    ['generated/types.ts', `${firstLine('openapi-typescript')}${types}`],
    [
      'generated/document.ts',
      `${firstLine('redocly bundle')}import type { Document } from 'openapi-backend'\n\n` +
        `/** The resolved document. */\nexport const document = ${documentText} as unknown as Document\n`,
    ],
    ['conformance/data/clauses.json', `[\n${clauses.map((clause) => JSON.stringify(clause)).join(',\n')}\n]\n`],
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
  for (const path of stale) console.error(`${path} is not what ${source} gives; run: npm run generate`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  for (const path of stale) writeFileSync(path, files.get(path) ?? '')
  console.log(stale.length > 0 ? `wrote ${stale.join(', ')}` : 'everything is fresh')
}

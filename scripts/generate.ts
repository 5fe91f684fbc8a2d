/**
 * Writes everything that is made from `openapi.yaml`: the types, the resolved document and the suite's clauses.
 * `npm run generate` writes, `npm run generate -- --check` only says what is stale and exits 1.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { parse } from 'yaml'

const source = 'openapi.yaml'
const firstLine = (tool: string) => `// Made from ${source} by ${tool} (npm run generate); edit ${source} instead.\n`

function resolveDocument(): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'thingsync-generate-'))
  const output = join(folder, 'openapi.json')
  try {
    const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
    execFileSync(process.execPath, [redocly, 'bundle', source, '--dereferenced', '--output', output], { stdio: 'pipe' })
    return JSON.parse(readFileSync(output, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function makeFiles(): Promise<Map<string, string>> {
  const text = readFileSync(source, 'utf8')
  const types = astToString(await openapiTS(text, { rootTypes: true, rootTypesNoSchemaPrefix: true }))
  const documentText = JSON.stringify(resolveDocument(), undefined, 1)
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

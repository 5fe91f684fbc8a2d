import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openFrontServer } from '../sdk-test/front-server.ts'
import { explainFailure } from './explain-failure.ts'
import { type Exchange, findLowestPosition, judgePositions, judgeRun } from './judge-run.ts'
import type { MatrixServer, MatrixServers } from './matrix-servers.ts'
import type { Command, DocumentKind, Row } from './row.ts'
import { type Ran, runCommand } from './run-command.ts'
import { workFolder } from './work-folder.ts'

/** How far a row came with one document; `why` says what stopped it, in one line. */
export type Outcome = { reached: 'nothing' | 'generated' | 'compiled' | 'first script' | 'everything'; why?: string }

function respell(path: string, spelled: Readonly<Record<string, string>>): void {
  const text = readFileSync(path, 'utf8')
  for (const usual of Object.keys(spelled)) if (!text.includes(usual)) throw new Error(`${path} has no "${usual}"`)
  writeFileSync(
    path,
    Object.entries(spelled).reduce((all, [usual, onWire]) => all.replaceAll(usual, onWire), text),
  )
}

function prepareFolder(row: Row, kind: DocumentKind): string {
  const folder = workFolder(`${row.name}-${kind}`)
  const keep = row.keep ?? []
  if (existsSync(folder)) {
    for (const name of readdirSync(folder)) {
      if (!keep.includes(name)) rmSync(join(folder, name), { recursive: true })
    }
  }
  mkdirSync(folder, { recursive: true })
  if (row.run !== undefined) cpSync(join('sdk/first-scripts', row.name), folder, { recursive: true })
  if (kind === 'wire' && row.onWire !== undefined) respell(join(folder, row.onWire.script), row.onWire.spelled)
  return folder
}

async function findMissing(needs: Row['needs'], folder: string): Promise<string | undefined> {
  for (const { program, version, install } of needs) {
    if (!(await runCommand([program, ...version], folder)).succeeded) return `needs ${program} (${install})`
  }
  return undefined
}

/** Runs commands until one fails; what that one printed. */
async function runAll(commands: readonly Command[], folder: string): Promise<Ran | undefined> {
  for (const command of commands) {
    const ran = await runCommand(command, folder)
    if (!ran.succeeded) return ran
  }
  return undefined
}

async function runScript(row: Row, folder: string, server: MatrixServer): Promise<string | undefined> {
  if (row.run === undefined) return 'there is no first script yet'
  const exchanges: Exchange[] = []
  const front = await openFrontServer(server.baseUrl, {
    see: (given, answer) => exchanges.push({ given, answer }),
  })
  try {
    const baseUrl = front.baseUrl.replace(/\/$/, '')
    const ran = await runCommand(row.run, folder, { ...server.credentials, BASE_URL: baseUrl })
    const lowest = findLowestPosition(exchanges)
    if (lowest !== undefined && lowest < server.above)
      throw new Error(`the server gave ${lowest}, below ${server.above}`)
    // A position that was lost is why a script fails later.
    const lost = judgePositions(exchanges)
    if (lost.length > 0) return lost.join('; ')
    const wrong = judgeRun(exchanges, ran.output)
    if (!ran.succeeded) return explainFailure(row, ran) ?? wrong[0] ?? 'the script failed in silence'
    return wrong.length > 0 ? wrong.join('; ') : undefined
  } finally {
    await front.close()
  }
}

/** Generates, compiles and runs one row with one document, until something fails. */
export async function runRow(row: Row, kind: DocumentKind, document: string, servers: MatrixServers): Promise<Outcome> {
  const folder = prepareFolder(row, kind)
  const cannotGenerate = await findMissing(row.generateNeeds ?? [], folder)
  if (cannotGenerate !== undefined) return { reached: 'nothing', why: cannotGenerate }
  const notGenerated = await runAll(row.generate(resolve(document)), folder)
  if (notGenerated !== undefined) return { reached: 'nothing', why: explainFailure(row, notGenerated) ?? 'failed' }
  const cannotBuild = await findMissing(row.needs, folder)
  if (cannotBuild !== undefined) return { reached: 'generated', why: cannotBuild }
  const notBuilt = await runAll(row.build, folder)
  if (notBuilt !== undefined) return { reached: 'generated', why: explainFailure(row, notBuilt) ?? 'failed' }
  const failed = await runScript(row, folder, servers.usual)
  if (failed !== undefined) return { reached: 'compiled', why: failed }
  const failedHigh = await runScript(row, folder, servers.raised)
  return failedHigh === undefined ? { reached: 'everything' } : { reached: 'first script', why: failedHigh }
}

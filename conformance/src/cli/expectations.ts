import { readFile } from 'node:fs/promises'
import type { KnownDeviation } from '../report/finished-run.ts'
import { offerNearMatches } from './near-matches.ts'
import { UsageError } from './usage-error.ts'

/** Reads the file of `--expect`, a JSON array of `{id, reason}`; throws a UsageError for what is wrong with it. */
export async function readExpectations(file: string, knownIds: readonly string[]): Promise<readonly KnownDeviation[]> {
  const entries = parseList(file, await readText(file))
  const deviations = entries.map((entry, index) => readEntry(file, entry, index))
  const ids = deviations.map(({ id }) => id)
  for (const [index, id] of ids.entries()) {
    if (!knownIds.includes(id))
      throw new UsageError(`--expect ${file}: there is no rule ${id}${offerNearMatches(id, knownIds)}`)
    if (ids.indexOf(id) !== index) throw new UsageError(`--expect ${file} names ${id} twice; keep one entry`)
  }
  return deviations
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      throw new UsageError(`--expect ${file} can't be read (${error.code}); name a readable file`)
    throw error
  }
}

function parseList(file: string, text: string): readonly unknown[] {
  const list = parse(file, text)
  if (Array.isArray(list)) return list
  throw new UsageError(`--expect ${file} must hold a JSON array of {"id", "reason"} objects`)
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`--expect ${file} is not JSON: ${error.message}`)
    throw error
  }
}

function readEntry(file: string, entry: unknown, index: number): KnownDeviation {
  const { id, reason } = (typeof entry === 'object' && entry !== null ? entry : {}) as {
    id?: unknown
    reason?: unknown
  }
  // Ids are written in capitals, and read in any letters.
  if (typeof id === 'string' && typeof reason === 'string' && reason.trim() !== '')
    return { id: id.toUpperCase(), reason }
  throw new UsageError(
    `--expect ${file}: entry ${index + 1} needs an "id" (a rule's) and a "reason" (why it is not kept), both texts`,
  )
}

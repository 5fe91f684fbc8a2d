import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReportedResult } from '../report/finished-run.ts'

/** Writes the script of each rule that failed into the folder, a new one by default; where the script of a rule is. */
export async function writeScripts(
  results: readonly ReportedResult[],
  folder: string | undefined,
): Promise<(id: string) => string | undefined> {
  const written = results.flatMap(({ id, script }) => (script === undefined ? [] : [{ id, script }]))
  if (written.length === 0) return () => undefined
  const target = folder ?? (await mkdtemp(join(tmpdir(), 'thingsync-conformance-')))
  await mkdir(target, { recursive: true })
  for (const { id, script } of written) await writeFile(join(target, `${id}.sh`), script)
  return (id) => (written.some((each) => each.id === id) ? join(target, `${id}.sh`) : undefined)
}

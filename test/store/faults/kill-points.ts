import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AcknowledgedWrites, createAcknowledgedWrites } from './acknowledged-writes.ts'
import type { KillPoint } from './ended-files.ts'
import type { WriterLine, WriterOrder } from './killed-writer.ts'

/** What was shown by killing a process at many points. */
export interface KillFigures {
  readonly kills: number
  /** Writes, removals and users that resolved, and were looked for after every later kill. */
  readonly acknowledged: number
  /** Openings at which the store said that it repaired something. */
  readonly repairs: number
}

const userIds = ['ann', 'bob']
const segmentSizes = [1, 1024, 4096, 1024 * 1024]

/** Runs the writer and notes what it prints; true when it was killed, false when it had nothing left to do. */
const runWriter = async (program: string, order: WriterOrder, known: AcknowledgedWrites, onRepair: () => void) => {
  const child = spawn(process.execPath, [program, JSON.stringify(order)])
  const closed = once(child, 'close')
  const output: Buffer[] = []
  const errors: Buffer[] = []
  child.stdout.on('data', (data: Buffer) => void output.push(data))
  child.stderr.on('data', (data: Buffer) => void errors.push(data))
  const [code, signal] = (await closed) as [number | null, string | null]
  // A line that the kill cut off does not count.
  const lines = Buffer.concat(output).toString().split('\n').slice(0, -1)
  for (const text of lines) {
    const line = JSON.parse(text) as WriterLine
    if ('repaired' in line) onRepair()
    known.note(line)
  }
  if (signal === 'SIGKILL') return true
  if (code !== 0) throw new Error(`the writer failed: ${Buffer.concat(errors).toString()}`)
  return false
}

interface Turn {
  readonly seed: number
  readonly maxKills: number
  /** From one step that is a killer to the next. */
  readonly stride: number
  readonly onKill: () => void
}

/** One data folder, whose writer is killed at its first step, at its second step, and so on until it is done. */
const killInTurn = async (program: string, { seed, maxKills, stride, onKill }: Turn): Promise<KillFigures> => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-killed-'))
  const known = createAcknowledgedWrites()
  const segmentBytes = segmentSizes[seed % segmentSizes.length] ?? 1
  const removedIds: string[] = []
  let kills = 0
  let repairs = 0
  let lastRepaired = -1

  const run = (point: KillPoint): Promise<boolean> => {
    const number = removedIds.length
    const removedId = `gone ${seed}.${number}`
    const readIds = [...userIds, ...removedIds.slice(-3)]
    removedIds.push(removedId)
    const order = { ...point, folder, userIds, removedId, readIds, writesPerUser: 4, segmentBytes, run: `${number}` }
    return runWriter(program, order, known, () => {
      if (lastRepaired !== number) repairs += 1
      lastRepaired = number
    })
  }

  const moments = ['half-way', 'done'] as const
  try {
    let wasKilled = true
    for (let step = 1; wasKilled && kills < maxKills; step += stride)
      for (const moment of moments) {
        wasKilled = kills < maxKills && (await run({ step, moment }))
        if (!wasKilled) break
        kills += 1
        onKill()
      }
    // What the last kill left is read once more, and the writer comes to its end.
    if (wasKilled || kills >= maxKills) await run({ step: Number.POSITIVE_INFINITY, moment: 'done' })
  } catch (error) {
    throw new Error(`seed ${seed}, kill ${kills + 1}; the data folder is ${folder}`, { cause: error })
  }
  await rm(folder, { recursive: true })
  return { kills, acknowledged: known.count(), repairs }
}

/** Kills the writer until it was killed so often, in several folders at once. @throws at the first broken promise */
export const runKillPoints = async (
  program: string,
  wanted: { readonly kills: number; readonly firstSeed: number; readonly atOnce: number; readonly stride: number },
  onKill: () => void = () => undefined,
): Promise<KillFigures> => {
  let total: KillFigures = { kills: 0, acknowledged: 0, repairs: 0 }
  let seed = wanted.firstSeed
  let begun = 0

  const noteKill = (): void => {
    begun += 1
    onKill()
  }

  const runNext = async (): Promise<void> => {
    while (begun < wanted.kills) {
      const next = seed
      seed += 1
      const turn = { seed: next, maxKills: wanted.kills - begun, stride: wanted.stride, onKill: noteKill }
      const figures = await killInTurn(program, turn)
      total = {
        kills: total.kills + figures.kills,
        acknowledged: total.acknowledged + figures.acknowledged,
        repairs: total.repairs + figures.repairs,
      }
    }
  }

  await Promise.all(Array.from({ length: wanted.atOnce }, runNext))
  return total
}

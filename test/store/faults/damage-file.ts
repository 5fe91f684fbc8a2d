import { readFile, unlink, writeFile } from 'node:fs/promises'
import type { Random } from './random.ts'

/** How a file is damaged. */
export type DamageKind = 'bit' | 'burst' | 'zeros' | 'cut' | 'line lost' | 'line twice' | 'missing'

const splitAtLines = (bytes: Buffer): readonly Buffer[] => {
  const lines: Buffer[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start) + 1
    lines.push(bytes.subarray(start, end === 0 ? bytes.length : end))
    start = end === 0 ? bytes.length : end
  }
  return lines
}

const damageBytes = (bytes: Buffer, kind: Exclude<DamageKind, 'missing'>, random: Random): Buffer => {
  const at = random.below(bytes.length)
  const length = 1 + random.below(64)
  const lines = splitAtLines(bytes)
  const line = random.below(lines.length)
  switch (kind) {
    case 'bit':
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.of((bytes[at] ?? 0) ^ (1 << random.below(8))),
        bytes.subarray(at + 1),
      ])
    case 'burst':
      return Buffer.from(bytes.map((byte, index) => (index < at || index >= at + length ? byte : random.below(256))))
    case 'zeros':
      return Buffer.from(bytes.map((byte, index) => (index < at || index >= at + length * 16 ? byte : 0)))
    case 'cut':
      return bytes.subarray(0, at)
    case 'line lost':
      return Buffer.concat(lines.toSpliced(line, 1))
    case 'line twice':
      return Buffer.concat(lines.toSpliced(line, 0, lines[line] as Buffer))
  }
}

/** Damages a file in place, in a way that changes it, or removes it. */
export const damageFile = async (path: string, kind: DamageKind, random: Random): Promise<void> => {
  if (kind === 'missing') return unlink(path)
  const bytes = await readFile(path)
  if (bytes.length === 0) throw new Error(`${path} is empty`)
  let damaged = damageBytes(bytes, kind, random)
  while (damaged.equals(bytes)) damaged = damageBytes(bytes, kind, random)
  await writeFile(path, damaged)
}

/**
 * `npx tsx conformance/selftest/mutate-rules.ts [FILE-PART]`: takes each assertion out of the rules, one at a time, and
 * shows whether the self-test notices, which it does when a rule no longer fails on a fault that it names.
 */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Rule } from '../src/rule.ts'
import { findAssertions, type Mutant } from './find-assertions.ts'

type ScoreModule = typeof import('./score.ts')
type FaultsModule = typeof import('./all-faults.ts')

const suite = new URL('..', import.meta.url).pathname
const [part = ''] = process.argv.slice(2)

/** The rules that a module exports. */
function rulesOf(module: Record<string, unknown>): readonly Rule[] {
  return Object.values(module)
    .flat()
    .filter(
      (value): value is Rule => typeof value === 'object' && value !== null && 'check' in value && 'faults' in value,
    )
}

/** Works on a copy, so that the tree stays as it is. */
const copy = await mkdtemp(join(tmpdir(), 'mutated-rules-'))
for (const name of ['src', 'selftest', 'data', 'package.json']) {
  await cp(join(suite, name), join(copy, name), { recursive: true })
}
const { scoreFaults }: ScoreModule = await import(pathToFileURL(join(copy, 'selftest/score.ts')).href)
const { allFaults }: FaultsModule = await import(pathToFileURL(join(copy, 'selftest/all-faults.ts')).href)

let written = 0
async function loadMutant(folder: string, { source }: Mutant): Promise<readonly Rule[]> {
  written += 1
  const path = join(folder, `mutant-${written}.ts`)
  await writeFile(path, source)
  return rulesOf(await import(pathToFileURL(path).href))
}

/** Whether one of the rules stops failing on a fault that it names. */
async function isNoticed(rules: readonly Rule[]): Promise<boolean> {
  for (const rule of rules) {
    const faults = allFaults.filter(({ id }) => rule.faults.includes(id))
    for (const fault of faults) {
      const [score] = await scoreFaults({ faults: [fault], rules: [rule], attempts: 2 })
      if (score?.foundBy.length === 0) return true
    }
  }
  return false
}

const survivors: string[] = []
let total = 0
for (const area of ['core', 'full']) {
  const folder = join(copy, 'src/rules', area)
  for (const name of (await readdir(folder)).filter((file) => `${area}/${file}`.includes(part)).sort()) {
    const source = await readFile(join(folder, name), 'utf8')
    const mutants = findAssertions(name, source)
    let noticed = 0
    for (const mutant of mutants) {
      const rules = (await loadMutant(folder, mutant)).filter(({ id }) => mutant.rules.includes(id))
      if (await isNoticed(rules)) noticed += 1
      else survivors.push(`${area}/${name}:${mutant.line} (${mutant.rules.join(' ')}) ${mutant.text.slice(0, 160)}`)
    }
    total += mutants.length
    if (mutants.length > 0) console.log(`${area}/${name}: ${noticed} of ${mutants.length} removed assertions noticed`)
  }
}
await rm(copy, { recursive: true })
for (const survivor of survivors) console.log(`NOT NOTICED ${survivor}`)
console.log(`${total - survivors.length} of ${total} removed assertions noticed by the self-test`)

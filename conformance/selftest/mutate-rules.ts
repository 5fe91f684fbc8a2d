/**
 * `npx tsx conformance/selftest/mutate-rules.ts [FILE-PART]`: takes each assertion out of the rules, one at a time, and
 * shows whether the self-test notices, which it does when a rule fails on the right server, passes on one whose fault
 * it names, or does not end. Exits 1 when it does not, or when it complains of rules that nobody has changed.
 */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Rule } from '../src/rule.ts'
import { findAssertions } from './find-assertions.ts'

type ScoreModule = typeof import('./score.ts')
type JudgeModule = typeof import('./judge.ts')
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
for (const name of ['src', 'selftest', 'package.json']) {
  await cp(join(suite, name), join(copy, name), { recursive: true })
}
const { scoreFaults }: ScoreModule = await import(pathToFileURL(join(copy, 'selftest/score.ts')).href)
const { judge }: JudgeModule = await import(pathToFileURL(join(copy, 'selftest/judge.ts')).href)
const { allFaults }: FaultsModule = await import(pathToFileURL(join(copy, 'selftest/all-faults.ts')).href)

const scripts = await readScripts()
let written = 0

/** The rule files of the copy, by path below `rules/`. */
async function readScripts(): Promise<ReadonlyMap<string, string>> {
  const scripts = new Map<string, string>()
  for (const area of ['core', 'full']) {
    for (const name of (await readdir(join(copy, 'src/rules', area)))
      .filter((file) => file.endsWith('.ts') && !/test|^all-/.test(file))
      .sort()) {
      scripts.set(`${area}/${name}`, await readFile(join(copy, 'src/rules', area, name), 'utf8'))
    }
  }
  return scripts
}

/** The rules of a changed file, and those of the files that import it. */
async function loadRules(path: string, source: string): Promise<readonly Rule[]> {
  written += 1
  const [area = '', name = ''] = path.split('/')
  const mutated = `mutant-${written}.ts`
  await writeFile(join(copy, 'src/rules', area, mutated), source)
  const own = rulesOf(await import(pathToFileURL(join(copy, 'src/rules', area, mutated)).href))
  if (own.length > 0) return own
  const users = [...scripts].filter(([other, text]) => other.startsWith(`${area}/`) && text.includes(`'./${name}'`))
  const rules = await Promise.all(
    users.map(([other, text]) => loadRules(other, text.replaceAll(`'./${name}'`, `'./${mutated}'`))),
  )
  return rules.flat()
}

/** A rule without its assertion may have no end: it asks until something holds. */
const mostMs = 60_000

/** Whether one of the rules fails on the right server, passes on one whose fault it names, or has no end on either. */
async function isNoticed(rules: readonly Rule[]): Promise<boolean> {
  const report = await judge({}, { rules, profile: 'full', signal: AbortSignal.timeout(mostMs) })
  if (report.results.some(({ status }) => status !== 'passed' && status !== 'inapplicable')) return true
  for (const rule of rules) {
    const faults = allFaults.filter(({ id }) => rule.faults.includes(id))
    for (const fault of faults) {
      const [score] = await scoreFaults({ faults: [fault], rules: [rule], mostMs })
      if (score !== undefined && (score.missedBy.length > 0 || score.ms >= mostMs)) return true
    }
  }
  return false
}

const survivors: string[] = []
const unsound: string[] = []
let total = 0
for (const [path, source] of scripts) {
  if (!path.includes(part)) continue
  if (await isNoticed(await loadRules(path, source))) unsound.push(path)
  const mutants = findAssertions(path, source)
  let noticed = 0
  for (const mutant of mutants) {
    const loaded = await loadRules(path, mutant.source)
    const own = loaded.filter(({ id }) => mutant.rules.includes(id))
    if (await isNoticed(own.length === 0 ? loaded : own)) noticed += 1
    else survivors.push(`${path}:${mutant.line} (${mutant.rules.join(' ')}) ${mutant.text.slice(0, 160)}`)
  }
  total += mutants.length
  if (mutants.length > 0) console.log(`${path}: ${noticed} of ${mutants.length} removed assertions noticed`)
}
await rm(copy, { recursive: true })
for (const path of unsound) console.log(`NOT SOUND ${path}: the self-test complains of it as it is`)
for (const survivor of survivors) console.log(`NOT NOTICED ${survivor}`)
console.log(`${total - survivors.length} of ${total} removed assertions noticed by the self-test`)
// A rule without its assertion may ask for ever: what it left running must not keep the process.
process.exit(survivors.length + unsound.length === 0 ? 0 : 1)

import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import type { Rule } from '../src/rule.ts'

/** An assertion of a rule file, and the file without it. */
interface Mutant {
  /** The removed assertion, on one line. */
  readonly text: string
  /** Line of the assertion, from 1. */
  readonly line: number
  readonly source: string
  /** Ids of the rules that contain or use the assertion. */
  readonly rules: readonly string[]
}

const asserting = /^(expect|readSyncResponse|readAccessToken)/

/** Returns the name of the function that an expression calls, awaited or not. */
function calledName(node: ts.Node): string {
  if (ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node)) return calledName(node.expression)
  return ts.isCallExpression(node) && ts.isIdentifier(node.expression) ? node.expression.text : ''
}

function isFindingThrown(node: ts.Node): boolean {
  return (
    ts.isThrowStatement(node) &&
    ts.isNewExpression(node.expression) &&
    node.expression.expression.getText() === 'Finding'
  )
}

/** Returns the replacement of an assertion; undefined when the node is not an assertion. */
function replacementOf(node: ts.Node): string | undefined {
  if (ts.isExpressionStatement(node) && asserting.test(calledName(node.expression))) return ';'
  if (isFindingThrown(node)) return ';'
  const isBody = ts.isArrowFunction(node.parent ?? node) && (node.parent as ts.ArrowFunction).body === node
  return isBody && asserting.test(calledName(node)) ? 'undefined' : undefined
}

/** Finds the id of the rule whose object literal contains a node. */
function findRuleAround(node: ts.Node): string | undefined {
  for (let outer: ts.Node | undefined = node; outer !== undefined; outer = outer.parent) {
    if (!ts.isObjectLiteralExpression(outer)) continue
    const id = outer.properties.find((property) => property.name?.getText() === 'id')
    if (id !== undefined && ts.isPropertyAssignment(id) && ts.isStringLiteral(id.initializer))
      return id.initializer.text
  }
  return undefined
}

/** Reads the top-level names of a file with the text of their declarations. */
function readMentions(file: ts.SourceFile): ReadonlyMap<string, string> {
  const declared = file.statements.flatMap((statement) => {
    if (ts.isFunctionDeclaration(statement)) return [[statement.name?.text ?? '', statement.getText()] as const]
    if (!ts.isVariableStatement(statement)) return []
    return statement.declarationList.declarations.map((each) => [each.name.getText(), each.getText()] as const)
  })
  return new Map(declared)
}

function mentions(text: string, name: string): boolean {
  return new RegExp(`\\b${name.replace('$', '\\$')}\\b`).test(text)
}

/** Finds the rules that use a helper, directly or through other helpers of the file. */
function findUsers(file: ts.SourceFile, helper: string, rules: ReadonlyMap<string, string>): readonly string[] {
  const declared = readMentions(file)
  const names = new Set([helper])
  for (const name of names) {
    for (const [other, text] of declared) if (mentions(text, name) && !/\bid: '/.test(text)) names.add(other)
  }
  return [...rules].filter(([, text]) => [...names].some((name) => mentions(text, name))).map(([id]) => id)
}

/** Reads the rules of a file with their text, by id. */
function readRules(file: ts.SourceFile): ReadonlyMap<string, string> {
  const rules = new Map<string, string>()
  const visit = (node: ts.Node): void => {
    const id = ts.isObjectLiteralExpression(node) ? findRuleAround(node.getFirstToken() ?? node) : undefined
    if (id !== undefined && !rules.has(id)) rules.set(id, node.getText())
    ts.forEachChild(node, visit)
  }
  visit(file)
  return rules
}

/** Creates a mutant for each assertion of a rule file. */
function findAssertions(path: string, source: string): readonly Mutant[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.ES2023, true)
  const rules = readRules(file)
  const mutants: Mutant[] = []
  const visit = (node: ts.Node, helper: string | undefined): void => {
    const replacement = replacementOf(node)
    if (replacement !== undefined) {
      const [start, end] = [node.getStart(), node.getEnd()]
      const rule = findRuleAround(node)
      mutants.push({
        text: node.getText().replace(/\s+/g, ' '),
        line: file.getLineAndCharacterOfPosition(start).line + 1,
        source: source.slice(0, start) + replacement + source.slice(end),
        rules: rule === undefined ? findUsers(file, helper ?? '', rules) : [rule],
      })
    }
    ts.forEachChild(node, (child) => visit(child, helper))
  }
  for (const statement of file.statements) {
    const [first] = ts.isVariableStatement(statement) ? statement.declarationList.declarations : []
    const name = ts.isFunctionDeclaration(statement) ? statement.name?.text : first?.name.getText()
    visit(statement, name)
  }
  return mutants
}

/**
 * Mutation test of the rules: `npx tsx conformance/selftest/mutate-rules.ts [FILE-PART]` removes each assertion of the
 * rules, one at a time, and shows whether the self-test notices. It notices when a rule fails on the right server,
 * passes on a server whose fault it names, or does not end. Exits 1 when a mutant survives, or unchanged rules fail.
 */

type CheckModule = typeof import('./check-server.ts')
type FaultsModule = typeof import('./all-faults.ts')

const suite = new URL('..', import.meta.url).pathname
const [part = ''] = process.argv.slice(2)

/** Lists the rules that a module exports. */
function rulesOf(module: Record<string, unknown>): readonly Rule[] {
  return Object.values(module)
    .flat()
    .filter(
      (value): value is Rule => typeof value === 'object' && value !== null && 'check' in value && 'faults' in value,
    )
}

/** Folder of a copy of the suite, so that the tree does not change. */
const copy = await mkdtemp(join(tmpdir(), 'mutated-rules-'))
for (const name of ['src', 'selftest', 'package.json']) {
  await cp(join(suite, name), join(copy, name), { recursive: true })
}
const { checkServer, scoreFaults }: CheckModule & typeof import('./check-server.ts') = await import(
  pathToFileURL(join(copy, 'selftest/check-server.ts')).href
)
const { allFaults }: FaultsModule = await import(pathToFileURL(join(copy, 'selftest/all-faults.ts')).href)

const scripts = await readScripts()
let written = 0

/** Reads the rule files of the copy, by path below `rules/`. */
async function readScripts(): Promise<ReadonlyMap<string, string>> {
  const scripts = new Map<string, string>()
  for (const name of (await readdir(join(copy, 'src/rules')))
    .filter((file) => file.endsWith('.ts') && !/test|^all-/.test(file))
    .sort()) {
    scripts.set(name, await readFile(join(copy, 'src/rules', name), 'utf8'))
  }
  return scripts
}

/** Loads the rules of a changed file, or else the rules of the files that import it. */
async function loadRules(path: string, source: string): Promise<readonly Rule[]> {
  written += 1
  const mutated = `mutant-${written}.ts`
  await writeFile(join(copy, 'src/rules', mutated), source)
  const own = rulesOf(await import(pathToFileURL(join(copy, 'src/rules', mutated)).href))
  if (own.length > 0) return own
  const users = [...scripts].filter(([, text]) => text.includes(`'./${path}'`))
  const rules = await Promise.all(
    users.map(([other, text]) => loadRules(other, text.replaceAll(`'./${path}'`, `'./${mutated}'`))),
  )
  return rules.flat()
}

/** A rule without its assertion can be endless, when it repeats requests until something holds. */
const maxMs = 60_000

/** Whether a rule fails on the right server, passes on a server whose fault it names, or does not end on either. */
async function isNoticed(rules: readonly Rule[]): Promise<boolean> {
  const report = await checkServer({}, { rules, profile: 'full', signal: AbortSignal.timeout(maxMs) })
  if (report.results.some(({ status }) => status !== 'passed' && status !== 'skipped')) return true
  for (const rule of rules) {
    const faults = allFaults.filter(({ id }) => rule.faults.includes(id))
    for (const fault of faults) {
      const [score] = await scoreFaults({ faults: [fault], rules: [rule], maxMs })
      if (score !== undefined && (score.missedBy.length > 0 || score.ms >= maxMs)) return true
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
for (const path of unsound) console.log(`NOT SOUND ${path}: the self-test fails without a change`)
for (const survivor of survivors) console.log(`NOT NOTICED ${survivor}`)
console.log(`${total - survivors.length} of ${total} removed assertions noticed by the self-test`)
// A rule without its assertion can be endless. Its pending work must not keep the process alive.
process.exit(survivors.length + unsound.length === 0 ? 0 : 1)

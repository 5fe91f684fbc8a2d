import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'yaml'
import { CannotGenerate, createSdks } from './sdk/make-sdks.ts'
import { profilePath } from './sdk/profile.ts'
import { openRunner, readScenario, runScenario, type StepResult } from './sdk-test/scenario.ts'
import { openFormsOnlyServer, openLiveServer } from './sdk-test/servers.ts'
import { prepareLanguage, runTour, toolchains } from './sdk-test/tours.ts'

/**
 * Finds fields of the profile that the TypeScript SDK names differently, and returns one sentence for each. They would
 * be lost, because the SDK does not rename fields at run time.
 */
const findRenamedFields = (): string[] => {
  const types = readFileSync('sdk/typescript/client/models/index.ts', 'utf8')
  const profile = parse(readFileSync(profilePath, 'utf8'))
  const schemas: Record<string, { properties?: object }> = profile.components.schemas
  // TokenGrant is a form, whose fields become parameters.
  const { TokenGrant: _, ...models } = schemas
  return Object.entries(models)
    .flatMap(([model, { properties = {} }]) => Object.keys(properties).map((field) => ({ model, field })))
    .filter(({ field }) => !new RegExp(`^    ${field}\\??: `, 'm').test(types))
    .map(
      ({ model, field }) => `typescript: ${model}.${field} has another name in sdk/typescript/client/models/index.ts`,
    )
}

/** The results of the scenario in one language: with JSON on our server, and with forms on a forms-only server. */
type LanguageResult = { language: string; versions: string; json: StepResult[]; form: StepResult[] }

const page = 'contributing/sdk-generation.md'
const begin = '<!-- results: written by npm run sdk:test -->'
const end = '<!-- end of results -->'

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const countPassed = (steps: readonly StepResult[]): string =>
  `${steps.filter(({ wrong }) => wrong.length === 0).length} of ${steps.length}`

/** Renders the table of results: a row for each language, with the number of passed steps for JSON and for forms. */
const renderResults = (results: readonly LanguageResult[]): string =>
  [
    row(['language', 'run with', 'JSON bodies, our server', 'forms, forms-only server']),
    row(['---', '---', '---', '---']),
    ...results.map(({ language, versions, json, form }) =>
      row([language, versions, countPassed(json), countPassed(form)]),
    ),
  ].join('\n')

/** Writes the table between the marks in `contributing/sdk-generation.md`. @throws Error when the page has no marks */
function writeResults(results: readonly LanguageResult[]): void {
  const text = readFileSync(page, 'utf8')
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${page} has no marks for the results (${begin} … ${end})`)
  writeFileSync(page, `${text.slice(0, from)}${begin}\n\n${renderResults(results)}\n\n${text.slice(to)}`)
}

/**
 * Generates the SDKs, runs `sdk/scenario.json` through each against our server and against a server that accepts only
 * forms, and writes the table of results into `contributing/sdk-generation.md`. Runs the suite of clients with each.
 * Then packs every SDK, installs it into an empty project and runs its tour there; the READMEs and the code samples
 * contain the code of the tour. `npm run sdk:test -- go` runs only these languages and writes nothing; `--only-tours`
 * skips the scenario and the suite.
 */

const scenario = readScenario()

async function testLanguage(language: string, bodies: 'json' | 'form'): Promise<StepResult[]> {
  const { run, folder } = prepared.get(language) ?? prepareLanguage(language)
  const server = await openLiveServer(scenario.user)
  const front = bodies === 'form' ? await openFormsOnlyServer(server.baseUrl) : undefined
  const baseUrl = front?.baseUrl ?? server.baseUrl
  const runner = openRunner(run, folder)
  const { clientId, clientSecret } = server
  try {
    return await runScenario(scenario, { clientId, clientSecret }, bodies, (call) => runner.send(call, baseUrl))
  } finally {
    await runner.close()
    await front?.close()
    await server.close()
  }
}

const suite = ['--import', 'tsx', 'conformance/src/main.ts', 'client', '--profile', 'api', '--jobs', '2']
const adapter = ['--import', 'tsx', 'scripts/sdk-test/adapter.ts']

/** Runs the suite of clients with a built SDK. Returns its verdict. @throws Error with its report when a MUST failed */
function checkClient(language: string): string {
  const args = [...suite, '--', process.execPath, ...adapter, language]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${language}, suite of clients:\n${stdout}${stderr}`)
  return /^PASSED: .*$/m.exec(stdout)?.[0] ?? stdout
}

const onlyTours = process.argv.includes('--only-tours')
const named = process.argv.slice(2).filter((name) => name !== '--only-tours')
const names = named.length > 0 ? named : Object.keys(toolchains)
const prepared = new Map<string, ReturnType<typeof prepareLanguage>>()
const problems: string[] = []
try {
  await createSdks(names, { report: console.log })
} catch (error) {
  if (!(error instanceof CannotGenerate)) throw error
  console.error(`sdk:test: ${error.message}`)
  process.exit(1)
}
if (names.includes('typescript')) problems.push(...findRenamedFields())
for (const name of names) {
  try {
    prepared.set(name, prepareLanguage(name))
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error))
  }
}

const results: LanguageResult[] = []
for (const [language, { versions }] of onlyTours ? [] : prepared) {
  const result = {
    language,
    versions,
    json: await testLanguage(language, 'json'),
    form: await testLanguage(language, 'form'),
  }
  results.push(result)
  for (const bodies of ['json', 'form'] as const) {
    const failed = result[bodies].filter((step) => step.wrong.length > 0)
    console.log(
      `${language} (${versions}), bodies as ${bodies}: ${result[bodies].length - failed.length} of ${result[bodies].length} steps`,
    )
    for (const { name, wrong } of failed) problems.push(`${language}, ${bodies}, ${name}: ${wrong.join('; ')}`)
  }
}
for (const language of onlyTours ? [] : prepared.keys()) {
  try {
    console.log(`${language}, suite of clients: ${checkClient(language)}`)
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error))
  }
}
for (const language of prepared.keys()) {
  try {
    await runTour(language)
    console.log(`${language}, packed and installed into an empty project: the tour passed`)
  } catch (error) {
    problems.push(`${language}, tour: ${error instanceof Error ? error.message : error}`)
  }
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
else if (named.length === 0 && !onlyTours) writeResults(results)

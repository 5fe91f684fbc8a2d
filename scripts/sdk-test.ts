/**
 * Generates the SDKs, plays `sdk/scenario.json` through each against our server and against one that takes forms only, and
 * writes the table of results into `docs/sdk.md`. Then packs every SDK, installs it into an empty project and runs its tour there, whose
 * code is that of the READMEs and of the code samples. `npm run sdk:test -- go` takes these languages only and writes nothing;
 * `--only-tours` leaves the scenario out.
 */

import { CannotGenerate } from './sdk/cannot-generate.ts'
import { makeSdks } from './sdk/make-sdks.ts'
import { openFormsOnlyServer } from './sdk-test/forms-only-server.ts'
import { openLiveServer } from './sdk-test/live-server.ts'
import { prepareLanguage } from './sdk-test/prepare.ts'
import { findRenamedFields } from './sdk-test/renamed-fields.ts'
import { type LanguageResult, writeResults } from './sdk-test/results.ts'
import { runScenario, type StepResult } from './sdk-test/run-scenario.ts'
import { openRunner } from './sdk-test/runner.ts'
import { readScenario } from './sdk-test/scenario.ts'
import { takeTour } from './sdk-test/take-tour.ts'
import { toolchains } from './sdk-test/toolchains.ts'

const scenario = readScenario()

async function play(language: string, bodies: 'json' | 'form'): Promise<StepResult[]> {
  const { run, folder } = prepared.get(language) ?? prepareLanguage(language)
  const server = await openLiveServer(scenario.user)
  const front = bodies === 'form' ? await openFormsOnlyServer(server.baseUrl) : undefined
  const runner = openRunner(run, folder, front?.baseUrl ?? server.baseUrl)
  const { clientId, clientSecret } = server
  try {
    return await runScenario(scenario, { clientId, clientSecret }, bodies, runner.send)
  } finally {
    await runner.close()
    await front?.close()
    await server.close()
  }
}

const onlyTours = process.argv.includes('--only-tours')
const asked = process.argv.slice(2).filter((name) => name !== '--only-tours')
const names = asked.length > 0 ? asked : Object.keys(toolchains)
const prepared = new Map<string, ReturnType<typeof prepareLanguage>>()
const problems: string[] = []
try {
  await makeSdks(names, { report: console.log })
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
  const result = { language, versions, json: await play(language, 'json'), form: await play(language, 'form') }
  results.push(result)
  for (const bodies of ['json', 'form'] as const) {
    const failed = result[bodies].filter((step) => step.wrong.length > 0)
    console.log(
      `${language} (${versions}), bodies as ${bodies}: ${result[bodies].length - failed.length} of ${result[bodies].length} steps`,
    )
    for (const { name, wrong } of failed) problems.push(`${language}, ${bodies}, ${name}: ${wrong.join('; ')}`)
  }
}
for (const language of prepared.keys()) {
  try {
    await takeTour(language)
    console.log(`${language}, packed and installed into an empty project: the tour is as it has to be`)
  } catch (error) {
    problems.push(`${language}, tour: ${error instanceof Error ? error.message : error}`)
  }
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
else if (asked.length === 0 && !onlyTours) writeResults(results)

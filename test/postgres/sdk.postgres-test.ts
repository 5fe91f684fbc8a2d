import { expect, onTestFinished, test } from 'vitest'
import { openFormsOnlyServer } from '../../scripts/sdk-test/forms-only-server.ts'
import { prepareLanguage } from '../../scripts/sdk-test/prepare.ts'
import { runScenario } from '../../scripts/sdk-test/run-scenario.ts'
import { openRunner } from '../../scripts/sdk-test/runner.ts'
import { readScenario } from '../../scripts/sdk-test/scenario.ts'
import { openTestServer } from '../../src/acceptance/open-test-server.ts'
import { addUser } from '../../src/accounts/users.ts'
import { systemWorld } from '../../src/world.ts'

/** The language whose tools every clone has; others by their names, with a space between. */
const languages = (process.env.THINGSYNC_SDKS ?? 'typescript').split(' ')

test.each(languages.flatMap((language) => (['json', 'form'] as const).map((bodies) => ({ language, bodies }))))(
  'the SDK of $language plays its scenario on a database as on a folder, bodies as $bodies',
  async ({ language, bodies }) => {
    const scenario = readScenario()
    const { folder, run } = prepareLanguage(language)
    const { store, baseUrl, clientId, clientSecret } = await openTestServer()
    await addUser(store, { name: scenario.user.username, password: scenario.user.password }, systemWorld)
    const front = bodies === 'form' ? await openFormsOnlyServer(baseUrl) : undefined
    const runner = openRunner(run, folder, front?.baseUrl ?? baseUrl)
    onTestFinished(async () => {
      await runner.close()
      await front?.close()
    })

    const steps = await runScenario(scenario, { clientId, clientSecret }, bodies, runner.send)

    expect(steps.length).toBeGreaterThan(30)
    expect(steps.flatMap(({ name, wrong }) => wrong.map((each) => `${name}: ${each}`))).toEqual([])
  },
  300_000,
)

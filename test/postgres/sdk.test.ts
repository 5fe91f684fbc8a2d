import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createSdks } from '../../scripts/sdk/make-sdks.ts'
import { openRunner, readScenario, runScenario } from '../../scripts/sdk-test/scenario.ts'
import { openFormsOnlyServer } from '../../scripts/sdk-test/servers.ts'
import { prepareLanguage } from '../../scripts/sdk-test/tours.ts'
import { addUser } from '../../src/accounts/users.ts'
import { systemEnvironment } from '../../src/environment.ts'
import { openTestServer } from '../support/open-test-server.ts'

/** The language whose tools every clone has; others by their names, with a space between. */
const languages = (process.env.THINGSYNC_SDKS ?? 'typescript').split(' ')

beforeAll(async () => {
  await createSdks(languages, { report: console.log })
}, 300_000)

test.each(languages.flatMap((language) => (['json', 'form'] as const).map((bodies) => ({ language, bodies }))))(
  'the SDK of $language plays its scenario on a database as on a folder, bodies as $bodies',
  async ({ language, bodies }) => {
    const scenario = readScenario()
    const { folder, run } = prepareLanguage(language)
    const { store, baseUrl, clientId, clientSecret } = await openTestServer()
    await addUser(store, { name: scenario.user.username, password: scenario.user.password }, systemEnvironment)
    const front = bodies === 'form' ? await openFormsOnlyServer(baseUrl) : undefined
    const runner = openRunner(run, folder)
    onTestFinished(async () => {
      await runner.close()
      await front?.close()
    })

    const address = front?.baseUrl ?? baseUrl
    const steps = await runScenario(scenario, { clientId, clientSecret }, bodies, (call) => runner.send(call, address))

    expect(steps.length).toBeGreaterThan(30)
    expect(steps.flatMap(({ name, wrong }) => wrong.map((each) => `${name}: ${each}`))).toEqual([])
  },
  300_000,
)

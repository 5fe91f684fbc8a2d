/*
 * The adapter of thingsync-client in Chromium, for the suite of clients:
 * `npx tsx conformance/src/main.ts client -- npx tsx test/clients/chromium-adapter.ts`. An argument names a file with the
 * bundled script of the page, and a second one the folder of the profiles.
 *
 * A start of Chromium takes longer than most rules. So an adapter keeps its Chromium for all the replicas that it opens
 * one after another; each has databases of its own in the profile. A kill ends Chromium with the adapter. The folder of a
 * replica names its profile, so that the next adapter finds it.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleForBrowser } from '../support/bundle-for-browser.ts'
import { type ChromiumPage, openChromiumPage } from './chromium-process.ts'
import { claimsInChromium, type Outcome, toHello } from './client-commands.ts'
import { respondToLines } from './respond-to-lines.ts'

type Json = Readonly<Record<string, unknown>>

const [, , scriptFile, givenProfiles] = process.argv
const script = await (scriptFile === undefined
  ? bundleForBrowser(import.meta.dirname, 'chromium-page.ts')
  : readFile(scriptFile, 'utf8'))
const profiles = givenProfiles ?? (await mkdtemp(join(tmpdir(), 'thingsync-chromium-')))

let chromium: ChromiumPage | undefined
let isOpen = false

/** Returns the profile of the replica in this folder. A new replica gets the one of the running Chromium. */
const findProfile = async (folder: string): Promise<string> => {
  const file = join(folder, 'profile')
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const profile = chromium?.profile ?? (await mkdtemp(join(profiles, 'profile-')))
  await mkdir(folder, { recursive: true })
  await writeFile(file, profile)
  return profile
}

/** Loads the page again, in a Chromium with the profile of the folder. */
const openPage = async (folder: string): Promise<ChromiumPage> => {
  const profile = await findProfile(folder)
  if (chromium?.profile !== profile) {
    await chromium?.close()
    chromium = await openChromiumPage(profile)
  }
  await chromium.load(script)
  return chromium
}

const run = async (command: string, parameters: Json): Promise<Outcome> => {
  if (command === 'hello') return toHello(claimsInChromium)
  try {
    if (command === 'open') {
      await openPage(String(parameters.folder))
      isOpen = true
    }
    if (chromium === undefined || !isOpen) {
      return { error: { kind: 'unsupported', message: `${command} before open` } }
    }
    if (command === 'close') isOpen = false
    // The page has the function of `chromium-page.ts`. Source text would give the member `__proto__` another meaning.
    const given = JSON.stringify(JSON.stringify(parameters))
    const outcome = await chromium.evaluate(
      `runCommand(${JSON.stringify(command)}, JSON.parse(${given})).then(JSON.stringify)`,
    )
    return JSON.parse(String(outcome)) as Outcome
  } catch (error) {
    return {
      error: { kind: 'internal', message: error instanceof Error ? (error.stack ?? error.message) : `${error}` },
    }
  }
}

await respondToLines(run)
await chromium?.close()
if (givenProfiles === undefined) await rm(profiles, { recursive: true, maxRetries: 10 })
process.exit(0)

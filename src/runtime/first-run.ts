import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { addApp, webAppId } from '../accounts/apps.ts'
import { createLink } from '../accounts/links.ts'
import { addUser } from '../accounts/users.ts'
import { hidePassword, isDatabaseUrl } from '../config/setting-kinds.ts'
import type { Settings } from '../config/settings-table.ts'
import { type Environment, systemEnvironment } from '../environment.ts'
import { createFolder, FolderError } from '../folder/data-folder.ts'
import { formatLinkUrl } from '../pages/site.ts'
import type { Store } from '../store/store.ts'
import { CommandFailed } from './command-errors.ts'

/** No file of secrets can be made in a folder; nothing else was made either. */
class SecretsFileRefused extends CommandFailed {}

const nameOf = (count: number): string => (count === 1 ? 'first-run.txt' : `first-run-${count}.txt`)

/**
 * Makes a new empty file for secrets that only its owner may read: `first-run.txt`, or, since nothing is ever written
 * over, `first-run-2.txt` and so on. Gives its path.
 * @throws SecretsFileRefused when no file can be made in the folder
 */
async function makeSecretsFile(folder: string): Promise<string> {
  for (let count = 1; ; count++) {
    const path = join(folder, nameOf(count))
    try {
      await (await open(path, 'wx', 0o600)).close()
      return path
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
      if (error.code !== 'EEXIST') throw new SecretsFileRefused(`first run: ${path} cannot be made (${error.code})`)
    }
  }
}

/**
 * Writes the secrets; they are on the disk when this resolves.
 * @throws CommandFailed when the disk does not take them
 */
async function fillSecretsFile(path: string, text: string): Promise<void> {
  try {
    const file = await open(path, 'r+')
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    const advice = 'set others with "thingsync user reset-password" and "thingsync app add"'
    throw new CommandFailed(
      `first run: a user and an app were made, but ${path} was not written (${error.code}); ${advice}`,
    )
  }
}

/** The password of the first user; one that was given is known to the operator and is shown nowhere. */
interface OwnerPassword {
  readonly text: string
  readonly isGiven: boolean
  /** The file that it was read from. */
  readonly file?: string
}

/**
 * The password for the first user from the settings, or one that is made up.
 * @throws CommandFailed when both settings are there, or the file cannot be read
 */
async function readOwnerPassword(
  { ownerPassword, ownerPasswordFile: file }: Pick<Settings, 'ownerPassword' | 'ownerPasswordFile'>,
  environment: Environment,
): Promise<OwnerPassword> {
  if (ownerPassword !== undefined && file !== undefined) {
    throw new CommandFailed('THINGSYNC_OWNER_PASSWORD and THINGSYNC_OWNER_PASSWORD_FILE are both set; set one', 2)
  }
  if (ownerPassword !== undefined) return { text: ownerPassword, isGiven: true }
  if (file === undefined) return { text: environment.newId(), isGiven: false }
  try {
    // Editors and `echo` end a file with a line end.
    return { text: (await readFile(file, 'utf8')).replace(/\r?\n$/, ''), isGiven: true, file }
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      throw new CommandFailed(`owner password file: ${file} cannot be read (${error.code})`)
    }
    throw error
  }
}

/** What a first run made; of the secrets only hashes are kept. */
interface FirstRun {
  readonly username: string
  readonly password: OwnerPassword
  readonly clientId: string
  readonly clientSecret: string
  /** An address that signs the user in, once and within 30 minutes. */
  readonly link: string
}

/** What is there to say beside the accounts. */
interface Place {
  readonly baseUrl: string
  /** Where everything is kept: what that is, and its path or address. */
  readonly kept: { readonly in: string; readonly at: string }
  /** The setting `password_grant`. */
  readonly allowsPasswordGrant: boolean
}

/** Any text as one word of a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const askForToken = (baseUrl: string, app: string, user: string, password: string): string =>
  `TOKEN=$(curl -sS -d grant_type=password ${app} --data-urlencode ${user} --data-urlencode ${password} ${quote(`${baseUrl}token`)} | sed 's/.*"access_token": *"\\([^"]*\\)".*/\\1/')`

/** `from` is said: without it an upload that is sent again, because its answer was lost, is done twice. */
const makeFirstSync = (baseUrl: string): string =>
  `curl -sS -w '\\n' -H "Authorization: Bearer $TOKEN" -d from=0 --data-urlencode 'new_thing={"local_id":"1","title":"My first thing"}' ${quote(`${baseUrl}sync`)}
curl -sS -w '\\n' -H "Authorization: Bearer $TOKEN" ${quote(`${baseUrl}sync`)}`

/** The line that sets a password which is not to be shown. */
const setPassword = ({ password: { file } }: FirstRun): string =>
  `THINGSYNC_OWNER_PASSWORD=${file === undefined ? "'the password that you set'" : `$(cat ${quote(file)})`}`

const showPassword = ({ password: { isGiven, text, file } }: FirstRun): string => {
  if (!isGiven) return text
  return file === undefined ? 'as set by THINGSYNC_OWNER_PASSWORD' : `as in ${file}`
}

const paste = 'Paste these lines into a shell: they get a token, create a thing, and list it.'

/** Lines for a shell; `token` are those that get one by the password. */
const showFirstSync = ({ baseUrl, allowsPasswordGrant }: Place, token: string): string =>
  allowsPasswordGrant
    ? `${paste}

${token}
${makeFirstSync(baseUrl)}`
    : `Apps may not send passwords to this server (password_grant is off): they use the web flow. For a first sync make an
access token at ${baseUrl.replace(/v1\/$/, 'account/tokens')} and paste these lines into a shell:

TOKEN='the access token'
${makeFirstSync(baseUrl)}`

/**
 * What is printed once on a terminal after a first run: secrets, and lines for any POSIX shell that get a token, create
 * a thing and list it.
 */
function describeFirstRun(run: FirstRun, place: Place): string {
  const { baseUrl, kept } = place
  const { username, password, clientId, clientSecret, link } = run
  const app = `-d client_id=${clientId} -d client_secret=${clientSecret}`
  const before = password.isGiven ? `${setPassword(run)}\n` : ''
  const shown = password.isGiven ? '"password=$THINGSYNC_OWNER_PASSWORD"' : quote(`password=${password.text}`)
  return `
This ${kept.in} was empty, so a user and an app were made. Their secrets are shown this once:

  base address   ${baseUrl}
  ${kept.in.padEnd(14)} ${kept.at}
  user           ${username}
  password       ${showPassword(run)}
  client id      ${clientId}
  client secret  ${clientSecret}

To see your account and to run this server, open this in a browser; it works once, within 30 minutes:

  ${link}

${showFirstSync(place, `${before}${askForToken(baseUrl, app, quote(`username=${username}`), shown)}`)}

`
}

/** What is printed when there is no terminal: the same, but the secrets, which are in the file. */
function describeHiddenFirstRun(run: FirstRun, place: Place, file: string): string {
  const { baseUrl, kept } = place
  const app = `-d "client_id=$THINGSYNC_CLIENT_ID" -d "client_secret=$THINGSYNC_CLIENT_SECRET"`
  const before = run.password.isGiven ? `${setPassword(run)}\n` : ''
  const [user, password] = ['"username=$THINGSYNC_OWNER"', '"password=$THINGSYNC_OWNER_PASSWORD"']
  return `
This ${kept.in} was empty, so a user and an app were made. There is no terminal here, so their secrets are in a file
that only the server's user may read; copy them and delete it:

  base address   ${baseUrl}
  ${kept.in.padEnd(14)} ${kept.at}
  user           ${run.username}
  secrets        ${file}

To see your account and to run this server, open the link in that file in a browser; it works once, within 30 minutes.

${showFirstSync(place, `. ${quote(file)}\n${before}${askForToken(baseUrl, app, user, password)}`)}

`
}

/** What the file holds: lines that a POSIX shell can read. */
function showFirstRunFile({ username, password, clientId, clientSecret, link }: FirstRun, { baseUrl }: Place): string {
  return `# Secrets that thingsync made at its first start, for ${baseUrl}
# They are shown nowhere else. Copy what you need, then delete this file.
THINGSYNC_OWNER=${quote(username)}
${password.isGiven ? '# The password is the one that was given.' : `THINGSYNC_OWNER_PASSWORD=${quote(password.text)}`}
THINGSYNC_CLIENT_ID=${quote(clientId)}
THINGSYNC_CLIENT_SECRET=${quote(clientSecret)}
# Open this in a browser: it signs you in once, within 30 minutes of the first start.
THINGSYNC_SIGN_IN_LINK=${quote(link)}
`
}

type FirstRunSettings = Pick<
  Settings,
  'data' | 'store' | 'owner' | 'passwordGrant' | 'ownerPassword' | 'ownerPasswordFile'
>

/** What there is to print about the first accounts, and the file of their secrets, when that was made. */
interface FirstAccounts {
  readonly shown: string
  readonly file?: string
}

/**
 * Makes the first user and an app in a store without users and apps, and gives what there is to print about it, once:
 * with the secrets on a terminal, else without them, because what is printed goes into logs. Undefined in any other
 * store.
 * @throws AccountError, CommandFailed when it cannot be done
 */
async function makeFirstAccounts(
  store: Store,
  settings: FirstRunSettings,
  { baseUrl, isTerminal }: { readonly baseUrl: string; readonly isTerminal: boolean },
  environment: Environment,
): Promise<FirstAccounts | undefined> {
  const { registry } = store
  const apps = (await registry.listApps()).filter(({ clientId }) => clientId !== webAppId)
  if (apps.length > 0 || (await registry.hasUsers())) return undefined
  const kept = isDatabaseUrl(settings.store)
    ? { in: 'database', at: hidePassword(settings.store) }
    : { in: 'data folder', at: settings.data }
  const place = { baseUrl, kept, allowsPasswordGrant: settings.passwordGrant }
  const addAccounts = () => addFirst(store, settings, baseUrl, environment)
  if (isTerminal) return { shown: describeFirstRun(await addAccounts(), place) }

  // Before the accounts: secrets that cannot be kept anywhere would never be shown.
  const file = await makeSecretsFile(settings.data)
  const run = await addAccounts().catch(async (error: unknown) => {
    await rm(file)
    throw error
  })
  await fillSecretsFile(file, showFirstRunFile(run, place))
  return { shown: describeHiddenFirstRun(run, place, file), file }
}

async function addFirst(
  store: Store,
  settings: FirstRunSettings,
  baseUrl: string,
  environment: Environment,
): Promise<FirstRun> {
  const password = await readOwnerPassword(settings, environment)
  const { id: userId } = await addUser(store, { name: settings.owner, password: password.text }, environment)
  const { clientId, clientSecret } = await addApp(store, 'first app', environment)
  const { secret } = await createLink(store, { kind: 'first-sign-in', userId }, environment)
  const link = formatLinkUrl(baseUrl, secret)
  return { username: settings.owner, password, clientId, clientSecret, link }
}

/** What a server that has just started tells those who run it. */
interface Told {
  readonly baseUrl: string
  readonly log: Logger
}

/**
 * Makes the first user and an app where the settings ask for that and nobody is yet; of servers that begin at once on one
 * database one does. Gives what is to be printed about it.
 * @throws AccountError, CommandFailed, StoreFailed
 */
export async function beginAccounts(
  store: Store,
  settings: Settings,
  { baseUrl, log }: Told,
): Promise<FirstAccounts | undefined> {
  if (!settings.firstRun) return undefined
  const isTerminal = process.stdout.isTTY === true
  const make = () => makeFirstAccounts(store, settings, { baseUrl, isTerminal }, systemEnvironment)
  if (!isDatabaseUrl(settings.store)) return make()
  // Nearly always: then nobody has to wait for anybody.
  if (await store.registry.hasUsers()) return undefined
  const { runExclusively: runAlone } = await import('../store/postgres/open-postgres.ts')
  return runAlone(settings.store, async () => {
    try {
      if (!isTerminal && !(await store.registry.hasUsers())) await createFolder(settings.data)
      return await make()
    } catch (error) {
      // A server on a database needs no folder for anything else.
      if (!(error instanceof FolderError || error instanceof SecretsFileRefused)) throw error
      log.info({ reason: error.message }, howToBegin)
      return undefined
    }
  })
}

const howToBegin =
  'nobody has an account yet, and the secrets of a first one can be kept nowhere: make it, an admin, with "thingsync user add" on the same database, and a link to it with "thingsync user link"'

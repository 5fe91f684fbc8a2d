import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { addApp, canRunWebApp, isBuiltInApp } from '../accounts/apps.ts'
import { createLink } from '../accounts/links.ts'
import { addUser } from '../accounts/users.ts'
import type { Settings } from '../config/settings-table.ts'
import { hidePassword, isDatabaseUrl } from '../config/settings-table.ts'
import { type Environment, systemEnvironment } from '../environment.ts'
import { createFolder, FolderError } from '../folder/data-folder.ts'
import { formatLinkUrl } from '../pages/site.ts'
import type { Store } from '../store/store.ts'
import { CommandFailed } from './command-errors.ts'

/** A folder in which no secrets file can be created; the first run has created nothing else. */
class SecretsFileError extends CommandFailed {}

const nameOf = (count: number): string => (count === 1 ? 'first-run.txt' : `first-run-${count}.txt`)

/**
 * Creates an empty file for secrets that only its owner may read, and returns its path. The name is `first-run.txt`.
 * When that file exists, it is `first-run-2.txt` and so on: the first run never overwrites a file.
 * @throws SecretsFileError when no file can be created in the folder
 */
async function createSecretsFile(folder: string): Promise<string> {
  for (let count = 1; ; count++) {
    const path = join(folder, nameOf(count))
    try {
      await (await open(path, 'wx', 0o600)).close()
      return path
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
      if (error.code !== 'EEXIST')
        throw new SecretsFileError(
          `first run: ${path} cannot be created (${error.code}); check the permissions of its folder`,
        )
    }
  }
}

/**
 * Writes the secrets. They are on the disk when this resolves.
 * @throws CommandFailed when the disk rejects them
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
    const advice = 'set new secrets with "thingsync user reset-password" and "thingsync app add"'
    throw new CommandFailed(
      `first run: a user and an app were created, but ${path} was not written (${error.code}); ${advice}`,
    )
  }
}

/** The password of the first user. A password from the settings is known to the administrator, and is never shown. */
interface OwnerPassword {
  readonly text: string
  readonly isGiven: boolean
  /** The file from which it was read. */
  readonly file?: string
}

/**
 * Reads the password for the first user from the settings, or generates one.
 * @throws CommandFailed when both settings are set, or the file cannot be read
 */
async function readOwnerPassword(
  { ownerPassword, ownerPasswordFile: file }: Pick<Settings, 'ownerPassword' | 'ownerPasswordFile'>,
  environment: Environment,
): Promise<OwnerPassword> {
  if (ownerPassword !== undefined && file !== undefined) {
    throw new CommandFailed(
      'THINGSYNC_OWNER_PASSWORD and THINGSYNC_OWNER_PASSWORD_FILE are both set; set only one of them',
      2,
    )
  }
  if (ownerPassword !== undefined) return { text: ownerPassword, isGiven: true }
  if (file === undefined) return { text: environment.newId(), isGiven: false }
  try {
    // Editors and `echo` add a line end to a file.
    return { text: (await readFile(file, 'utf8')).replace(/\r?\n$/, ''), isGiven: true, file }
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      throw new CommandFailed(
        `owner_password_file: ${file} cannot be read (${error.code}); check its path and permissions`,
      )
    }
    throw error
  }
}

/** The accounts that a first run created; the store keeps only hashes of the secrets. */
interface FirstRun {
  readonly username: string
  readonly password: OwnerPassword
  readonly clientId: string
  readonly clientSecret: string
  /** A URL that signs the user in, once and within 30 minutes. */
  readonly link: string
}

/** Further details to print. */
interface FirstRunContext {
  readonly baseUrl: string
  /** The storage: "database" or "data folder", and its URL or path. */
  readonly kept: { readonly in: string; readonly at: string }
  /** The setting `password_grant`. */
  readonly allowsPasswordGrant: boolean
  /** The URL of the web app; undefined where the server does not serve it. */
  readonly appUrl: string | undefined
}

/** Quotes any text as one word of a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const showTokenLine = (baseUrl: string, app: string, user: string, password: string): string =>
  `TOKEN=$(curl -sS -d grant_type=password ${app} --data-urlencode ${user} --data-urlencode ${password} ${quote(`${baseUrl}token`)} | sed 's/.*"access_token": *"\\([^"]*\\)".*/\\1/')`

/**
 * Shows the lines of a first sync. They set `from`: without it an upload that is repeated after a lost response is done
 * twice.
 */
const showSyncLines = (baseUrl: string): string =>
  `curl -sS -w '\\n' -H "Authorization: Bearer $TOKEN" -d from=0 --data-urlencode 'new_thing={"local_id":"1","title":"My first thing"}' ${quote(`${baseUrl}sync`)}
curl -sS -w '\\n' -H "Authorization: Bearer $TOKEN" ${quote(`${baseUrl}sync`)}`

/** Shows the line that sets a password which must not be printed. */
const showPasswordLine = ({ password: { file } }: FirstRun): string =>
  `THINGSYNC_OWNER_PASSWORD=${file === undefined ? "'the password that you set'" : `$(cat ${quote(file)})`}`

const showPassword = ({ password: { isGiven, text, file } }: FirstRun): string => {
  if (!isGiven) return text
  return file === undefined ? 'as set by THINGSYNC_OWNER_PASSWORD' : `as in ${file}`
}

const paste = 'Paste these lines into a shell: they get a token, create a thing, and list it.'

/** Shows lines for a shell; `token` holds the lines that get a token with the password. */
const showFirstSync = ({ baseUrl, allowsPasswordGrant }: FirstRunContext, token: string): string =>
  allowsPasswordGrant
    ? `${paste}

${token}
${showSyncLines(baseUrl)}`
    : `Apps may not send passwords to this server (password_grant is off): they use the authorization code flow. For a first
sync create an access token at ${baseUrl.replace(/v1\/$/, 'account/tokens')} and paste these lines into a shell:

TOKEN='the access token'
${showSyncLines(baseUrl)}`

/** Finds the URL of the web app; undefined where the server does not serve it, or no browser can run it. */
export function findAppUrl(baseUrl: string, { web }: Pick<Settings, 'web'>): string | undefined {
  return web && canRunWebApp(new URL(baseUrl).origin) ? baseUrl.replace(/v1\/$/, '') : undefined
}

/**
 * Formats the text that is printed once on a terminal after a first run. It holds the secrets, and lines for a POSIX
 * shell that get a token, create a thing and list it.
 */
function describeFirstRun(run: FirstRun, context: FirstRunContext): string {
  const { baseUrl, kept, appUrl } = context
  const { username, password, clientId, clientSecret, link } = run
  const app = `-d client_id=${clientId} -d client_secret=${clientSecret}`
  const firstLine = password.isGiven ? `${showPasswordLine(run)}\n` : ''
  const shown = password.isGiven ? '"password=$THINGSYNC_OWNER_PASSWORD"' : quote(`password=${password.text}`)
  return `
${appUrl === undefined ? 'Open your account' : `Open your list at ${appUrl}`} with this link in a browser. It works once, within 30 minutes, and you can choose
a password there:

  ${link}

This ${kept.in} was empty, so the server created a user and an app. It shows their secrets only once:

  base URL       ${baseUrl}
  ${kept.in.padEnd(14)} ${kept.at}
  user           ${username}
  password       ${showPassword(run)}
  client ID      ${clientId}
  client secret  ${clientSecret}

${showFirstSync(context, `${firstLine}${showTokenLine(baseUrl, app, quote(`username=${username}`), shown)}`)}

`
}

/** Formats the text that is printed without a terminal: the same without the secrets, which are in the file. */
function describeHiddenFirstRun(run: FirstRun, context: FirstRunContext, file: string): string {
  const { baseUrl, kept, appUrl } = context
  const app = `-d "client_id=$THINGSYNC_CLIENT_ID" -d "client_secret=$THINGSYNC_CLIENT_SECRET"`
  const firstLine = run.password.isGiven ? `${showPasswordLine(run)}\n` : ''
  const [user, password] = ['"username=$THINGSYNC_OWNER"', '"password=$THINGSYNC_OWNER_PASSWORD"']
  return `
${appUrl === undefined ? 'Open your account' : `Open your list at ${appUrl}`} with the link in the file of secrets below. It works once, within 30 minutes,
and you can choose a password there.

This ${kept.in} was empty, so the server created a user and an app. There is no terminal here, so their secrets are in a
file that only the server's user can read. Copy them, then delete the file:

  base URL       ${baseUrl}
  ${kept.in.padEnd(14)} ${kept.at}
  user           ${run.username}
  secrets        ${file}

${showFirstSync(context, `. ${quote(file)}\n${firstLine}${showTokenLine(baseUrl, app, user, password)}`)}

`
}

/** Formats the content of the secrets file: lines that a POSIX shell can read. */
function showFirstRunFile(
  { username, password, clientId, clientSecret, link }: FirstRun,
  { baseUrl }: FirstRunContext,
): string {
  return `# Secrets that thingsync created at its first start, for ${baseUrl}
# It shows them nowhere else. Copy what you need, then delete this file.
THINGSYNC_OWNER=${quote(username)}
${password.isGiven ? '# The password is the password that you set.' : `THINGSYNC_OWNER_PASSWORD=${quote(password.text)}`}
THINGSYNC_CLIENT_ID=${quote(clientId)}
THINGSYNC_CLIENT_SECRET=${quote(clientSecret)}
# Open this in a browser: it signs you in once, within 30 minutes of the first start.
THINGSYNC_SIGN_IN_LINK=${quote(link)}
`
}

type FirstRunSettings = Pick<
  Settings,
  'data' | 'store' | 'owner' | 'web' | 'passwordGrant' | 'ownerPassword' | 'ownerPasswordFile'
>

/** The text to print about the first accounts, and the secrets file if there is one. */
interface FirstAccounts {
  readonly shown: string
  readonly file?: string
}

/**
 * Creates the first user and an app in a store without users and apps, and returns the text to print. The text holds
 * the secrets only on a terminal: other output goes into logs. Returns undefined for any other store.
 * @throws AccountError, CommandFailed when it cannot be done
 */
async function createFirstAccounts(
  store: Store,
  settings: FirstRunSettings,
  { baseUrl, isTerminal }: { readonly baseUrl: string; readonly isTerminal: boolean },
  environment: Environment,
): Promise<FirstAccounts | undefined> {
  const { registry } = store
  const apps = (await registry.listApps()).filter((app) => !isBuiltInApp(app))
  if (apps.length > 0 || (await registry.hasUsers())) return undefined
  const kept = isDatabaseUrl(settings.store)
    ? { in: 'database', at: hidePassword(settings.store) }
    : { in: 'data folder', at: settings.data }
  const appUrl = findAppUrl(baseUrl, settings)
  const context = { baseUrl, kept, allowsPasswordGrant: settings.passwordGrant, appUrl }
  const addAccounts = () => addFirst(store, settings, baseUrl, environment)
  if (isTerminal) return { shown: describeFirstRun(await addAccounts(), context) }

  // Before the accounts: nobody could ever read secrets that cannot be written anywhere.
  const file = await createSecretsFile(settings.data)
  const run = await addAccounts().catch(async (error: unknown) => {
    await rm(file)
    throw error
  })
  await fillSecretsFile(file, showFirstRunFile(run, context))
  return { shown: describeHiddenFirstRun(run, context, file), file }
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

/** Details of a server that has just started. */
interface StartedServer {
  readonly baseUrl: string
  readonly log: Logger
}

/**
 * Creates the first user and an app, if the settings request that and the store has no users, and returns the text to
 * print. Of servers that start at the same time on one database, one does it.
 * @throws AccountError, CommandFailed, StoreError
 */
export async function beginAccounts(
  store: Store,
  settings: Settings,
  { baseUrl, log }: StartedServer,
): Promise<FirstAccounts | undefined> {
  if (!settings.firstRun) return undefined
  const isTerminal = process.stdout.isTTY === true
  const create = () => createFirstAccounts(store, settings, { baseUrl, isTerminal }, systemEnvironment)
  if (!isDatabaseUrl(settings.store)) return create()
  // The usual case: then no server waits for another one.
  if (await store.registry.hasUsers()) return undefined
  const { runExclusively } = await import('../store/postgres/open-postgres.ts')
  return runExclusively(settings.store, async () => {
    try {
      if (!isTerminal && !(await store.registry.hasUsers())) await createFolder(settings.data)
      return await create()
    } catch (error) {
      // A server on a database needs no folder for anything else.
      if (!(error instanceof FolderError || error instanceof SecretsFileError)) throw error
      log.info({ reason: error.message }, firstAccountAdvice)
      return undefined
    }
  })
}

const firstAccountAdvice =
  'there are no users yet, and no file for their secrets can be written; create an administrator with "thingsync user add" on the same database, then a link for this user with "thingsync user link"'

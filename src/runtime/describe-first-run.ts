import type { OwnerPassword } from './owner-password.ts'

/** What a first run made; of the secrets only hashes are kept. */
export interface FirstRun {
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
  readonly takesPasswords: boolean
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
const showFirstSync = ({ baseUrl, takesPasswords }: Place, token: string): string =>
  takesPasswords
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
export function describeFirstRun(run: FirstRun, place: Place): string {
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
export function describeHiddenFirstRun(run: FirstRun, place: Place, file: string): string {
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
export function showFirstRunFile(
  { username, password, clientId, clientSecret, link }: FirstRun,
  { baseUrl }: Place,
): string {
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

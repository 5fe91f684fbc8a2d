import type { App } from '../../store/registry/registry.ts'
import { quoteForShell } from '../copy-parts.tsx'
import type { Site } from '../site.ts'

/** What the developer of an app pastes into a `.env`. */
export const showEnvironment = ({ baseUrl }: Site, app: App, secret: string | undefined): string =>
  [
    `THINGSYNC_BASE_URL=${baseUrl}`,
    `THINGSYNC_CLIENT_ID=${app.clientId}`,
    ...(secret === undefined ? [] : [`THINGSYNC_CLIENT_SECRET=${secret}`]),
  ].join('\n')

/**
 * Two calls of curl for a POSIX shell that work as they are pasted: the first asks for the password and gets a token, the
 * second syncs with it. The braces make the shell read all of it before it asks, so that the second is not taken for the
 * password, which is never an argument that other people of the machine could see.
 */
export const showCurlPair = ({ baseUrl }: Site, app: App, secret: string, userName: string): string =>
  `{ printf 'Password: '; stty -echo 2>/dev/null; IFS= read -r PASSWORD; stty echo 2>/dev/null; echo
TOKEN=$(printf %s "$PASSWORD" | curl -sS -d grant_type=password -d client_id=${app.clientId} -d client_secret=${secret} --data-urlencode ${quoteForShell(`username=${userName}`)} --data-urlencode password@- ${quoteForShell(`${baseUrl}token`)} | sed 's/.*"access_token": *"\\([^"]*\\)".*/\\1/')
curl -sS -w '\\n' -H "Authorization: Bearer $TOKEN" ${quoteForShell(`${baseUrl}sync`)}; }`

/** The curl line of a personal access token. */
export const showTokenCurl = ({ baseUrl }: Site, token: string): string =>
  `curl -sS -w '\\n' -H ${quoteForShell(`Authorization: Bearer ${token}`)} ${quoteForShell(`${baseUrl}sync`)}`

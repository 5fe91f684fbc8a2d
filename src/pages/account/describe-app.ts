import type { App } from '../../store/directory.ts'
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
 * Two lines for a POSIX shell that work as they are pasted: the first asks for the password and gets a token, the second
 * syncs with it. The password is typed, never shown and never an argument that other programs of the machine see.
 */
export const showCurlPair = ({ baseUrl }: Site, app: App, secret: string, userName: string): string =>
  [
    `stty -echo; printf 'Password: '; read -r PASSWORD; stty echo; echo; TOKEN=$(printf %s "$PASSWORD" | curl -sS -d grant_type=password -d client_id=${app.clientId} -d client_secret=${secret} --data-urlencode ${quoteForShell(`username=${userName}`)} --data-urlencode password@- ${quoteForShell(`${baseUrl}token`)} | sed 's/.*"access_token": *"\\([^"]*\\)".*/\\1/')`,
    `curl -sS -w '\\n' -H "Authorization: Bearer $TOKEN" ${quoteForShell(`${baseUrl}sync`)}`,
  ].join('\n')

/** The curl line of a personal access token. */
export const showTokenCurl = ({ baseUrl }: Site, token: string): string =>
  `curl -sS -w '\\n' -H ${quoteForShell(`Authorization: Bearer ${token}`)} ${quoteForShell(`${baseUrl}sync`)}`

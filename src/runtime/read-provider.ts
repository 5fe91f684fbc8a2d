import { readFile } from 'node:fs/promises'
import type { Settings } from '../config/settings-table.ts'
import type { ProviderSettings } from '../provider/provider.ts'
import { CommandFailed } from './command-failed.ts'

/** The OpenID provider of the settings, if there is one. @throws CommandFailed when the file of its secret cannot be read */
export async function readProvider(settings: Settings): Promise<ProviderSettings | undefined> {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecretFile: file, oidcName: name } = settings
  if (issuer === undefined || clientId === undefined) return undefined
  const provider = { issuer, clientId, name, userClaim: settings.oidcUser }
  return file === undefined ? provider : { ...provider, clientSecret: await readSecret(file) }
}

async function readSecret(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      throw new CommandFailed(`oidc_client_secret_file: ${file} cannot be read (${error.code})`)
    }
    throw error
  }
}

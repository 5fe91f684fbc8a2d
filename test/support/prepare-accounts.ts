import { runOnFolder } from '../../src/cli/run-command.ts'
import type { AccountCommand } from '../../src/runtime/account-commands.ts'
import type { AccountRow } from '../../src/runtime/command-errors.ts'

/** The password of the users that tests prepare. */
export const preparedPassword = 'correct horse'

/**
 * What a test needs before it begins, such as users and apps: the same as the command does to a data folder, served or
 * not, without a process for each (a third of a second). @throws Error when it is rejected
 */
export const prepare = async (data: string, command: AccountCommand): Promise<readonly AccountRow[]> => {
  const settings = { data, store: 'json', baseUrl: undefined, host: '127.0.0.1', port: 8080 } as const
  const outcome = await runOnFolder(settings, command, { mayCreate: true })
  if ('rejection' in outcome) throw new Error(`${command.name} was rejected: ${outcome.rejection}`)
  return outcome.rows
}

/** Adds users with the prepared password. */
export const prepareUsers = async (data: string, ...names: readonly string[]): Promise<void> => {
  for (const user of names) await prepare(data, { name: 'user add', user, password: preparedPassword })
}

/** Adds an app, and gives what its clients prove themselves with. */
export const prepareApp = async (data: string, name: string) => {
  const [app] = await prepare(data, {
    name: 'app add',
    app: name,
    redirectUris: [],
    isPublic: false,
    isStandard: false,
  })
  return { client_id: String(app?.client_id), client_secret: String(app?.client_secret) }
}

/** Makes a personal token of a user. */
export const prepareToken = async (data: string, user: string): Promise<string> => {
  const [created] = await prepare(data, { name: 'token add', token: 'prepared', user, isReadOnly: false })
  return String(created?.token)
}

import { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram, loadCommands } from './program.ts'

const listNames = async (firstWord: string | undefined): Promise<string[]> => {
  const program = new Command()
  await loadCommands(program, firstWord)
  return program.commands.map((command) => command.name())
}

test('the name of a command loads that command and only the others of its file', async () => {
  const names = await listNames(undefined)

  expect(names).toHaveLength(20)
  for (const name of names) {
    const found = await listNames(name)
    expect(found).toEqual(['backup', 'restore'].includes(name) ? ['backup', 'restore'] : [name])
  }
})

test('an unknown word loads all commands, which the help and a suggestion need', async () => {
  const names = await listNames(undefined)

  for (const word of ['usr', '--help', 'help', 'constructor', '__proto__', ''])
    expect(await listNames(word)).toEqual(names)
})

const showHelp = async (name: string): Promise<string> => {
  const program = createProgram().configureOutput({ getOutHelpWidth: () => 500 })
  await loadCommands(program, name)
  return program.commands.find((command) => command.name() === name)?.helpInformation() ?? ''
}

test('the help of serve describes each flag as given, in groups', async () => {
  const help = await showHelp('serve')

  expect(help.match(/^\S.*:$/gm)).toEqual([
    'Data and backups:',
    'Network:',
    'Sign-in and first run:',
    'Limits:',
    'Delivery:',
    'Link previews:',
    'Logging and monitoring:',
    'Options:',
  ])
  expect(help).toMatch(/^ {2}--no-web +Do not serve the web app; .* \[THINGSYNC_WEB=false\]$/m)
  expect(help).toMatch(/^ {2}--open-registration +Let anyone create .* \[THINGSYNC_OPEN_REGISTRATION=true\]$/m)
  expect(help).toMatch(/^ {2}--quota-things <N> +Maximum .* \[default: no limit; THINGSYNC_QUOTA_THINGS\]$/m)
})

test('a command has its own sentence for a flag that means something else than for serve', async () => {
  expect(await showHelp('verify')).toMatch(/^ {2}--data <DIR> +Data folder of the server; must exist\./m)
  expect(await showHelp('restore')).toMatch(/^ {2}--data <DIR> +Data folder to fill; must be empty or missing\./m)
  expect(await showHelp('healthcheck')).toMatch(/^ {2}--host <H> +Address on which the server listens; /m)
})

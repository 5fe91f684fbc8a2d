import { Command } from 'commander'
import { expect, test } from 'vitest'
import { loadCommands } from './program.ts'

const listNames = async (firstWord: string | undefined): Promise<string[]> => {
  const program = new Command()
  await loadCommands(program, firstWord)
  return program.commands.map((command) => command.name())
}

test('the name of a command loads that command and only the others of its file', async () => {
  const names = await listNames(undefined)

  expect(names).toHaveLength(19)
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

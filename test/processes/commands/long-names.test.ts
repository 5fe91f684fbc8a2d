import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder, runCli } from '../../support/run-cli.ts'

/**
 * 64 KB whose normalization took 1.4 s and blocked the server: all marks of one class behind all marks of another, which
 * Unicode normalization sorts in quadratic time.
 */
const longName = `a${'\u0345'.repeat(16_000)}${'\u0301'.repeat(16_000)}`
/** As long as a name of a user may be: 200 characters of two code units. */
const longestName = '\u{1d11e}'.repeat(200)
/** A letter longer than any name. */
const tooLong = `${longestName}a`
const sentence = 'is too long: a user name has at most 200 characters'

const password = 'correct horse'

test('commands reject a name that is too long, whichever way it is given', async () => {
  const data = join(await createTemporaryFolder(), 'data')
  const run = (args: readonly string[], input = '') => runCli([...args, '--data', data], input)
  await run(['user', 'add', 'anna', '--password-stdin'], password)

  const looked = [
    await run(['user', 'remove', longName, '--yes']),
    await run(['user', 'rename', longName, 'bert']),
    await run(['user', 'link', longName]),
    await run(['user', 'promote', tooLong]),
    await run(['token', 'add', 'script', '--user', longName]),
    await run(['session', 'list', '--user', longName]),
    await run(['export', '--user', longName]),
  ]
  const chosen = [
    await run(['user', 'add', longName, '--password-stdin'], password),
    await run(['user', 'rename', 'anna', longName]),
    await run(['user', 'invite', longName]),
  ]
  const owner = await runCli(['serve', '--port', '0', '--data', join(data, 'other')], '', { THINGSYNC_OWNER: longName })

  for (const { exitCode, stderr } of looked)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`the user name ${sentence}`)])
  for (const { exitCode, stderr } of [...chosen, owner])
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('the name of the user must have 1 to 200 characters'),
    ])
  for (const { stderr } of [...looked, ...chosen, owner]) expect(stderr).not.toContain('\u0301')
})

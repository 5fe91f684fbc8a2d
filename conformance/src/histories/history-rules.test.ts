import { expect, test } from 'vitest'
import { allFaults } from '../../selftest/all-faults.ts'
import { checkOpenServer } from '../../selftest/check-server.ts'
import { type OpenServer, openRightServer } from '../../selftest/right-server.ts'
import { historyRules } from './history-rules.ts'

const play = (server: OpenServer, histories = 20) =>
  checkOpenServer(server, { rules: historyRules, profile: 'full', histories })

test('a history that goes wrong is told as a story and repeated by a script', async () => {
  const behavior = allFaults.find(({ id }) => id === 'pos-second-granularity')?.behavior ?? {}
  const server = await openRightServer({ behavior })
  const { results } = await play(server)
  await server.close()
  const found = results.find(({ status }) => status === 'failed')

  expect(found?.actual).toMatch(
    /\n1\. \w+ .*\n.*line \d+: [a-z-]+\nhistory \d+ of seed 1; of 5 repetitions \d went wrong$/s,
  )
  expect(found?.curl).toMatch(/^#!\/bin\/sh\n/)
})

test('things and tags that were there before are left alone, and nothing of the histories stays', async () => {
  const server = await openRightServer()
  await play(server, 4)
  const living = [...(server.state.accounts.get('alice')?.things.values() ?? [])].filter(({ deleted }) => !deleted)
  await server.close()

  expect(living).toEqual([])
})

test('without histories nothing is judged', async () => {
  const server = await openRightServer()
  const { results } = await play(server, 0)
  await server.close()

  expect(results.map(({ status }) => status)).toEqual(historyRules.map(() => 'skipped'))
})

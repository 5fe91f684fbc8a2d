import { expect, test } from 'vitest'
import { allFaults } from '../../selftest/all-faults.ts'
import { checkOpenServer } from '../../selftest/check-server.ts'
import { type OpenServer, openRightServer } from '../model/right-server.ts'
import { historyRules } from './history-rules.ts'

const play = (server: OpenServer, histories = 20) =>
  checkOpenServer(server, { rules: historyRules, profile: 'full', histories })

test('a failed history is described line by line and repeated by a script', async () => {
  const behavior = allFaults.find(({ id }) => id === 'pos-second-granularity')?.behavior ?? {}
  const server = await openRightServer({ behavior })
  const { results } = await play(server)
  await server.close()
  const found = results.find(({ status }) => status === 'failed')

  expect(found?.actual).toMatch(
    /\n1\. \w+ .*\n.*line \d+: [a-z-]+\nhistory \d+ of seed 1; \d of 5 repetitions failed$/s,
  )
  expect(found?.curl).toMatch(/^#!\/bin\/sh\n/)
})

test('existing things and tags stay, and nothing of the histories remains', async () => {
  const server = await openRightServer()
  await play(server, 4)
  const living = [...(server.state.accounts.get('alice')?.things.values() ?? [])].filter(({ deleted }) => !deleted)
  await server.close()

  expect(living).toEqual([])
})

test('without histories nothing is checked', async () => {
  const server = await openRightServer()
  const { results } = await play(server, 0)
  await server.close()

  expect(results.map(({ status }) => status)).toEqual(historyRules.map(() => 'skipped'))
})

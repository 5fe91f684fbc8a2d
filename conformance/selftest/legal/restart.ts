import { Refusal } from '../server/refusal.ts'
import { type LegalDifference, legal } from './difference.ts'

/** What a restart may do. */
export const legalRestarts: readonly LegalDifference[] = [
  legal('full', 'positions-jump-at-a-restart', 'leaves out a thousand positions when it is started again', () => ({
    restarted: ({ accounts }) => {
      for (const account of accounts.values()) account.position += 1000
    },
  })),
  legal('full', 'pages-end-with-a-restart', 'keeps the snapshots that pages are taken from in memory only', () => ({
    restarted: ({ sessions }) => {
      for (const { pages } of sessions) pages.clear()
    },
  })),
  legal(
    'core',
    'local-ids-forgotten-at-a-restart',
    'keeps in memory only what was uploaded with which local id',
    () => ({
      restarted: ({ sessions }) => {
        for (const { uploads } of sessions) uploads.clear()
      },
    }),
  ),
  legal('core', 'busy-after-a-restart', 'asks for patience in its first answers after a restart', () => {
    let left = 0
    return {
      restarted: () => {
        left = 3
      },
      delay: async () => {
        if (left === 0) return
        left -= 1
        throw new Refusal('throttled', 'the server has only just been started', { 'retry-after': '0' })
      },
    }
  }),
]

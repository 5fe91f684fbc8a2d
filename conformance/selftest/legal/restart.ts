import { Refusal } from '../server/refusal.ts'
import type { LegalDifference } from './difference.ts'

/** What a restart may do. */
export const legalRestarts: readonly LegalDifference[] = [
  {
    id: 'positions-jump-at-a-restart',
    title: 'leaves out a thousand positions when it is started again',
    profile: 'full',
    behaviour: () => ({
      restarted: ({ accounts }) => {
        for (const account of accounts.values()) account.position += 1000
      },
    }),
  },
  {
    id: 'pages-end-with-a-restart',
    title: 'keeps the snapshots that pages are taken from in memory only',
    profile: 'full',
    behaviour: () => ({
      restarted: ({ sessions }) => {
        for (const { pages } of sessions) pages.clear()
      },
    }),
  },
  {
    id: 'local-ids-forgotten-at-a-restart',
    title: 'keeps in memory only what was uploaded with which local id',
    profile: 'core',
    behaviour: () => ({
      restarted: ({ sessions }) => {
        for (const { uploads } of sessions) uploads.clear()
      },
    }),
  },
  {
    id: 'busy-after-a-restart',
    title: 'asks for patience in its first answers after a restart',
    profile: 'core',
    behaviour: () => {
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
    },
  },
]

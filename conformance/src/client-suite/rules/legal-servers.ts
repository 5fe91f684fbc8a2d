/*
 * Rules of the profile `replica` about right servers that differ from each other: two replicas converge with each of
 * them. The differences are those that the suite of servers knows (`../../model/legal/`), in groups of one kind.
 */
import { showValue } from '../../encoding.ts'
import type { LegalDifference } from '../../model/legal/difference.ts'
import { legalDifferences } from '../../model/legal-differences.ts'
import { Finding } from '../../result.ts'
import { type ClientLab, expectThat, type ReplicaDevice } from '../client-lab.ts'
import { clientRulesOf, type WrittenClientRule } from '../client-rule.ts'
import { expectConverged } from '../converge.ts'
import type { ScriptedServer } from '../scripted-server.ts'

/** Differences that no rule plays for clients, by the beginning of their ID, and why. */
export const unplayed: Readonly<Record<string, string>> = {
  'header-': 'a client may present its token in any form; the interface does not show which one a server takes',
  'hook-': 'webhooks do not go to the client',
  'events-': 'event streams are not part of the profiles',
  'throttled-streams': 'event streams are not part of the profiles',
  'wait-': 'long polling is not part of the profiles',
  'device-': 'devices are not part of the profiles',
  'pos-beyond-exact-numbers': 'clients need numbers up to 2^53 only',
  'unknown-change-rejected': 'CLIENT-CONFLICT-04 has it, with a server that applies all or nothing',
  'unknown-deletion-rejected':
    'CLIENT-CONFLICT-04 and CLIENT-LOST-09 have it, with a server that applies all or nothing',
  'get-uploads-ignored': 'CLIENT-UPLOAD-01 lets no upload be in a query',
  'local-ids-forgotten-at-a-restart': 'it differs only after a restart of the server, which these rules do not have',
  'positions-jump-at-a-restart': 'it differs only after a restart of the server, which these rules do not have',
  'pages-end-with-a-restart': 'it differs only after a restart of the server, which these rules do not have',
  'busy-after-a-restart': 'it differs only after a restart of the server, which these rules do not have',
}

/** Whether a difference is not played. */
export const isUnplayed = (id: string): boolean => Object.keys(unplayed).some((beginning) => id.startsWith(beginning))

interface Group {
  readonly id: string
  readonly title: string
  readonly section: string
  /** Matches the IDs of the differences; the first group that matches takes a difference. */
  readonly pattern: RegExp
}

/** The groups of differences, and the rule of each. */
export const groups: readonly Group[] = [
  {
    id: 'CLIENT-LEGAL-01',
    title: 'SHOULD converge with a server whose positions have fractions',
    section: '2.3',
    pattern: /^pos-has-fractions/,
  },
  {
    id: 'CLIENT-LEGAL-02',
    title: 'MUST converge with every right order, step and meaning of positions',
    section: '2.3',
    pattern: /^(pos-(?!comes)|future-from)/,
  },
  {
    id: 'CLIENT-LEGAL-03',
    title: 'MUST converge with every order of a listing, and of the members in it',
    section: '4.3',
    pattern: /^(order-|fields-in|pos-comes|deleted-ids-first)/,
  },
  {
    id: 'CLIENT-LEGAL-04',
    title: 'MUST converge with servers that list own uploads, or do not',
    section: '4.3',
    pattern: /^(own-|created-and-deleted|same-tag)/,
  },
  {
    id: 'CLIENT-LEGAL-05',
    title: 'MUST converge with servers whose listings have more, or empty lists',
    section: '4.3',
    pattern: /^(full-|empty-lists|things-always|extra-fields|account-holds|pages-|limit-zero|from-text|skip-id)/,
  },
  { id: 'CLIENT-LEGAL-06', title: 'MUST converge with every form of an `_id`', section: '2.1', pattern: /^ids-/ },
  {
    id: 'CLIENT-LEGAL-07',
    title: 'MUST converge with servers that treat uploads in another way',
    section: '4.3',
    pattern:
      /^(unknown-|shared-|left-out|retries-|late-change|reads-only|overlooks|tag-settings-replaced|empty-title|successes)/,
  },
  {
    id: 'CLIENT-LEGAL-08',
    title: 'MUST converge with servers that write values in another way',
    section: '2.1',
    pattern: /^(todo-|colors-|tags-|date-|numbers-)/,
  },
  { id: 'CLIENT-LEGAL-09', title: 'MUST converge with servers that have limits', section: '8', pattern: /^limits-/ },
  {
    id: 'CLIENT-LEGAL-10',
    title: 'MUST converge with every status and code of an error',
    section: '7',
    pattern: /^(errors-|other-error|missing-token)/,
  },
  {
    id: 'CLIENT-LEGAL-11',
    title: 'MUST converge with every form of a response, and every pace',
    section: '1',
    pattern: /^(content-type|json-|slow|connection-|responses-)/,
  },
  {
    id: 'CLIENT-LEGAL-12',
    title: 'MUST converge with servers that ask to wait now and then',
    section: '8',
    pattern: /^throttled/,
  },
  {
    id: 'CLIENT-LEGAL-13',
    title: 'MUST converge with every form and validity of tokens',
    section: '5.2',
    pattern: /^(tokens-|validity-|request-token|refresh-|access-tokens|only-token)/,
  },
]

/** Returns the differences that a group plays. */
export function differencesOf(group: Group): readonly LegalDifference[] {
  return legalDifferences.filter(
    ({ id }) => !isUnplayed(id) && groups.find(({ pattern }) => pattern.test(id)) === group,
  )
}

/** Syncs both devices until neither has anything left for the other. */
async function settle(devices: readonly ReplicaDevice[]): Promise<void> {
  for (const device of [...devices, ...devices]) await device.syncUntilDone('the server is right', 5)
}

/** Lets two replicas and another device work on one account, and expects them to converge. */
async function playScenario(lab: ClientLab, server: ScriptedServer, isReviving: boolean): Promise<void> {
  const other = await server.device()
  const date = 1_700_000_000
  const full = { tags: 'home work', date, url: 'https://example.org/a', html: '<p>x</p>' }
  await other.create({ title: 'theirs', ...full })
  const gone = await other.create({ title: 'gone', date })
  const [phone, laptop] = [await lab.replica(server), await lab.replica(server, 'laptop')]
  await settle([phone, laptop])
  await phone.create({ title: 'by phone', ...full })
  await phone.create({ title: 'also by phone', date })
  await phone.change(await phone.refOf('theirs'), { title: 'theirs, by phone' })
  await laptop.create({ title: 'by laptop', date, archived: true })
  await laptop.change(await laptop.refOf('gone'), { title: 'typed for nothing' })
  if (lab.has('set-tag')) await laptop.setTag('home', { favorite: true, color: '#a1b2c3', todo: true })
  await other.remove(gone)
  await settle([phone, laptop])
  const { lost } = await laptop.state()
  // A client that lists before it uploads sees the deletion first: then it reports its edit also to a reviving server.
  const isRevived = isReviving && server.titled('typed for nothing').length > 0
  expectThat(
    isRevived || lost.includes('typed for nothing'),
    '"typed for nothing" in lost of laptop, because another device deleted the thing',
    `lost is ${showValue(lost)}`,
  )
  server.expireAccessTokens()
  await laptop.change(await laptop.refOf('by phone'), { title: 'by phone and laptop' })
  await phone.remove(await phone.refOf('by laptop'))
  await settle([phone, laptop])
  await expectConverged(server, phone, 'both devices synced')
  await expectConverged(server, laptop, 'both devices synced')
  const titles = server
    .things()
    .map((thing) => String(thing.title))
    .filter((title) => !title.startsWith('old ') && title !== '')
  const wanted = [
    'also by phone',
    'by phone and laptop',
    'theirs, by phone',
    ...(isRevived ? ['typed for nothing'] : []),
  ]
  const came = titles.filter((title) => !isReviving || title !== 'gone').sort()
  expectThat(
    showValue(came) === showValue(wanted.sort()),
    `the titles ${showValue(wanted)} in the account`,
    `${showValue(came)} came`,
  )
}

function ruleOf(group: Group): WrittenClientRule {
  const { id, title, section } = group
  return {
    ...{ id, title, section, requirements: ['D-4.3-12'], maxMs: 600_000 },
    check: async (lab) => {
      for (const difference of differencesOf(group)) {
        const { behavior, prepare } = difference
        const server = await lab.openServer({ behavior: behavior(), ...(prepare === undefined ? {} : { prepare }) })
        try {
          await playScenario(lab, server, difference.id === 'late-change-revives')
        } catch (error) {
          if (!(error instanceof Finding)) throw error
          const expected = `${error.expected}, with a right server that ${difference.title} (${difference.id})`
          throw new Finding(expected, error.actual, error.exchange)
        }
        await lab.reset()
      }
    },
  }
}

/** The rules, one for each group. */
export const legalServerRules = clientRulesOf('replica', '4.3', groups.map(ruleOf))

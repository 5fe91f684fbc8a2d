import { readAccessToken } from '../access-tokens.ts'
import { showValue } from '../encoding.ts'
import { expect, expectCreated, expectDeleted, expectNoThing, expectSame, expectTag, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { asSetup, Skipped } from '../result.ts'
import { type CoreRule, coreRulesOf, extensionRule, type Rule } from '../rule.ts'
import { readSyncResponse } from '../sync-messages.ts'
import { expectError } from './operation-steps.ts'
import { readRequestToken, refresh, takeGrant } from './token-responses-5-2.ts'
import { lowerCase } from './upload-steps.ts'

const requirements = ['C-4.3-39']

const restartRule = (rule: Omit<CoreRule, 'basis' | 'restarts'>): CoreRule => ({
  basis: 'implied',
  restarts: true,
  ...rule,
})

const fields = {
  tags: 'a b',
  date: 1_234_567_890,
  url: 'http://example.com/?a=b#c',
  html: '<p>é\n</p>',
  archived: true,
} as const

/** Restarts the server; a token that may have expired meanwhile proves nothing. */
const restartWithin = async (lab: Lab, seconds: number): Promise<void> => {
  const started = performance.now()
  await lab.restart()
  const passed = (performance.now() - started) / 1000
  if (passed * 1.5 > seconds) {
    throw new Skipped(`the server's access tokens are valid for ${seconds} s, not longer than a restart took`)
  }
}

/** Data that must survive a restart (implied by interface 4.3, 5.2 and 8: everything); one restart for all rules. */
export const restartRules = coreRulesOf('4.3', [
  restartRule({
    id: 'RESTART-THINGS-01',
    title: 'MUST keep things with all of their fields, as they were changed last, through a restart',
    requirements: [...requirements, 'C-4.3-4'],
    faults: ['restart-loses-things', 'restart-loses-changes', 'restart-loses-html', 'restart-unarchives'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [created = '', changed = ''] = await phone.createMany([fields, {}])
      const title = lab.unique()
      await phone.change(changed, { title, ...fields })
      const before = await phone.listAll()
      await lab.restart()
      const full = await (await lab.replica('laptop')).listAll()
      for (const id of [created, changed]) {
        const wanted = before.things.get(id) ?? {}
        const thing = expectThing(full, id, 'phone created it before the restart')
        for (const name of ['title', ...Object.keys(fields)])
          expectSame(thing[name] ?? null, wanted[name] ?? null, `${name} of ${id}, as before the restart`, full)
      }
    },
  }),
  restartRule({
    id: 'RESTART-WRITE-01',
    title: 'MUST keep an upload whose response came right before the restart',
    requirements: [...requirements, 'C-4.3-33'],
    faults: ['restart-loses-last-upload'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [changing = '', deleting = ''] = await phone.createMany([{}, {}])
      const from = await phone.position()
      const [created, changed] = [lab.unique(), lab.unique()]
      await lab.restart(async () => {
        await phone.sync({
          from,
          new_thing: [{ local_id: 'a', title: created }],
          changed_thing: [{ _id: changing, title: changed }],
          deleted_thing: [deleting],
          tag: { [lab.mark]: { favorite: true, color: false, todo: false } },
        })
      })
      const full = await (await lab.replica('laptop')).listAll()
      const came = [
        [...full.things.values()].filter(({ title }) => title === created).length,
        full.things.get(changing)?.title ?? null,
        full.things.has(deleting),
        full.tags.get(lab.mark)?.favorite === true,
      ]
      const expected =
        'things created by the last upload before the restart, the title of one that it changed, whether one that it deleted is there, and whether it made a favorite'
      expectSame(came, [1, changed, false, true], expected, full)
    },
  }),
  restartRule({
    id: 'RESTART-DELETED-01',
    title: 'MUST keep deleted things deleted through a restart, and list them from earlier positions',
    requirements: [...requirements, 'C-4.3-24'],
    faults: ['restart-revives-deleted', 'restart-lists-deleted-in-full', 'restart-forgets-deletions'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create()
      const from = await phone.position()
      await phone.remove(id)
      await lab.restart()
      const laptop = await lab.replica('laptop')
      const full = await laptop.listAll()
      expectNoThing(full, id, 'phone deleted it before the restart')
      expectDeleted(await laptop.sync({ from }), id, 'phone deleted it before the restart, after that position')
    },
  }),
  restartRule({
    id: 'RESTART-POSITION-01',
    title: 'MUST go on from the positions that were given before a restart',
    requirements: [...requirements, 'C-4.3-5', 'C-4.3-31'],
    faults: [
      'restart-positions-begin-again',
      'restart-positions-behind',
      'restart-lists-all-again',
      'restart-forgets-what-was-new',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const old = await phone.create()
      const from = await laptop.position()
      const before = await phone.create()
      const last = await laptop.position()
      await lab.restart()
      const after = await phone.create()
      const incremental = await laptop.sync({ from })
      expectThing(incremental, before, `phone created it after ${from}, before the restart`)
      const next = await laptop.sync({ from: last })
      expectThing(next, after, `phone created it after the restart, and ${last} was given before`)
      for (const [response, id] of [
        [incremental, old],
        [next, before],
      ] as const) {
        expectNoThing(response, id, 'it was created before that position, and nobody changed it')
      }
    },
  }),
  restartRule({
    // The highest position of the things is not the last assigned one: deletions and tags also have positions.
    id: 'RESTART-POSITION-02',
    title: 'MUST NOT give positions again after a restart that were given with deletions and tag settings',
    requirements: [...requirements, 'C-4.3-31'],
    faults: ['restart-positions-of-living-things', 'restart-positions-of-things'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const removed = await phone.create()
      let last = 0
      await lab.restart(async () => {
        await phone.remove(removed)
        for (const favorite of [true, false, true, false, true, false]) {
          await phone.setTag(lab.mark, { favorite, color: false, todo: false })
        }
        last = await laptop.position()
      })
      const ids: string[] = []
      for (let count = 0; count < 10; count += 1) ids.push(await phone.create())
      const incremental = await laptop.sync({ from: last })
      for (const id of ids)
        expectThing(incremental, id, `phone created it after the restart, and ${last} was given before`)
    },
  }),
  restartRule({
    id: 'RESTART-TAG-01',
    title: 'MUST keep tag settings through a restart, and list them from earlier positions',
    requirements: [...requirements, 'C-4.3-25', 'C-4.3-26'],
    faults: ['restart-loses-tags', 'restart-loses-colors', 'restart-forgets-tag-positions'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      await phone.setTag(lab.mark, { favorite: true, color: '#a1b2c3', todo: true })
      await lab.restart()
      const laptop = await lab.replica('laptop')
      for (const response of [await laptop.listAll(), await laptop.sync({ from })]) {
        const { favorite, color, todo } = expectTag(response, lab.mark, 'phone set them before the restart')
        const came = [favorite, lowerCase(color), todo !== false]
        expectSame(came, [true, '#a1b2c3', true], 'favorite, color and whether it is for todos', response)
      }
    },
  }),
  restartRule({
    id: 'RESTART-ID-01',
    title: 'MUST NOT give an _id again after a restart, not even the _id of a deleted thing',
    section: '2.1',
    requirements: [...requirements, 'C-2.1-10'],
    faults: ['restart-counts-ids-again'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const count = 10
      const empty = Array.from({ length: count }, () => ({}))
      const before = await phone.createMany(empty)
      await phone.remove(before.at(-1) ?? '')
      await lab.restart()
      const response = await phone.sync({
        from: await phone.position(),
        new_thing: empty.map((_, index) => ({ local_id: `${index}`, title: lab.unique() })),
      })
      const again = [...response.created.values()].filter((id) => before.includes(id))
      expect(again.length === 0, '_ids that no earlier thing has', `${showValue(again)} came`, response)
    },
  }),
  restartRule({
    id: 'RESTART-TOKEN-01',
    title: 'MUST accept earlier access tokens after a restart during their validity, for the same account',
    section: '8',
    requirements: ['C-8-1'],
    faults: ['restart-forgets-access-tokens', 'restart-mixes-tokens'],
    check: async (lab) => {
      const { token, json } = await asSetup('a grant', () => takeGrant(lab))
      const id = await (await lab.replica('phone')).create()
      await restartWithin(lab, Number(json.expires_in))
      const response = readSyncResponse(
        await lab.openSync(token, { path: 'sync', query: [['from', '0']] }),
        'a sync after the restart with an earlier access token, which is still valid',
      )
      expectThing(response, id, 'the same user created it before the restart')
    },
  }),
  restartRule({
    id: 'RESTART-TOKEN-02',
    title: 'MUST accept an earlier request_token for a refresh after a restart',
    section: '5.2',
    requirements: ['C-5.1-2', 'C-5.2-3'],
    faults: ['restart-forgets-request-tokens', 'restart-refreshes-in-vain'],
    check: async (lab) => {
      const { reply } = await asSetup('a grant', () => takeGrant(lab))
      const token = readRequestToken(reply)
      await lab.restart()
      const access = readAccessToken(await refresh(lab, token))
      readSyncResponse(await lab.openSync(access), 'a sync with the token of that refresh')
    },
  }),
])

/** Rules of sections 4.3 and 5: extensions that must survive a restart (contract, sync 7 and token). */
export const restartExtensionRules: readonly Rule[] = [
  extensionRule({
    id: 'RESTART-RETRY-01',
    title: 'MUST know an upload again that is repeated after a restart',
    section: '4.3',
    requirements: ['K-sync-9', 'C-4.3-39'],
    faults: ['restart-forgets-uploads'],
    restarts: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.create()
      const from = await phone.position()
      const token = readAccessToken(await asSetup('a grant', () => lab.token()))
      const upload = async () => {
        const form = [
          ['from', `${from}`],
          ['new_thing', JSON.stringify({ local_id: 'a', title: lab.mark })],
        ] as const
        return readSyncResponse(await lab.openSync(token, { path: 'sync', form }), 'an upload')
      }
      const first = await asSetup('the upload before the restart', upload)
      await lab.restart()
      const second = await upload()
      const expected = 'the _id of the response before the restart, because session, from and local_id are the same'
      expectSame(expectCreated(second, 'a'), expectCreated(first, 'a'), expected, second)
    },
  }),
  extensionRule({
    id: 'RESTART-REVOKED-01',
    title: 'MUST keep a session ended that was ended before a restart',
    section: '5.2',
    requirements: ['K-grant-4', 'C-4.3-39'],
    faults: ['restart-revives-sessions', 'access-token-never-valid'],
    restarts: true,
    check: async (lab) => {
      const { clientId, clientSecret } = lab.target
      const token = readAccessToken(await asSetup('a grant', () => lab.token()))
      const form = [
        ['token', token],
        ['client_id', clientId],
        ['client_secret', clientSecret],
      ] as const
      await asSetup('a sync with the token', async () => readSyncResponse(await lab.openSync(token), 'a sync'))
      await lab.request({ path: 'revoke', form })
      await lab.restart()
      expectError(await lab.openSync(token), 401, 'invalid_grant', 'the session of the token was ended before')
    },
  }),
]

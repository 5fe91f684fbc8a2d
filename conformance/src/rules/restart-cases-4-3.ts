/*
 * Generated cases of a restart (implied by interface 4.3, 2.1, 2.2): each value of each field, each setting of a tag,
 * each kind of last write, and each position. `restarts-4-3.ts` has single examples. All rules share one restart.
 * cspell:ignore Grüße Žluťoučký Ελλάδα العربية हिन्दी
 */
import { type JsonObject, showValue } from '../encoding.ts'
import { expect, expectNoThing, expectSame, expectTag, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import type { Replica } from '../replica.ts'
import { asSetup } from '../result.ts'
import { type CoreRule, coreRulesOf } from '../rule.ts'
import {
  isSyncResponse,
  off,
  readSyncResponse,
  type SyncResponse,
  type TagSettings,
  type ThingFields,
} from '../sync-messages.ts'
import { lowerCase } from './upload-steps.ts'

const requirements = ['C-4.3-39'] as const

const restartRule = (rule: Omit<CoreRule, 'basis' | 'restarts'>): CoreRule => ({
  basis: 'implied',
  restarts: true,
  ...rule,
})

/** Texts that a file or a table may store in another form. */
const texts = [
  'Grüße, Žluťoučký, Ελλάδα, Привет',
  '日本語 العربية हिन्दी',
  '😀👩‍🚀 𝒳',
  'e\u0301 \u212b ﬁ',
  '"double" \'single\' \\ \\n \\u0041 `x`',
  '<b>&amp; &lt;</b> -- ; %41 %s',
  ' blanks at both ends ',
  'line\nbreaks\r\nand\ttabs',
  'a,b;c|d:e=f#g',
  '- a: {b}\n- [c]',
  '0',
  'null',
  'true',
  '007',
  '1e5',
] as const

const dates = [0, 1, 1_234_567_891, 2_000_000_000, 1_700_000_000.5, 1_700_000_000.125, -86_400, 4_294_967_297] as const

const fieldNames = ['title', 'tags', 'date', 'url', 'html', 'archived', 'todoStatus'] as const

/** The fields of the interface, without what a server adds. */
const pickFields = (thing: JsonObject | undefined): unknown =>
  Object.fromEntries(fieldNames.map((name) => [name, thing?.[name] ?? null]))

/** Things with each text, date and flag. */
const thingsOf = (mark: string): readonly ThingFields[] => [
  ...texts.map((text): ThingFields => ({ title: text, html: text, tags: `${mark} ${text.replaceAll(/\s/g, '')}` })),
  ...dates.map((date): ThingFields => ({ date, url: `https://example.org/?a=${date}&b=%20#ä` })),
  ...[true, false].flatMap((archived) =>
    [true, false].map((todoStatus): ThingFields => ({ tags: `${mark}todo`, archived, todoStatus })),
  ),
  { title: '', tags: '' },
  { title: 'x'.repeat(300), html: 'aé日😀'.repeat(2000) },
]

/** Creates the things that the server accepts, and resolves to their IDs. */
const createAccepted = async (
  phone: Replica,
  unique: () => string,
  list: readonly ThingFields[],
): Promise<string[]> => {
  const upload = async (some: readonly ThingFields[]): Promise<string[]> => {
    const things = some.map((fields) => {
      const localId = unique()
      return { local_id: localId, title: localId, ...fields }
    })
    const reply = await phone.trySync({ from: await phone.position(), new_thing: things })
    if (isSyncResponse(reply)) return [...readSyncResponse(reply, 'an upload of things').created.values()]
    if (some.length === 1) return []
    const ids: string[] = []
    for (const each of some) ids.push(...(await upload([each])))
    return ids
  }
  const ids: string[] = []
  for (let start = 0; start < list.length; start += 10) ids.push(...(await upload(list.slice(start, start + 10))))
  return ids
}

/** Settings by tag name, in every combination, under names of any script. */
const settingsOf = (mark: string): Readonly<Record<string, Required<TagSettings>>> =>
  Object.fromEntries(
    [true, false].flatMap((favorite) =>
      (['#12ab9f', false] as const).flatMap((color) =>
        [true, false].map((todo) => {
          const word = ['ä', 'Ж', '日', '😀', 'b"c', "d'e", 'f\\g', 'h:i'][
            (favorite ? 4 : 0) + (color ? 2 : 0) + (todo ? 1 : 0)
          ]
          return [`${mark}${word}`, { favorite, color, todo }] as const
        }),
      ),
    ),
  )

/** One kind of write, as the last one before the restart. */
interface LastWrite {
  readonly number: string
  readonly what: string
  readonly faults: readonly string[]
  readonly write: (phone: Replica, ids: readonly string[], mark: string) => Promise<SyncResponse>
  /** Returns what shows the write in a full sync, and what it must show. */
  readonly seen: (full: SyncResponse, ids: readonly string[], mark: string) => readonly [came: unknown, wanted: unknown]
}

const hasTitle = (full: SyncResponse, title: string): boolean =>
  [...full.things.values()].some((thing) => thing.title === title)

const lastWrites: readonly LastWrite[] = [
  {
    number: '01',
    what: 'a new thing',
    faults: ['restart-loses-last-creation'],
    write: (phone, _ids, mark) =>
      phone.sync({ from: 1, limit: 1, new_thing: [{ local_id: 'l', title: `${mark} last` }] }),
    seen: (full, _ids, mark) => [hasTitle(full, `${mark} last`), true],
  },
  {
    number: '02',
    what: 'a change',
    faults: ['restart-loses-last-change'],
    write: (phone, ids, mark) =>
      phone.sync({ from: 1, limit: 1, changed_thing: [{ _id: ids[0] ?? '', title: `${mark} last` }] }),
    seen: (full, ids, mark) => [full.things.get(ids[0] ?? '')?.title ?? null, `${mark} last`],
  },
  {
    number: '03',
    what: 'a deletion',
    faults: ['restart-loses-last-deletion'],
    write: (phone, ids) => phone.sync({ from: 1, limit: 1, deleted_thing: [ids[1] ?? ''] }),
    seen: (full, ids) => [full.things.has(ids[1] ?? ''), false],
  },
  {
    number: '04',
    what: 'a tag setting',
    faults: ['restart-loses-last-setting'],
    write: (phone, _ids, mark) => phone.sync({ from: 1, limit: 1, tag: { [mark]: { ...off, favorite: true } } }),
    seen: (full, _ids, mark) => [full.tags.get(mark)?.favorite ?? null, true],
  },
]

const checkLastWrite = async (lab: Lab, { what, write, seen }: LastWrite): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const ids = await phone.createMany([{}, {}])
  let last = 0
  await lab.restart(async () => {
    await asSetup(`${what} before the restart`, () => write(phone, ids, lab.mark))
    last = await laptop.position()
  })
  const full = await laptop.listAll()
  const [came, wanted] = seen(full, ids, lab.mark)
  expectSame(came, wanted, `${what}, which was the last upload of phone before the restart, in a full sync`, full)
  expect(full.pos >= last, `a position of at least ${last}, which was given before the restart`, `${full.pos}`, full)
  const created = await phone.create()
  const incremental = await laptop.sync({ from: last })
  expectThing(incremental, created, `phone created it after the restart, and ${last} was given before`)
  for (const id of ids) expectNoThing(incremental, id, `nobody changed it after ${last}`)
}

/** What a sync shows of some things and tags. */
const shownOf = (response: SyncResponse, ids: readonly string[], tags: readonly string[]) => ({
  changed: ids.filter((id) => response.things.has(id)),
  deleted: ids.filter((id) => response.deleted.includes(id)),
  tags: tags.filter((name) => response.tags.has(name)),
})

/** Data of every kind after a restart. */
export const restartCaseRules = coreRulesOf('4.3', [
  restartRule({
    id: 'RESTART-FIELDS-01',
    title: 'MUST return every field of a thing after a restart as before it, whatever its value is',
    requirements: [...requirements, 'C-2.1-13'],
    faults: [
      'restart-titles-as-latin1',
      'restart-loses-todo-status',
      'restart-loses-fractions',
      'restart-dates-zero-again',
      'restart-trims-texts',
      'restart-escapes-quotes',
      'restart-normalizes-line-breaks',
      'restart-reads-values',
      'restart-loses-tags-of-things',
      'restart-loses-urls',
      'restart-cuts-html',
      'restart-names-untitled',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.setTag(`${lab.mark}todo`, { ...off, todo: true })
      const list = thingsOf(lab.mark)
      const created = await createAccepted(phone, lab.unique, list)
      const changed = await phone.createMany(texts.slice(0, 8).map(() => ({ title: lab.unique() })))
      for (const [index, id] of changed.entries()) {
        const text = texts[index] ?? ''
        await phone.change(id, { title: text, html: text, tags: lab.mark, date: 1_111_111_111, archived: true })
      }
      const before = await phone.listAll()
      await lab.restart()
      const full = await (await lab.replica('laptop')).listAll()
      for (const id of [...created, ...changed]) {
        const thing = expectThing(full, id, 'phone uploaded it before the restart')
        expectSame(pickFields(thing), pickFields(before.things.get(id)), `fields of ${id}, as before the restart`, full)
      }
    },
  }),
  restartRule({
    id: 'RESTART-SETTINGS-01',
    title: 'MUST keep every setting of every tag through a restart, also those that were taken away',
    requirements: [...requirements, 'C-2.2-1', 'C-2.2-2', 'C-2.2-3', 'C-4.3-25', 'C-4.3-26'],
    faults: [
      'restart-loses-todo-settings',
      'restart-loses-favorites',
      'restart-tag-names-as-latin1',
      'restart-first-settings-return',
      'restart-default-settings-forgotten',
      'restart-rounds-colors',
      'restart-makes-favorites',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const all = settingsOf(lab.mark)
      const inverse = Object.fromEntries(
        Object.entries(all).map(([name, { favorite, color, todo }]) => [
          name,
          { favorite: !favorite, color: color === false ? ('#ff0000' as const) : (false as const), todo: !todo },
        ]),
      )
      await phone.sync({ from, tag: inverse })
      await phone.sync({ from, tag: all })
      await lab.restart()
      const laptop = await lab.replica('laptop')
      const [incremental, full] = [await laptop.sync({ from }), await laptop.listAll()]
      for (const [name, wanted] of Object.entries(all)) {
        const isSpecial = wanted.favorite || wanted.color !== false || wanted.todo
        for (const response of isSpecial ? [incremental, full] : [incremental]) {
          const { favorite, color, todo } = expectTag(response, name, 'phone set them before the restart')
          const came = [favorite, lowerCase(color), todo !== false]
          const expected = `favorite, color and todo of ${showValue(name)}, as phone set them last`
          expectSame(came, [wanted.favorite, wanted.color, wanted.todo], expected, response)
        }
      }
    },
  }),
  ...lastWrites.map((last) =>
    restartRule({
      id: `RESTART-LAST-${last.number}`,
      title: `MUST keep ${last.what} that came right before a restart, and go on with later positions`,
      requirements: [...requirements, 'C-4.3-33', 'C-4.3-31'],
      faults: [
        ...last.faults,
        'restart-position-one-behind',
        'restart-full-position-behind',
        'restart-stops-positions',
        'restart-lists-all-again',
      ],
      check: (lab: Lab) => checkLastWrite(lab, last),
    }),
  ),
  restartRule({
    id: 'RESTART-POSITION-03',
    title: 'MUST list after a restart from each earlier position what it listed from it before',
    requirements: [...requirements, 'C-4.3-5', 'C-4.3-24', 'C-4.3-26'],
    faults: [
      'restart-forgets-change-positions',
      'restart-forgets-deletion-positions',
      'restart-lists-settings-again',
      'restart-lists-deletions-again',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [changing = '', deleting = '', kept = ''] = await phone.createMany([{}, {}, {}])
      const positions = [await laptop.position()]
      const tags = [lab.unique(), lab.unique()]
      const ids = [changing, deleting, kept]
      const steps: readonly (() => Promise<unknown>)[] = [
        () => phone.change(changing),
        async () => ids.push(await phone.create()),
        () => phone.remove(deleting),
        () => phone.setTag(tags[0] ?? '', { ...off, favorite: true }),
        () => phone.change(changing),
        () => phone.setTag(tags[1] ?? '', { ...off, color: '#010203' }),
        async () => ids.push(await phone.create()),
      ]
      for (const step of steps) {
        await step()
        positions.push(await laptop.position())
      }
      const before: SyncResponse[] = []
      for (const from of positions) before.push(await laptop.sync({ from }))
      await lab.restart()
      for (const [index, from] of positions.entries()) {
        const after = await laptop.sync({ from })
        const wanted = before[index]
        if (wanted === undefined) continue
        const expected = `what an incremental sync from ${from} listed before the restart`
        expectSame(shownOf(after, ids, tags), shownOf(wanted, ids, tags), expected, after)
      }
    },
  }),
  restartRule({
    id: 'RESTART-ID-02',
    title:
      'MUST NOT give the _ids of the newest things again after a restart when all of them were deleted right before',
    section: '2.1',
    requirements: [...requirements, 'C-2.1-10'],
    faults: ['restart-ids-after-living'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const before = await phone.createMany(Array.from({ length: 6 }, () => ({})))
      await lab.restart(async () => {
        await phone.remove(...before)
      })
      const after = await phone.createMany(Array.from({ length: 10 }, () => ({})))
      const again = after.filter((id) => before.includes(id))
      expectSame(again, [], '_ids of deleted things that new things got after the restart', await phone.listAll())
    },
  }),
  restartRule({
    id: 'RESTART-ID-03',
    title: 'MUST NOT give any _id of the whole run again after a restart, however long ago its thing was deleted',
    section: '2.1',
    requirements: [...requirements, 'C-2.1-10'],
    faults: ['restart-ids-from-start'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const own = await phone.createMany(Array.from({ length: 6 }, () => ({})))
      await phone.remove(...own)
      const given = lab.givenIds()
      await lab.restart()
      const after = await phone.createMany(Array.from({ length: 30 }, () => ({})))
      const again = after.filter((id) => given.has(id))
      const expected = '_ids that things of this run had before, and that new things got after the restart'
      expectSame(again, [], expected, await phone.listAll())
    },
  }),
  restartRule({
    id: 'RESTART-USER-01',
    title: 'MUST keep the accounts of two users apart after a restart',
    section: '1',
    requirements: [...requirements, 'C-1-2'],
    faults: ['restart-mixes-accounts', 'restart-mixes-settings'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const otherUser = await lab.otherUser()
      const [mine, theirs] = [lab.unique(), lab.unique()]
      await phone.create({ title: mine })
      await otherUser.create({ title: theirs })
      await phone.setTag(mine, { ...off, favorite: true })
      await otherUser.setTag(theirs, { ...off, favorite: true })
      await lab.restart()
      for (const [replica, own, foreign] of [
        [phone, mine, theirs],
        [otherUser, theirs, mine],
      ] as const) {
        const full = await replica.listAll()
        const came = [own, foreign].map((each) => [hasTitle(full, each), full.tags.has(each)])
        const expected = 'thing and tag of the user itself, and thing and tag of the other user, after a restart'
        expectSame(
          came,
          [
            [true, true],
            [false, false],
          ],
          expected,
          full,
        )
      }
    },
  }),
])

import { isObject, showValue } from '../encoding.ts'
import { expect, expectSame, expectTag } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { Skipped } from '../result.ts'
import { coreRulesOf, extensionRule, type Rule } from '../rule.ts'
import { off, type TagSettings } from '../sync-messages.ts'
import { expectError } from './operation-steps.ts'
import { lowerCase } from './upload-steps.ts'

/** Uploads the settings in sequence; returns laptop's incremental sync after the last ones. */
const setInSequence = async (lab: Lab, name: string, ...steps: readonly TagSettings[]) => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  let from = await laptop.position()
  for (const settings of steps.slice(0, -1)) {
    await phone.setTag(name, settings)
    from = await laptop.position()
  }
  await phone.sync({ from, tag: { [name]: steps.at(-1) ?? off } })
  const response = await laptop.sync({ from })
  return { response, settings: expectTag(response, name, 'phone set them') }
}

/** Tag settings (interface 2.2). */
export const tagSettingsRules = coreRulesOf('2.2', [
  {
    id: 'TAG-FAVORITE-01',
    title: 'MUST keep favorite true and return it as a boolean',
    requirements: ['C-2.2-1', 'C-4.3-13'],
    faults: ['tag-settings-ignored', 'tag-favorite-ignored', 'tag-favorite-number'],
    check: async (lab) => {
      const { response, settings } = await setInSequence(lab, lab.mark, { ...off, favorite: true })
      expectSame(settings.favorite, true, 'favorite as phone set it', response)
    },
  },
  {
    id: 'TAG-FAVORITE-02',
    title: 'MUST take favorite away again',
    requirements: ['C-2.2-1', 'C-4.3-13'],
    faults: ['tag-favorite-sticks', 'tag-favorite-missing'],
    check: async (lab) => {
      const { response, settings } = await setInSequence(lab, lab.mark, { ...off, favorite: true }, off)
      expectSame(settings.favorite, false, 'favorite as phone set it last', response)
    },
  },
  {
    // The server may choose the letter case, as it may choose the color.
    id: 'TAG-COLOR-01',
    title: 'MUST keep the color of a tag and return it as a hex code',
    requirements: ['C-2.2-2', 'C-4.3-13'],
    faults: ['tag-color-ignored', 'tag-color-without-hash'],
    check: async (lab) => {
      const { response, settings } = await setInSequence(lab, lab.mark, { ...off, color: '#12ab9f' })
      expectSame(lowerCase(settings.color), '#12ab9f', 'color as phone set it', response)
    },
  },
  {
    id: 'TAG-COLOR-02',
    title: 'MUST return color as false on a tag that has none, after one was taken away',
    requirements: ['C-2.2-2', 'C-4.3-13'],
    faults: ['tag-color-sticks', 'tag-color-null', 'tag-color-missing'],
    check: async (lab) => {
      const { response, settings } = await setInSequence(lab, lab.mark, { ...off, color: '#12ab9f' }, off)
      expectSame(settings.color, false, 'color as phone set it last', response)
    },
  },
  {
    // The server may choose which of the two strings means true.
    id: 'TAG-TODO-01',
    title: 'MUST return todo as "strike" or "dont-strike" when it was set to true',
    requirements: ['C-2.2-3', 'C-4.3-13'],
    faults: ['tag-todo-ignored', 'tag-todo-boolean'],
    check: async (lab) => {
      const { response, settings } = await setInSequence(lab, lab.mark, { ...off, todo: true })
      const isRight = settings.todo === 'strike' || settings.todo === 'dont-strike'
      expect(isRight, 'todo "strike" or "dont-strike", as phone set it to true', showValue(settings.todo), response)
    },
  },
  {
    id: 'TAG-TODO-02',
    title: 'MUST return todo as false on a tag that is for no todos, also after it was',
    requirements: ['C-2.2-3', 'C-4.3-13'],
    faults: ['tag-todo-sticks', 'tag-todo-missing'],
    check: async (lab) => {
      const { response, settings } = await setInSequence(lab, lab.mark, { ...off, todo: true }, off)
      expectSame(settings.todo, false, 'todo as phone set it last', response)
    },
  },
  {
    id: 'TAG-SEVERAL-01',
    title: 'MUST set every one of several tags that come in one request, each for itself',
    requirements: ['C-2.2-4', 'C-4.3-13'],
    faults: ['tag-last-only', 'tags-is-array'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [first, second] = [lab.unique(), lab.unique()]
      const from = await laptop.position()
      const tag = { [first]: { ...off, favorite: true }, [second]: { ...off, color: '#abcdef' } }
      await phone.sync({ from, tag })
      const response = await laptop.sync({ from })
      const [a, b] = [response.tags.get(first), response.tags.get(second)]
      const came = [a?.favorite, a?.color, b?.favorite, lowerCase(b?.color)]
      expectSame(came, [true, false, false, '#abcdef'], 'favorite and color of the two tags that phone set', response)
    },
  },
  {
    // The tag's name addresses settings, and things carry that name in their tags.
    id: 'TAG-NAME-01',
    title: 'MUST return tag settings under the name as it was given, in any script and letter case',
    requirements: ['C-2.2-1', 'C-2.2-4'],
    basis: 'implied',
    faults: ['tag-name-lowercased', 'tag-name-ascii-only'],
    check: async (lab) => {
      for (const name of [`Grün${lab.mark}`, `買い物🛒${lab.mark}`, `a+b&c=d%20${lab.mark}`]) {
        await setInSequence(lab, name, { ...off, favorite: true })
      }
    },
  },
  {
    // A name with a meaning in the server's language is only a tag. It carries no mark: a tag in use is left alone.
    id: 'TAG-NAME-02',
    title: 'MUST keep the settings of a tag that is called constructor',
    requirements: ['C-2.2-1', 'C-2.2-4'],
    basis: 'implied',
    faults: ['tag-prototype-name-lost'],
    alone: true,
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      const settings = (await laptop.listAll()).tags.get('constructor')
      // Default settings may come from an earlier run.
      const isInUse = Object.values(settings ?? {}).some((value) => value !== false)
      if (isInUse) throw new Skipped('the account has settings for a tag called constructor, which are left alone')
      await setInSequence(lab, 'constructor', { ...off, favorite: true })
    },
  },
  {
    id: 'TAG-PRESENCE-01',
    title: 'MUST leave out tags when no tag settings are returned',
    section: '4.3',
    requirements: ['C-4.3-20'],
    faults: ['tags-empty-object', 'incremental-empty-tags'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const upload = await phone.sync({ from, new_thing: [{ local_id: lab.unique(), title: lab.unique() }] })
      for (const response of [upload, await phone.sync({ from, method: 'POST' }), await phone.sync({ from })]) {
        const { tags } = response.json
        const isRight = tags === undefined || (isObject(tags) && Object.keys(tags).length > 0)
        expect(isRight, 'no tags, or settings in them', `tags is ${showValue(tags)}`, response)
      }
    },
  },
])

/** Rules of section 2.2: values of tag settings (contract, sync 12). */
export const tagSettingRules: readonly Rule[] = [
  extensionRule({
    id: 'TAG-SETTING-TODO-01',
    title: 'MUST return todo submitted as true as "strike"',
    section: '2.2',
    requirements: ['K-sync-18'],
    faults: ['todo-true-as-dont-strike'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      await phone.setTag(lab.mark, { todo: true })
      const listed = await (await lab.replica('laptop')).sync({ from })
      expectSame(expectTag(listed, lab.mark, 'phone set it').todo, 'strike', 'todo, submitted as true', listed)
    },
  }),
  extensionRule({
    id: 'TAG-SETTING-TODO-02',
    title: 'MUST take todo as "strike" and as "dont-strike"',
    section: '2.2',
    requirements: ['K-sync-18'],
    faults: ['todo-text-rejected'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const todo of ['dont-strike', 'strike']) {
        const from = await phone.position()
        const form = [
          ['from', String(from)],
          [`tag[${lab.mark}]`, JSON.stringify({ todo })],
        ] as const
        await phone.send({ method: 'POST', path: 'sync', form })
        const listed = await (await lab.replica('laptop')).sync({ from })
        expectSame(expectTag(listed, lab.mark, 'phone set it').todo, todo, 'todo as submitted', listed)
      }
    },
  }),
  extensionRule({
    id: 'TAG-SETTING-COLOR-03',
    title: 'MUST return a color in lower case, #rgb or #rrggbb as sent',
    section: '2.2',
    requirements: ['K-sync-18'],
    faults: ['color-case-kept', 'color-three-digits-doubled'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      for (const color of ['#AbCdEf', '#F0c', false] as const) {
        const from = await phone.position()
        await phone.setTag(lab.mark, { color })
        const listed = await laptop.sync({ from })
        const wanted = color === false ? color : color.toLowerCase()
        expectSame(expectTag(listed, lab.mark, 'phone set it').color, wanted, `color, submitted as ${color}`, listed)
      }
    },
  }),
  extensionRule({
    id: 'TAG-SETTING-COLOR-02',
    title: 'MUST reject a color that is neither false nor #rgb nor #rrggbb',
    section: '2.2',
    requirements: ['K-sync-18', 'K-error-1'],
    faults: ['color-unchecked'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      for (const color of ['red', '#12', '#1234567', 'abcdef']) {
        const reply = await phone.trySync({ from, tag: { [lab.mark]: { color } } })
        expectError(reply, 400, 'parameter_invalid', `color is ${color}`)
      }
      await phone.setTag(lab.mark, { color: '#123456' })
    },
  }),
  extensionRule({
    id: 'TAG-SETTING-ABSENT-01',
    title: 'MUST keep tag settings that a submission leaves out',
    section: '2.2',
    requirements: ['K-sync-18'],
    faults: ['tag-absent-resets'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.setTag(lab.mark, { favorite: true, color: '#112233', todo: true })
      const from = await phone.position()
      await phone.setTag(lab.mark, { favorite: false })
      const listed = await (await lab.replica('laptop')).sync({ from })
      const { favorite, color, todo } = expectTag(listed, lab.mark, 'phone set it')
      expectSame(
        [favorite, color, todo],
        [false, '#112233', 'strike'],
        'the new favorite, color and todo as before',
        listed,
      )
    },
  }),
]

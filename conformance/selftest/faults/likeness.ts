import type { Behaviour } from '../server/behaviour.ts'
import type { StoredTag } from '../server/world.ts'
import type { Fault } from './fault.ts'

/** Tags whose keys are equal share one place: the one whose name was there first. */
function sharing(keyOf: (name: string) => string): Partial<Behaviour> {
  return {
    applied: (upload, _session, { tags }) => {
      const names = new Map([...tags.keys()].map((name) => [keyOf(name), name]))
      const shared = [...upload.tags].map(([name, settings]) => {
        const kept = names.get(keyOf(name)) ?? name
        names.set(keyOf(name), kept)
        return [kept, settings] as const
      })
      return { ...upload, tags: new Map(shared) }
    },
  }
}

function keeping(keep: (name: string) => string): Partial<Behaviour> {
  return { keepTagName: keep }
}

function isTodoTag({ settings }: StoredTag): boolean {
  return settings.todo !== false
}

/** Things are todos when the key of one of their tags is that of a todo tag. */
function todosBy(keyOf: (name: string) => string): Partial<Behaviour> {
  return {
    isTodo: ({ fields }, tags) => {
      const todos = new Set([...tags].filter(([, tag]) => isTodoTag(tag)).map(([name]) => keyOf(name)))
      return fields.tags.split(/\s+/).some((name) => todos.has(keyOf(name)))
    },
  }
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{Mn}/gu, '')
}

/** Tags that one could take for the same (interface 2.2: settings are addressed by tag name). */
export const tagLikenessFaults: readonly Fault[] = [
  {
    id: 'tag-name-accents-equal',
    title: 'takes tags for the same that differ in an accent',
    behaviour: sharing(withoutAccents),
  },
  {
    id: 'tag-name-accents-stripped',
    title: 'strips the accents of tag names',
    behaviour: keeping(withoutAccents),
  },
  {
    id: 'tag-name-case-equal',
    title: 'takes tags for the same that differ in the case of letters',
    behaviour: sharing((name) => name.toLowerCase()),
  },
  {
    id: 'tag-name-sharp-s-equal',
    title: 'takes ss and ß in tag names for the same',
    behaviour: sharing((name) => name.replace(/ß/g, 'ss')),
  },
  {
    id: 'tag-name-alike-letters-equal',
    title: 'takes letters of tag names for the same that look alike',
    behaviour: sharing((name) => name.replace(/р/g, 'p')),
  },
  {
    id: 'tag-name-width-equal',
    title: 'takes full-width letters and ligatures of tag names for the usual ones',
    behaviour: sharing((name) => name.normalize('NFKC')),
  },
  {
    id: 'tag-name-blank-signs-equal',
    title: 'does not see the signs of tag names that show nothing',
    behaviour: sharing((name) => name.replace(/\p{Cf}/gu, '')),
  },
  { id: 'tag-name-composed', title: 'composes tag names', behaviour: keeping((name) => name.normalize('NFC')) },
  { id: 'tag-name-decomposed', title: 'decomposes tag names', behaviour: keeping((name) => name.normalize('NFD')) },
  {
    id: 'tag-name-forms-equal',
    title: 'takes tags for the same that differ in how their letters are composed',
    behaviour: sharing((name) => name.normalize('NFC')),
  },
  { id: 'todo-by-accent', title: 'looks for todo tags without accents', behaviour: todosBy(withoutAccents) },
  {
    id: 'todo-by-case',
    title: 'looks for todo tags in any case of letters',
    behaviour: todosBy((name) => name.toLowerCase()),
  },
  {
    id: 'todo-by-form',
    title: 'looks for todo tags however their letters are composed',
    behaviour: todosBy((name) => name.normalize('NFC')),
  },
]

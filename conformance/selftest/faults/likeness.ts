import type { Behaviour } from '../server/behaviour.ts'
import type { StoredTag } from '../server/world.ts'
import { type Fault, fault, makeFaults } from './fault.ts'

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
  fault('tag-name-accents-equal', 'takes tags for the same that differ in an accent', sharing(withoutAccents)),
  fault('tag-name-accents-stripped', 'strips the accents of tag names', keeping(withoutAccents)),
  ...makeFaults(
    sharing,
    ['tag-name-case-equal', 'takes tags for the same that differ in the case of letters', (name) => name.toLowerCase()],
    ['tag-name-sharp-s-equal', 'takes ss and ß in tag names for the same', (name) => name.replace(/ß/g, 'ss')],
    [
      'tag-name-alike-letters-equal',
      'takes letters of tag names for the same that look alike',
      (name) => name.replace(/р/g, 'p'),
    ],
    [
      'tag-name-width-equal',
      'takes full-width letters and ligatures of tag names for the usual ones',
      (name) => name.normalize('NFKC'),
    ],
    [
      'tag-name-blank-signs-equal',
      'does not see the signs of tag names that show nothing',
      (name) => name.replace(/\p{Cf}/gu, ''),
    ],
  ),
  fault(
    'tag-name-composed',
    'composes tag names',
    keeping((name) => name.normalize('NFC')),
  ),
  fault(
    'tag-name-decomposed',
    'decomposes tag names',
    keeping((name) => name.normalize('NFD')),
  ),
  fault(
    'tag-name-forms-equal',
    'takes tags for the same that differ in how their letters are composed',
    sharing((name) => name.normalize('NFC')),
  ),
  ...makeFaults(
    todosBy,
    ['todo-by-accent', 'looks for todo tags without accents', withoutAccents],
    ['todo-by-case', 'looks for todo tags in any case of letters', (name) => name.toLowerCase()],
    ['todo-by-form', 'looks for todo tags however their letters are composed', (name) => name.normalize('NFC')],
  ),
]

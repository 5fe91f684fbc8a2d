import type { Behaviour } from '../server/behaviour.ts'
import { plainTag } from '../server/right-listings.ts'
import { type Fault, fault, makeFaults } from './fault.ts'

function named(edit: (name: string) => string | undefined): Partial<Behaviour> {
  return { keepTagName: edit }
}

function colors(edit: (color: string) => string): Partial<Behaviour> {
  return { keepColor: edit }
}

/** Names and colours of tags that mean something else (interface 2.2). */
export const tagNameFaults: readonly Fault[] = [
  ...makeFaults(
    named,
    ['tag-name-dots-nested', 'keeps tag names up to a full stop', (name) => name.replace(/\..*/, '')],
    ['tag-name-slash-cut', 'keeps tag names from the last slash on', (name) => name.replace(/.*\//, '')],
    ['tag-name-dollar-lost', 'loses dollar signs of tag names', (name) => name.replace('$', '')],
    ['tag-name-percent-decoded', 'decodes escapes in tag names', (name) => name.replace('%41', 'A')],
    ['tag-name-quotes-escaped', 'escapes quotes in tag names', (name) => name.replace(/["']/g, '\\$&')],
    ['tag-name-hash-lost', 'drops a hash before tag names', (name) => name.replace(/^[#@]/, '')],
    ['tag-name-colon-cut', 'keeps tag names up to a colon', (name) => name.replace(/:.*/, '')],
    ['tag-name-plus-becomes-blank', 'makes blanks of plus signs in tag names', (name) => name.replace('+', ' ')],
    ['tag-name-comma-split', 'keeps the first of tag names with commas', (name) => name.split(/[,;]/)[0]],
    ['tag-name-symbols-lost', 'keeps no symbols of tag names', (name) => name.replace(/[<>!?=&()|\\]/g, '')],
    ['tag-name-star-matches', 'drops stars and lines of tag names', (name) => name.replace(/[*_]$/, '')],
  ),
  fault('tags-list-for-numbers', 'lists settings as an array when tag names are numbers', {
    tags: (tags) => (tags.size === 0 ? undefined : tags.has('0') ? [...tags.values()] : Object.fromEntries(tags)),
  }),
  ...makeFaults(
    named,
    ['tag-name-number-lost', 'loses tags whose names are numbers', (name) => (/^\d$/.test(name) ? undefined : name)],
    ['tag-name-leading-zeros-lost', 'drops leading zeros of tag names', (name) => name.replace(/^0+(?=\d)/, '')],
    [
      'tag-name-setting-lost',
      'loses tags called favorite, color and todo',
      (name) => (name in plainTag && !(name in {}) ? undefined : name),
    ],
    ['tag-name-inherited-lost', 'loses tags whose names lists inherit', (name) => (name in [] ? undefined : name)],
    [
      'tag-name-word-lost',
      'loses tags called null and true',
      (name) => (['null', 'true'].includes(name) ? undefined : name),
    ],
    ['tag-name-cut-at-50', 'keeps 50 characters of tag names', (name) => name.slice(0, 50)],
    ['tag-name-cut-at-255', 'keeps 255 characters of tag names', (name) => name.slice(0, 255)],
  ),
  fault('tag-name-begins-so', 'sets every tag whose name begins so', {
    afterWrite: ({ tags: all, position }, { tags }) => {
      for (const given of tags.keys())
        for (const [name, { settings: old }] of all)
          if (name !== given && name.startsWith(given))
            all.set(name, { settings: { ...old, color: '#999999' }, position })
    },
  }),
  fault('color-black-is-none', 'takes black for no color', {
    changedTag: (old, change) => ({ ...old, ...change, ...(change.color === '#000000' ? { color: false } : {}) }),
  }),
  fault('color-white-is-none', 'takes white for no color', {
    changedTag: (old, change) => ({ ...old, ...change, ...(change.color === '#ffffff' ? { color: false } : {}) }),
  }),
  ...makeFaults(
    colors,
    [
      'color-number-evaluated',
      'reads colors that look like numbers',
      (color) => (/^#\d+e\d+$/.test(color) ? '#infinity' : color),
    ],
    ['color-digits-lost', 'drops leading zeros of colors', (color) => color.replace(/^#0+(?=.)/, '#')],
    ['color-palette', 'keeps the nearest of a few colors', (color) => color.replace(/7f/g, '80')],
    ['color-shortened', 'shortens colors', (color) => color.replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3')],
  ),
]

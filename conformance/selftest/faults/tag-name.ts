import type { Behaviour } from '../server/behaviour.ts'
import { plainTag } from '../server/right-listings.ts'
import type { Fault } from './fault.ts'

function named(edit: (name: string) => string | undefined): Partial<Behaviour> {
  return { keepTagName: edit }
}

function colors(edit: (color: string) => string): Partial<Behaviour> {
  return { keepColor: edit }
}

/** Names and colours of tags that mean something else (interface 2.2). */
export const tagNameFaults: readonly Fault[] = [
  {
    id: 'tag-name-dots-nested',
    title: 'keeps tag names up to a full stop',
    behaviour: named((name) => name.replace(/\..*/, '')),
  },
  {
    id: 'tag-name-slash-cut',
    title: 'keeps tag names from the last slash on',
    behaviour: named((name) => name.replace(/.*\//, '')),
  },
  {
    id: 'tag-name-dollar-lost',
    title: 'loses dollar signs of tag names',
    behaviour: named((name) => name.replace('$', '')),
  },
  {
    id: 'tag-name-percent-decoded',
    title: 'decodes escapes in tag names',
    behaviour: named((name) => name.replace('%41', 'A')),
  },
  {
    id: 'tag-name-quotes-escaped',
    title: 'escapes quotes in tag names',
    behaviour: named((name) => name.replace(/["']/g, '\\$&')),
  },
  {
    id: 'tag-name-hash-lost',
    title: 'drops a hash before tag names',
    behaviour: named((name) => name.replace(/^[#@]/, '')),
  },
  {
    id: 'tag-name-colon-cut',
    title: 'keeps tag names up to a colon',
    behaviour: named((name) => name.replace(/:.*/, '')),
  },
  {
    id: 'tag-name-plus-becomes-blank',
    title: 'makes blanks of plus signs in tag names',
    behaviour: named((name) => name.replace('+', ' ')),
  },
  {
    id: 'tag-name-comma-split',
    title: 'keeps the first of tag names with commas',
    behaviour: named((name) => name.split(/[,;]/)[0]),
  },
  {
    id: 'tag-name-symbols-lost',
    title: 'keeps no symbols of tag names',
    behaviour: named((name) => name.replace(/[<>!?=&()|\\]/g, '')),
  },
  {
    id: 'tag-name-star-matches',
    title: 'drops stars and lines of tag names',
    behaviour: named((name) => name.replace(/[*_]$/, '')),
  },
  {
    id: 'tags-list-for-numbers',
    title: 'lists settings as an array when tag names are numbers',
    behaviour: {
      tags: (tags) => (tags.size === 0 ? undefined : tags.has('0') ? [...tags.values()] : Object.fromEntries(tags)),
    },
  },
  {
    id: 'tag-name-number-lost',
    title: 'loses tags whose names are numbers',
    behaviour: named((name) => (/^\d$/.test(name) ? undefined : name)),
  },
  {
    id: 'tag-name-leading-zeros-lost',
    title: 'drops leading zeros of tag names',
    behaviour: named((name) => name.replace(/^0+(?=\d)/, '')),
  },
  {
    id: 'tag-name-setting-lost',
    title: 'loses tags called favorite, color and todo',
    behaviour: named((name) => (name in plainTag && !(name in {}) ? undefined : name)),
  },
  {
    id: 'tag-name-inherited-lost',
    title: 'loses tags whose names lists inherit',
    behaviour: named((name) => (name in [] ? undefined : name)),
  },
  {
    id: 'tag-name-word-lost',
    title: 'loses tags called null and true',
    behaviour: named((name) => (['null', 'true'].includes(name) ? undefined : name)),
  },
  {
    id: 'tag-name-cut-at-50',
    title: 'keeps 50 characters of tag names',
    behaviour: named((name) => name.slice(0, 50)),
  },
  {
    id: 'tag-name-cut-at-255',
    title: 'keeps 255 characters of tag names',
    behaviour: named((name) => name.slice(0, 255)),
  },
  {
    id: 'tag-name-begins-so',
    title: 'sets every tag whose name begins so',
    behaviour: {
      afterWrite: ({ tags: all, position }, { tags }) => {
        for (const given of tags.keys())
          for (const [name, { settings: old }] of all)
            if (name !== given && name.startsWith(given))
              all.set(name, { settings: { ...old, color: '#999999' }, position })
      },
    },
  },
  {
    id: 'color-black-is-none',
    title: 'takes black for no color',
    behaviour: {
      changedTag: (old, change) => ({ ...old, ...change, ...(change.color === '#000000' ? { color: false } : {}) }),
    },
  },
  {
    id: 'color-white-is-none',
    title: 'takes white for no color',
    behaviour: {
      changedTag: (old, change) => ({ ...old, ...change, ...(change.color === '#ffffff' ? { color: false } : {}) }),
    },
  },
  {
    id: 'color-number-evaluated',
    title: 'reads colors that look like numbers',
    behaviour: colors((color) => (/^#\d+e\d+$/.test(color) ? '#infinity' : color)),
  },
  {
    id: 'color-digits-lost',
    title: 'drops leading zeros of colors',
    behaviour: colors((color) => color.replace(/^#0+(?=.)/, '#')),
  },
  {
    id: 'color-palette',
    title: 'keeps the nearest of a few colors',
    behaviour: colors((color) => color.replace(/7f/g, '80')),
  },
  {
    id: 'color-shortened',
    title: 'shortens colors',
    behaviour: colors((color) => color.replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3')),
  },
]

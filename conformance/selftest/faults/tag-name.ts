import type { Behaviour } from '../server/behaviour.ts'
import { plainTag } from '../server/right-listings.ts'
import { type Fault, fault } from './fault.ts'

function named(edit: (name: string) => string | undefined): Partial<Behaviour> {
  return { keepTagName: edit }
}

function colors(edit: (color: string) => string): Partial<Behaviour> {
  return { keepColor: edit }
}

/** Names and colours of tags that mean something else (interface 2.2). */
export const tagNameFaults: readonly Fault[] = [
  fault(
    'tag-name-dots-nested',
    'keeps tag names up to a full stop',
    named((name) => name.replace(/\..*/, '')),
  ),
  fault(
    'tag-name-slash-cut',
    'keeps tag names from the last slash on',
    named((name) => name.replace(/.*\//, '')),
  ),
  fault(
    'tag-name-dollar-lost',
    'loses dollar signs of tag names',
    named((name) => name.replace('$', '')),
  ),
  fault(
    'tag-name-percent-decoded',
    'decodes escapes in tag names',
    named((name) => name.replace('%41', 'A')),
  ),
  fault(
    'tag-name-quotes-escaped',
    'escapes quotes in tag names',
    named((name) => name.replace(/["']/g, '\\$&')),
  ),
  fault(
    'tag-name-hash-lost',
    'drops a hash before tag names',
    named((name) => name.replace(/^[#@]/, '')),
  ),
  fault(
    'tag-name-colon-cut',
    'keeps tag names up to a colon',
    named((name) => name.replace(/:.*/, '')),
  ),
  fault(
    'tag-name-plus-becomes-blank',
    'makes blanks of plus signs in tag names',
    named((name) => name.replace('+', ' ')),
  ),
  fault(
    'tag-name-comma-split',
    'keeps the first of tag names with commas',
    named((name) => name.split(/[,;]/)[0]),
  ),
  fault(
    'tag-name-symbols-lost',
    'keeps no symbols of tag names',
    named((name) => name.replace(/[<>!?=&()|\\]/g, '')),
  ),
  fault(
    'tag-name-star-matches',
    'drops stars and lines of tag names',
    named((name) => name.replace(/[*_]$/, '')),
  ),
  fault('tags-list-for-numbers', 'lists settings as an array when tag names are numbers', {
    tags: (tags) => (tags.size === 0 ? undefined : tags.has('0') ? [...tags.values()] : Object.fromEntries(tags)),
  }),
  fault(
    'tag-name-number-lost',
    'loses tags whose names are numbers',
    named((name) => (/^\d$/.test(name) ? undefined : name)),
  ),
  fault(
    'tag-name-leading-zeros-lost',
    'drops leading zeros of tag names',
    named((name) => name.replace(/^0+(?=\d)/, '')),
  ),
  fault(
    'tag-name-setting-lost',
    'loses tags called favorite, color and todo',
    named((name) => (name in plainTag && !(name in {}) ? undefined : name)),
  ),
  fault(
    'tag-name-inherited-lost',
    'loses tags whose names lists inherit',
    named((name) => (name in [] ? undefined : name)),
  ),
  fault(
    'tag-name-word-lost',
    'loses tags called null and true',
    named((name) => (['null', 'true'].includes(name) ? undefined : name)),
  ),
  fault(
    'tag-name-cut-at-50',
    'keeps 50 characters of tag names',
    named((name) => name.slice(0, 50)),
  ),
  fault(
    'tag-name-cut-at-255',
    'keeps 255 characters of tag names',
    named((name) => name.slice(0, 255)),
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
  fault(
    'color-number-evaluated',
    'reads colors that look like numbers',
    colors((color) => (/^#\d+e\d+$/.test(color) ? '#infinity' : color)),
  ),
  fault(
    'color-digits-lost',
    'drops leading zeros of colors',
    colors((color) => color.replace(/^#0+(?=.)/, '#')),
  ),
  fault(
    'color-palette',
    'keeps the nearest of a few colors',
    colors((color) => color.replace(/7f/g, '80')),
  ),
  fault(
    'color-shortened',
    'shortens colors',
    colors((color) => color.replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3')),
  ),
]

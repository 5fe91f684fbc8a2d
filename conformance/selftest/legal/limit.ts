import type { Behaviour } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { type LegalDifference, legal } from './difference.ts'

function refusing(
  isTooMuch: (text: string, field: 'title' | 'tags' | 'url' | 'html') => boolean,
): () => Partial<Behaviour> {
  return () => ({
    keepText: (text, field) => {
      if (isTooMuch(text, field)) throw new Refusal('text-invalid', `this server does not take such a ${field}`)
      return text
    },
  })
}

function refusingDates(isTooMuch: (date: number) => boolean): () => Partial<Behaviour> {
  return () => ({
    keepDate: (date) => {
      if (isTooMuch(date)) throw new Refusal('number-invalid', 'this server does not take such a date')
      return date
    },
  })
}

function refusingUploads(most: number): () => Partial<Behaviour> {
  return () => ({
    applied: (upload) => {
      const counts = [upload.created, upload.changed, upload.deleted].map(({ length }) => length)
      if (Math.max(...counts) > most) throw new Refusal('things-many', `more than ${most} things`)
      return upload
    },
  })
}

function refusingBodies(bytes: number): () => Partial<Behaviour> {
  return () => ({
    form: (body, { path }) => {
      const length = body.reduce((sum, [name, value]) => sum + name.length + String(value).length, 0)
      if (path === 'sync' && length > bytes) throw new Refusal('body-large', `more than ${bytes} bytes`)
      return body
    },
  })
}

/** Limits, which are not shown (interface 8): what is too much is refused, and nothing of it is kept. */
export const legalLimits: readonly LegalDifference[] = [
  legal(
    'core',
    'limits-title-255',
    'refuses titles of more than 255 characters',
    refusing((text, field) => field === 'title' && text.length > 255),
  ),
  legal(
    'core',
    'limits-url-2000',
    'refuses urls of more than 2,000 characters',
    refusing((text, field) => field === 'url' && text.length > 2000),
  ),
  legal(
    'core',
    'limits-url-must-be-http',
    'refuses urls that are not of http',
    refusing((text, field) => field === 'url' && !/^https?:\/\/[\w@.:/?#&=%+;,-]+$/.test(text)),
  ),
  legal(
    'core',
    'limits-html-64k',
    'refuses html of more than 65,535 characters',
    refusing((text, field) => field === 'html' && text.length > 65_535),
  ),
  legal(
    'core',
    'limits-tags-50',
    'refuses things with more than fifty tags',
    refusing((text, field) => field === 'tags' && text.split(' ').length > 50),
  ),
  legal(
    'core',
    'limits-tag-length',
    'refuses tags of more than a hundred characters',
    refusing((text, field) => field === 'tags' && text.split(' ').some((tag) => tag.length > 100)),
  ),
  legal(
    'core',
    'limits-no-past',
    'refuses dates before 1970',
    refusingDates((date) => date < 0),
  ),
  legal(
    'core',
    'limits-31-bits',
    'refuses dates after 2038',
    refusingDates((date) => Math.abs(date) > 2_147_483_647),
  ),
  legal(
    'core',
    'limits-year-9999',
    'refuses dates of years with five digits',
    refusingDates((date) => date > 253_402_300_799),
  ),
  legal('core', 'limits-upload-25', 'takes 25 things of each kind at once', refusingUploads(25)),
  legal('core', 'limits-upload-100', 'takes a hundred things of each kind at once', refusingUploads(100)),
  legal('core', 'limits-upload-500', 'takes 500 things of each kind at once', refusingUploads(500)),
  legal('core', 'limits-body-16k', 'takes bodies of 16 KB', refusingBodies(16_000)),
  legal('core', 'limits-body-100k', 'takes bodies of 100 KB', refusingBodies(100_000)),
  legal('core', 'limits-parameters-1000', 'refuses forms of more than a thousand parameters', () => ({
    form: (body) => {
      if (body.length > 1000) throw new Refusal('body-large', 'more than 1,000 parameters')
      return body
    },
  })),
  legal('core', 'limits-tags-at-once', 'sets thirty tags at once at most, and refuses more', () => ({
    submittedTags: (tags) => {
      if (tags.size > 30) throw new Refusal('things-many', 'more than 30 tags')
      return tags
    },
  })),
  legal('core', 'limits-tag-name', 'refuses tag names of more than 128 characters', () => ({
    submittedTags: (tags) => {
      if ([...tags.keys()].some((name) => name.length > 128)) throw new Refusal('text-invalid', 'a name is too long')
      return tags
    },
  })),
  legal('core', 'limits-local-id', 'refuses local ids of more than 64 characters', () => ({
    keepLocalId: (localId) => {
      if (String(localId).length > 64) throw new Refusal('text-invalid', 'local_id is too long')
      return String(localId)
    },
  })),
]

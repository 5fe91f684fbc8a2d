import type { Behaviour } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import type { LegalDifference } from './difference.ts'

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
  {
    id: 'limits-title-255',
    title: 'refuses titles of more than 255 characters',
    profile: 'core',
    behaviour: refusing((text, field) => field === 'title' && text.length > 255),
  },
  {
    id: 'limits-url-2000',
    title: 'refuses urls of more than 2,000 characters',
    profile: 'core',
    behaviour: refusing((text, field) => field === 'url' && text.length > 2000),
  },
  {
    id: 'limits-url-must-be-http',
    title: 'refuses urls that are not of http',
    profile: 'core',
    behaviour: refusing((text, field) => field === 'url' && !/^https?:\/\/[\w@.:/?#&=%+;,-]+$/.test(text)),
  },
  {
    id: 'limits-html-64k',
    title: 'refuses html of more than 65,535 characters',
    profile: 'core',
    behaviour: refusing((text, field) => field === 'html' && text.length > 65_535),
  },
  {
    id: 'limits-tags-50',
    title: 'refuses things with more than fifty tags',
    profile: 'core',
    behaviour: refusing((text, field) => field === 'tags' && text.split(' ').length > 50),
  },
  {
    id: 'limits-tag-length',
    title: 'refuses tags of more than a hundred characters',
    profile: 'core',
    behaviour: refusing((text, field) => field === 'tags' && text.split(' ').some((tag) => tag.length > 100)),
  },
  {
    id: 'limits-no-past',
    title: 'refuses dates before 1970',
    profile: 'core',
    behaviour: refusingDates((date) => date < 0),
  },
  {
    id: 'limits-31-bits',
    title: 'refuses dates after 2038',
    profile: 'core',
    behaviour: refusingDates((date) => Math.abs(date) > 2_147_483_647),
  },
  {
    id: 'limits-year-9999',
    title: 'refuses dates of years with five digits',
    profile: 'core',
    behaviour: refusingDates((date) => date > 253_402_300_799),
  },
  {
    id: 'limits-upload-25',
    title: 'takes 25 things of each kind at once',
    profile: 'core',
    behaviour: refusingUploads(25),
  },
  {
    id: 'limits-upload-100',
    title: 'takes a hundred things of each kind at once',
    profile: 'core',
    behaviour: refusingUploads(100),
  },
  {
    id: 'limits-upload-500',
    title: 'takes 500 things of each kind at once',
    profile: 'core',
    behaviour: refusingUploads(500),
  },
  { id: 'limits-body-16k', title: 'takes bodies of 16 KB', profile: 'core', behaviour: refusingBodies(16_000) },
  { id: 'limits-body-100k', title: 'takes bodies of 100 KB', profile: 'core', behaviour: refusingBodies(100_000) },
  {
    id: 'limits-parameters-1000',
    title: 'refuses forms of more than a thousand parameters',
    profile: 'core',
    behaviour: () => ({
      form: (body) => {
        if (body.length > 1000) throw new Refusal('body-large', 'more than 1,000 parameters')
        return body
      },
    }),
  },
  {
    id: 'limits-tags-at-once',
    title: 'sets thirty tags at once at most, and refuses more',
    profile: 'core',
    behaviour: () => ({
      submittedTags: (tags) => {
        if (tags.size > 30) throw new Refusal('things-many', 'more than 30 tags')
        return tags
      },
    }),
  },
  {
    id: 'limits-tag-name',
    title: 'refuses tag names of more than 128 characters',
    profile: 'core',
    behaviour: () => ({
      submittedTags: (tags) => {
        if ([...tags.keys()].some((name) => name.length > 128)) throw new Refusal('text-invalid', 'a name is too long')
        return tags
      },
    }),
  },
  {
    id: 'limits-local-id',
    title: 'refuses local ids of more than 64 characters',
    profile: 'core',
    behaviour: () => ({
      keepLocalId: (localId) => {
        if (String(localId).length > 64) throw new Refusal('text-invalid', 'local_id is too long')
        return String(localId)
      },
    }),
  },
]

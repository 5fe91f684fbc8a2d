import type { ThingFields } from './thing-fields.ts'

/** What uploads of one thing said of it, each once: a retry says at least one of these again (contract, sync 7). */
export interface UploadMarks {
  readonly dates: readonly number[]
  readonly urls: readonly string[]
  readonly titles: readonly string[]
}

/** A longer text is remembered as its hash, which no shorter text can be taken for. */
const longestText = 40
/** A thing may be sent again with other words any number of times. */
const mostOfEach = 100

const toMark = (text: string): string =>
  text.length > longestText ? `#${hashText(text).padEnd(longestText, '#')}` : text

/** FNV-1a twice: 64 bits and the length tell apart a user's own texts, which is all that they are compared with. */
const hashText = (text: string): string => {
  let [one, two] = [0x811c9dc5, 0x1000193]
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    one = Math.imul(one ^ code, 0x01000193)
    two = Math.imul(two ^ (code + index), 0x85ebca6b)
  }
  return [text.length, one >>> 0, two >>> 0].map((part) => part.toString(36)).join('-')
}

/** What the fields of one upload say; a date or a url that was not given says nothing. */
export const markUpload = ({ date, url, title }: ThingFields): UploadMarks => ({
  dates: date == null ? [] : [date],
  urls: url ? [toMark(url)] : [],
  titles: title == null ? [] : [toMark(title)],
})

const names = ['dates', 'urls', 'titles'] as const

const hasCommon = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.some((one) => others.includes(one))

/** How many of title, url and date are among what earlier uploads of a thing said; 0 means another thing. */
export const countCommonMarks = (marks: UploadMarks, earlier: UploadMarks): number =>
  names.filter((name) => hasCommon(marks[name], earlier[name])).length

const join = <T>(earlier: readonly T[], more: readonly T[]): readonly T[] =>
  [...new Set([...earlier, ...more])].slice(-mostOfEach)

/** The marks of both; the same object as `earlier` when the upload says nothing new. */
export const joinMarks = (earlier: UploadMarks, marks: UploadMarks): UploadMarks =>
  names.every((name) => marks[name].length === 0 || hasCommon(marks[name], earlier[name]))
    ? earlier
    : {
        dates: join(earlier.dates, marks.dates),
        urls: join(earlier.urls, marks.urls),
        titles: join(earlier.titles, marks.titles),
      }

import type { TagSettings } from '../../client/src/index.ts'
import { splitTags } from './item-parts.ts'
import { findTodoTag, hasTodoTag } from './tags.ts'
import type { EditStep } from './undo.ts'

/** The fields of a new item, parsed from a typed line. */
export interface AddedLine {
  readonly title: string
  /** Space-separated, each once (interface 2.1). */
  readonly tags: string
  readonly url?: string
  /** Whether the line begins with a checkbox (`[] milk`): the item is a to-do, and done after `[x]`. */
  readonly todo?: 'open' | 'done'
}

/** Country codes in use as top-level domains, without those that are mostly file extensions (`extensionDomains`). */
const countryDomains = new Set(
  'ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc me mg mh mk mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pm pn pr pt pw qa re ro ru rw sa sb sc sd se sg si sk sl sm sn sr ss st sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw'.split(
    ' ',
  ),
)

/** Frequent top-level domains of more letters, and of countries in their own script. */
const namedDomains = new Set(
  'com net org edu gov mil int info biz name pro app dev page wiki blog news live world life today online site website web store shop cloud tech digital media agency design studio art photo photos gallery music video film games game club fun social chat email academy education school university science health care fitness finance money bank company group team work works jobs careers global international events tours travel hotel restaurant cafe coffee kitchen recipes garden house land green eco energy earth space systems software tools network host hosting zone center community foundation support help guide directory press link click xyz top icu run codes engineering consulting ventures capital partners law legal church museum asia arpa cat tel mobi aero coop berlin hamburg koeln cologne wien bayern ruhr saarland paris london nyc tokyo amsterdam swiss gmbh рф укр бел срб мкд бг ευ ελ 中国 中國 香港 台灣 台湾 한국 भारत ไทย'.split(
    ' ',
  ),
)

/** Top-level domains that are file extensions in most texts: links only with a path. */
const extensionDomains = new Set('md py rs sh pl so ps cc zip mov'.split(' '))

/** The maximum length of a word that may be a bare host: longer ones resolve nowhere (RFC 1035). */
const maxHostCharacters = 253

const hostPattern = /^((?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+)([\p{L}\p{M}\p{N}-]{2,63})$/u
const addressPattern = /^\d{1,3}(?:\.\d{1,3}){3}$/u

/** Converts a word to a URL with this scheme if its host is valid. */
const toUrl = (scheme: string, word: string): string | undefined => {
  const url = `${scheme}://${word}`
  return URL.canParse(url) ? url : undefined
}

/** A URL in a line: the URL, and whether the word is a part of the sentence too. */
interface FoundUrl {
  readonly url: string
  readonly isBareHost: boolean
}

/** Parses a word without a scheme: `example.org`, `github.com/x`, `localhost:3000`. */
const readBareUrl = (word: string): FoundUrl | undefined => {
  const end = word.search(/[/?#:]/u)
  const host = end === -1 ? word : word.slice(0, end)
  const rest = end === -1 ? '' : word.slice(end)
  if (host.length > maxHostCharacters) return undefined
  if (rest.startsWith(':') && !/^:\d{1,5}(?:[/?#]|$)/u.test(rest)) return undefined
  const hasPath = /^(?::\d+)?[/?#]/u.test(rest)
  const isLocal = host.toLowerCase() === 'localhost' || addressPattern.test(host)
  if (isLocal) {
    const url = rest === '' ? undefined : toUrl('http', word)
    return url === undefined ? undefined : { url, isBareHost: false }
  }
  const [, labels, last = ''] = hostPattern.exec(host) ?? []
  if (labels === undefined) return undefined
  const domain = last.toLowerCase()
  // "ASP.NET" is a name, and in "Buy milk.Then" a space is missing.
  if (last !== domain && !hasPath) return undefined
  const isDomain = countryDomains.has(domain) || namedDomains.has(domain) || /^xn--/u.test(domain)
  if (!isDomain && !(extensionDomains.has(domain) && hasPath)) return undefined
  const url = toUrl('https', word)
  return url === undefined ? undefined : { url, isBareHost: rest === '' }
}

const readUrl = (word: string): FoundUrl | undefined => {
  if (/^https?:\/\/[^\s/]/iu.test(word)) return URL.canParse(word) ? { url: word, isBareHost: false } : undefined
  if (!word.includes('.') && !/^localhost:/iu.test(word)) return undefined
  const found = readBareUrl(word)
  if (!/^www\.[^\s.]+\../iu.test(word)) return found
  const url = found?.url ?? toUrl('https', word)
  return url === undefined ? undefined : { url, isBareHost: false }
}

const openers = '([{<"\'“„«‘‚'
const closers = ')]}>"\'”“»’‘'
const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** Returns how often a character occurs in a text. */
const countIn = (text: string, wanted: string): number => text.split(wanted).length - 1

/** Removes these characters from the end of a text; a pattern with `+$` would take quadratic time. */
const trimEnd = (text: string, characters: string): string => {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/**
 * Splits a word into the opening punctuation before it, the word, and the punctuation behind it. A closing bracket stays
 * in the word if the word contains the opening one, as in URLs of encyclopedias.
 */
const splitPunctuation = (word: string): readonly [before: string, inner: string, after: string] => {
  let start = 0
  while (start < word.length && openers.includes(word.charAt(start))) start++
  let end = word.length
  // Each bracket is counted once, so that a word of a million brackets takes linear time.
  const surplus = new Map<string, number>()
  while (end > start) {
    const last = word.charAt(end - 1)
    const open = pairs[last]
    if (open !== undefined) {
      const inner = surplus.has(last) ? '' : word.slice(start)
      const left = surplus.get(last) ?? countIn(inner, last) - countIn(inner, open)
      if (left <= 0) break
      surplus.set(last, left - 1)
    } else if (!`${closers}.,;:!?…`.includes(last)) break
    end--
  }
  return [word.slice(0, start), word.slice(start, end), word.slice(end)]
}

/** Returns the tags of a word that begins with `#`; empty if the word stays in the title, such as `#1`. */
const readWordTags = (word: string): readonly string[] => {
  const inner = word.replace(/^\(+/u, '')
  if (!/^#[^\s#]/u.test(inner)) return []
  const names = inner
    .split(/[,;](?=#)|(?<=[^#])(?=#[\p{L}_])/u)
    .map((part) => trimEnd(splitPunctuation(part)[1].replace(/^#/u, ''), '/'))
  // "#1" is a rank or the number of an issue.
  return names.every((name) => /\p{L}|\p{M}|\p{So}|_/u.test(name)) ? names : []
}

/** A word between spaces that only joined the title and what was taken out of it. */
const isSeparator = (word: string | undefined): boolean => word !== undefined && /^[-–—|:,;·•]+$/u.test(word)

const todoPattern = /^\s*(?:[-*•]\s+)?\[( ?|[xX])\](?=\s|$)/u

/** Converts a Markdown link to its text and its URL. */
const openMarkdownLinks = (line: string): string => line.replace(/\[([^[\]]+)\]\((https?:\/\/[^\s()]+)\)/giu, '$1 $2')

/**
 * Parses a line that the user typed or pasted into the first URL, the `#tag`s, and the rest as the title. Punctuation
 * around tags and URLs belongs to the sentence. Numbers such as `#1` stay in the title, and so does a bare host inside a
 * sentence. A word that begins with `\#` loses the backslash and stays in the title. Without a title, the URL is the
 * title. Undefined for a line with tags only, or an empty line.
 */
export const readAddLine = (line: string): AddedLine | undefined => {
  const checkbox = todoPattern.exec(line)
  const text = openMarkdownLinks(checkbox === null ? line : line.slice(checkbox[0].length))
  const title: string[] = []
  const tags: string[] = []
  let url: string | undefined
  /** Whether the previous word was taken out of the title. */
  let isAfterTaken = false
  const takeOut = () => {
    while (isSeparator(title.at(-1))) title.pop()
    isAfterTaken = true
  }
  for (const word of text.split(/\s+/u)) {
    if (word === '' || (isAfterTaken && isSeparator(word))) continue
    const wordTags = readWordTags(word)
    if (wordTags.length > 0) {
      for (const tag of wordTags) tags.push(tag)
      takeOut()
      continue
    }
    const inner = url === undefined ? splitPunctuation(word)[1] : ''
    const found = inner === '' ? undefined : readUrl(inner)
    if (found !== undefined) {
      url = found.url
      if (!found.isBareHost || title.length === 0) {
        takeOut()
        continue
      }
    }
    isAfterTaken = false
    title.push(/^\\+#/u.test(word) ? word.slice(1) : word)
  }
  const words = title.join(' ')
  const shown = (isAfterTaken ? trimEnd(words, ',;') : words) || url
  if (shown === undefined) return undefined
  return {
    title: shown,
    tags: splitTags(tags.join(' ')).join(' '),
    ...(url === undefined ? {} : { url }),
    ...(checkbox === null ? {} : { todo: /x/iu.test(checkbox[1] ?? '') ? 'done' : 'open' }),
  }
}

/** Splits pasted text into the lines that become items; without bullets, numbers of a list and empty lines. */
export const splitPasted = (text: string): readonly string[] =>
  text
    .split(/[\r\n\u2028\u2029]+/u)
    .map((line) => line.trim().replace(/^(?:[-*•]|\d{1,3}[.)])\s+/u, ''))
    .filter((line) => line !== '')

/** Parses each pasted line. A line with tags only keeps its text as the title, so that nothing is lost. */
export const readPastedLines = (lines: readonly string[]): readonly AddedLine[] =>
  lines.map((line) => readAddLine(line) ?? { title: line, tags: '' })

/**
 * Plans the steps that add items. A line that begins with a checkbox gets the most used to-do tag of the account; the
 * first one makes `todo` a to-do tag.
 */
export const planAdding = (
  lines: readonly AddedLine[],
  settings: ReadonlyMap<string, TagSettings>,
  counts: ReadonlyMap<string, number>,
): readonly EditStep[] => {
  const todoTag = findTodoTag(settings, counts)
  const needsTag = ({ todo, tags }: AddedLine) => todo !== undefined && !hasTodoTag(settings, splitTags(tags))
  const steps = lines.map((line) => {
    const { title, tags, url, todo } = line
    const allTags = needsTag(line) ? splitTags(`${tags} ${todoTag}`).join(' ') : tags
    const more = { ...(url === undefined ? {} : { url }), ...(todo === 'done' ? { todoStatus: true } : {}) }
    return { kind: 'create', fields: { title, tags: allTags, ...more } } as const
  })
  if (hasTodoTag(settings, [todoTag]) || !lines.some(needsTag)) return steps
  return [{ kind: 'tag', name: todoTag, change: { todo: 'strike' } }, ...steps]
}

/** Escapes `#` in a shared text, so that `readAddLine` reads no tags from it: only the user creates tags. */
export const escapeTags = (text: string): string =>
  text
    .trim()
    .split(/\s+/u)
    .map((word) => (/^\\*#/u.test(word) ? `\\${word}` : word))
    .join(' ')

/** The line in the field, and the waiting lines, the oldest first. */
export interface AddLines {
  readonly line: string
  readonly waiting: readonly string[]
}

/** Puts a shared line into the field. The previous line joins the waiting lines, without duplicates. */
export const takeShared = ({ line, waiting }: AddLines, shared: string): AddLines => {
  const others = [...waiting, line].filter((other) => other.trim() !== '' && other !== shared)
  return { line: shared, waiting: [...new Set(others)] }
}

/** Puts the oldest waiting line into the field. The previous line waits behind the others. */
export const takeWaiting = ({ line, waiting }: AddLines): AddLines => {
  const [oldest, ...others] = waiting
  return oldest === undefined ? { line, waiting } : takeShared({ line, waiting: others }, oldest)
}

/** Removes the oldest waiting line. */
export const dropWaiting = ({ line, waiting }: AddLines): AddLines => ({ line, waiting: waiting.slice(1) })

/** Encodes the waiting lines as one draft; the text of a single-line field has no line break. */
export const writeWaiting = (waiting: readonly string[]): string => waiting.join('\n')

/** Decodes a draft of `writeWaiting`. */
export const readWaiting = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '')

/** A thing as it is uploaded (interface 2.1). */
export interface UploadedThing {
  readonly local_id: string
  readonly title: string
  readonly tags: string
  readonly date: number
  readonly url: string
  readonly html?: string
}

const words = 'paper bridge river morning letter window garden orange silver market winter travel kitchen music'.split(
  ' ',
)
const foreignWords = ['Grüße', 'naïve', '東京の地図', 'привет', 'žluťoučký', 'café ☕']

/**
 * Things of about 300 bytes in their returned form, a fifth of them with titles beyond ASCII; the same ones for the
 * same numbers, in every run.
 */
export const makeThings = (first: number, count: number): UploadedThing[] =>
  Array.from({ length: count }, (_, index) => makeThing(first + index))

const makeThing = (number: number): UploadedThing => {
  const pick = (salt: number) => words[(number * 31 + salt * 17 + (number >> 5)) % words.length] ?? ''
  const foreign = number % 5 === 0 ? ` ${foreignWords[number % foreignWords.length]}` : ''
  const html = `<p>${Array.from({ length: number % 33 }, (_, salt) => pick(salt + 7)).join(' ')}</p>`
  return {
    local_id: String(number),
    title: `${pick(1)} ${pick(2)} ${pick(3)} ${number}${foreign}`,
    tags: `${pick(4)}, ${pick(5)}`,
    date: 1_700_000_000 + number,
    url: `https://example.org/${pick(6)}/${number}`,
    ...(number % 8 === 0 ? {} : { html }),
  }
}

/** A form with all the things in one `new_thing` (interface 4.3). */
export const makeForm = (things: readonly UploadedThing[]): string =>
  new URLSearchParams({ new_thing: JSON.stringify(things) }).toString()

/** The same with a `new_thing[]` for each. */
export const makeRepeatedForm = (things: readonly UploadedThing[]): string =>
  new URLSearchParams(things.map((thing): [string, string] => ['new_thing[]', JSON.stringify(thing)])).toString()

/** A place of the specification that a text names, as it is said and as the address on the page. */
export interface Reference {
  readonly said: string
  readonly anchor: string
}

/**
 * Every "interface 4.3", "interface 4.3, rules 1 and 2", "section 5.3" and "contract, sync 8" of a text, also when a line
 * of a comment ends between their words.
 */
export const findReferences = (text: string): readonly Reference[] => {
  const line = text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/\/?|#|>)?\s*/g, ' ')
  return [...findInterface(line), ...findContract(line)]
}

const section = String.raw`\d(?:\.\d+)?`
const interfaceWords = new RegExp(
  String.raw`(?<!RFC \d+ )\b(?:interface|section) (${section})(?: and (${section}))?(?:, rules? (\d)(?: (and|to) (\d))?)?(?![\d%])`,
  'gi',
)

const findInterface = (text: string): readonly Reference[] =>
  [...text.matchAll(interfaceWords)].flatMap(([said, first = '', second, rule, link, last]) => {
    const sections = second === undefined ? [first] : [first, second]
    const places =
      rule === undefined ? sections : numbersFrom(rule, link, last).map((number) => `${first}-rule-${number}`)
    return places.map((place) => ({ said, anchor: `interface-${place}` }))
  })

// In brackets, quotes or after another reference anything counts; elsewhere in prose only what is surely meant so.
const contractWords =
  /(?:(?<=[("]|[;:] )contract, [^).;:"]+|\bcontract, (?:sync|token|errors|requests|delivery)\b(?: \d+(?: (?:and|to) \d+)?)?)/g

const findContract = (text: string): readonly Reference[] =>
  [...text.matchAll(contractWords)].flatMap(([found]) => {
    const said = found.trim()
    const topics = said.slice('contract, '.length).split(/ and (?=[a-z])/)
    return topics.flatMap((topic) => {
      const [, name = topic, first, link, last] = topic.match(/^(.*?) (\d+)(?: (and|to) (\d+))?$/) ?? []
      const slug = name.trim().replaceAll(' ', '-')
      const places = first === undefined ? [slug] : numbersFrom(first, link, last).map((number) => `${slug}-${number}`)
      return places.map((place) => ({ said, anchor: `contract-${place}` }))
    })
  })

/** `1`, `1 and 3` or `1 to 3` as numbers. */
const numbersFrom = (first: string, link: string | undefined, last: string | undefined): readonly number[] => {
  if (last === undefined) return [Number(first)]
  if (link === 'and') return [Number(first), Number(last)]
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index)
}

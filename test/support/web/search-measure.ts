/** Builds an index of 100,000 things and prints the processor time of each key of typed queries: `npx tsx` this file. */
import { createSearchIndex, type SearchedThing } from '../../../web/search/search-index.ts'

const words = ['garden', 'piano', 'tax', 'letter', 'recipe', 'holiday', 'Brücke', 'photo', 'rent', 'doctor', 'bicycle']
const wordAt = (seed: number): string => `${words[seed % words.length]}${seed % 997}`
const sentence = (seed: number, length: number): string =>
  Array.from({ length }, (_, index) => wordAt(seed * 31 + index * 7)).join(' ')

const createThing = (number: number): SearchedThing => ({
  number,
  title: sentence(number, 5),
  tags: `${words[number % 11]} ${wordAt(number % 300)}`,
  date: 1_500_000_000 + number * 100,
  ...(number % 2 === 0 ? { url: `https://example.com/${sentence(number, 2).replace(' ', '/')}` } : {}),
  ...(number % 2 === 1 ? { html: `<p>${sentence(number, 40)}</p>` } : {}),
  archived: number % 10 === 0,
  isPending: false,
})

const time = (work: () => unknown): number => {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return Math.round((user + system) / 100) / 10
}

const index = createSearchIndex()
const built = time(() => {
  for (let start = 0; start < 100_000; start += 500)
    index.put(Array.from({ length: 500 }, (_, offset) => createThing(start + offset)))
})
console.log(`built in ${built} ms, heap ${Math.round(process.memoryUsage().heapUsed / 1_048_576)} MB`)
console.log(`first listing ${time(() => index.search(''))} ms`)
for (const query of ['piano 42 letter', '#piano -tax77 doctor', 'zzz nothing', 'is:open brucke']) {
  const keys = [...query].map((_, end) => time(() => index.search(query.slice(0, end + 1))))
  console.log(`${query}: slowest key ${Math.max(...keys)} ms of ${keys.length}`)
}

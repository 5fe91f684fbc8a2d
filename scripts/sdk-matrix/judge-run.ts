import { asObject, isObject, type JsonObject } from '../json.ts'
import type { GivenRequest, PassedAnswer } from '../sdk-test/front-server.ts'

/** A request of a first script and its answer, as they went over the wire. */
export type Exchange = { given: GivenRequest; answer: PassedAnswer }

const wanted = [
  ['POST token', 'a token by password'],
  ['POST sync', 'an upload of one new thing'],
  ['GET sync', 'a full listing'],
  ['POST sync', 'a change'],
  ['GET sync', 'a delta'],
  ['POST sync', 'a deletion'],
  ['GET sync', 'a delta with the deletion'],
  ['POST token', 'a refresh'],
  ['GET sync', 'a delta with the new token'],
] as const

/** Which earlier step's position each step has to send as `from`, by their numbers. */
const follows: readonly (readonly [step: number, earlier: number])[] = [
  [3, 2],
  [4, 2],
  [5, 4],
  [6, 4],
  [8, 6],
]

const nameCall = ({ given }: Exchange): string => `${given.method} ${given.path.split('?')[0]}`

/** The text of a number on the wire, as it was spelled: in a query, a form or a JSON body. */
function findSpelling({ path, headers, body }: GivenRequest, name: string): string | undefined {
  const query = new URL(path, 'http://localhost/').searchParams.get(name)
  if (query !== null) return query
  if (!headers['content-type']?.startsWith('application/json')) return new URLSearchParams(body).get(name) ?? undefined
  return new RegExp(`"${name}"\\s*:\\s*([^,}\\s]+)`).exec(body)?.[1]
}

const readAnswer = (exchange: Exchange | undefined): JsonObject =>
  exchange === undefined ? {} : asObject(JSON.parse(exchange.answer.body), 'an answer')

function judgeSteps(exchanges: readonly Exchange[]): string[] {
  for (const [index, [call, name]] of wanted.entries()) {
    const exchange = exchanges[index]
    if (exchange === undefined) return [`the script ended before ${name}`]
    if (nameCall(exchange) !== call) return [`instead of ${name} came ${nameCall(exchange)}`]
    const { status, body } = exchange.answer
    if (status !== 200) return [`${name} was answered with ${status} ${body.slice(0, 200)}`]
  }
  return exchanges.length > wanted.length ? [`the script sent ${exchanges.length} requests`] : []
}

/** What is wrong with the positions that were sent back, as far as the script came. */
export function judgePositions(exchanges: readonly Exchange[]): string[] {
  return follows.flatMap(([step, earlier]) => {
    const exchange = exchanges[step]
    if (exchange === undefined || nameCall(exchange) !== wanted[step]?.[0]) return []
    const { pos } = readAnswer(exchanges[earlier])
    if (typeof pos !== 'number') return []
    const position = String(pos)
    const sent = findSpelling(exchange.given, 'from')
    return sent === position ? [] : [`the position ${position} was sent back as ${sent} in ${wanted[step]?.[1]}`]
  })
}

function judgeRefresh([first, , , , , , , refresh, last]: readonly Exchange[]): string[] {
  const token = readAnswer(first).request_token
  const sent = new URLSearchParams(refresh?.given.body).get('refresh_token')
  const used = last?.given.headers.authorization?.endsWith(String(readAnswer(refresh).access_token))
  return [
    ...(sent === token ? [] : ['the refresh did not send the request_token that was given']),
    ...(used ? [] : ['the new token was not used']),
  ]
}

/** The lines that a first script has to print of what it read in the answers. */
export function expectLines(exchanges: readonly Exchange[]): string[] {
  const things = readAnswer(exchanges[1]).things
  const ids = isObject(things) && isObject(things.new) ? things.new : {}
  const last = readAnswer(exchanges.at(-1)).pos
  return [`created ${ids.n1}`, 'listed Buy milk 🥛', 'changed Buy oat milk', `deleted ${ids.n1}`, `position ${last}`]
}

/** What is wrong with the run of a first script, by what it sent and what it printed; nothing when it did everything. */
export function judgeRun(exchanges: readonly Exchange[], printed: string): string[] {
  const wrong = judgeSteps(exchanges)
  if (wrong.length > 0) return wrong
  const lines = printed.split('\n').map((line) => line.trimEnd())
  const unread = expectLines(exchanges).filter((line) => !lines.includes(line))
  return [
    ...judgePositions(exchanges),
    ...judgeRefresh(exchanges),
    ...unread.map((line) => `the script did not read "${line}"`),
  ]
}

/** The lowest position that a script was given; undefined when it was given none. */
export function findLowestPosition(exchanges: readonly Exchange[]): number | undefined {
  const given = exchanges.filter(({ answer }) => answer.status === 200).map((exchange) => readAnswer(exchange).pos)
  const positions = given.filter((position) => typeof position === 'number')
  return positions.length === 0 ? undefined : Math.min(...positions)
}

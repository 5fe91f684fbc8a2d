import type { Reply } from '../../client.ts'
import { expectCreated, expectField, expectRefusal, expectThing } from '../../expect.ts'
import { NoAnswer } from '../../finding.ts'
import { showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import { largestBatch, type Replica } from '../../replica.ts'
import { isSyncAnswer, readSyncAnswer, type SyncAnswer } from '../../sync-answer.ts'
import type { SyncParameters, ThingFields } from '../../sync-request.ts'

/** One case of a class: what is special about it, and the fields of a thing that show it. */
export interface Case {
  readonly what: string
  readonly fields: ThingFields
  /** A limit is the server's choice (interface 8): it may refuse this one, but not keep it otherwise than sent. */
  readonly refusable?: true
}

/** Cases of one field, by what is special about each value. */
export const casesOf = <Field extends keyof ThingFields>(
  field: Field,
  values: Readonly<Record<string, ThingFields[Field]>>,
  refusable?: 'refusable',
): Case[] =>
  Object.entries(values).map(([what, value]) => ({
    what: `${field}, ${what}`,
    fields: { [field]: value },
    ...(refusable === undefined ? {} : { refusable: true as const }),
  }))

const inBatches = (cases: readonly Case[]): (readonly Case[])[] => {
  const small = cases.filter(({ refusable }) => refusable !== true)
  const count = Math.ceil(small.length / largestBatch)
  const batches = Array.from({ length: count }, (_, place) =>
    small.slice(place * largestBatch, (place + 1) * largestBatch),
  )
  return [...batches, ...cases.filter(({ refusable }) => refusable === true).map((each) => [each])]
}

type Upload = (cases: readonly Case[]) => SyncParameters

/** The answer; undefined when the server hangs up on what is too much for it, as on a large body. */
const sendOrGiveUp = async (phone: Replica, upload: SyncParameters, refusable: boolean): Promise<Reply | undefined> => {
  try {
    return await phone.trySync(upload)
  } catch (error) {
    if (refusable && error instanceof NoAnswer && !error.isSilence) return undefined
    throw error
  }
}

/** Uploads the cases together, or one by one when that is refused, so that the finding names the one. What was taken. */
const uploadEach = async (
  phone: Replica,
  cases: readonly Case[],
  write: Upload,
): Promise<(readonly [Case, SyncAnswer])[]> => {
  const [first] = cases
  const reply = await sendOrGiveUp(phone, write(cases), first?.refusable === true)
  if (reply === undefined) return []
  if (cases.length > 1 && !isSyncAnswer(reply)) {
    const taken = []
    for (const each of cases) taken.push(...(await uploadEach(phone, [each], write)))
    return taken
  }
  if (first?.refusable === true && !isSyncAnswer(reply)) {
    if (reply.status < 400) expectRefusal(reply, `${first.what}, was not taken`)
    return []
  }
  const answer = readSyncAnswer(reply, `an upload of a thing with ${showValue(first?.fields)}`)
  return cases.map((each) => [each, answer])
}

/** Sends each case as a new thing and as a change, and expects every one to come back to another device as it was sent. */
export const expectKept = async (lab: Lab, cases: readonly Case[]): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const old = await phone.createMany(cases.map(() => ({})))
  const from = await laptop.position()
  const named = new Map(cases.map((each, place) => [each, { localId: lab.unique(), id: old[place] ?? '' }]))
  const titled = (each: Case) => ({ title: named.get(each)?.localId ?? '', ...each.fields })
  const create: Upload = (some) => ({
    from,
    new_thing: some.map((each) => ({ local_id: named.get(each)?.localId ?? '', ...titled(each) })),
  })
  const change: Upload = (some) => ({
    from,
    changed_thing: some.map((each) => ({ _id: named.get(each)?.id ?? '', ...titled(each) })),
  })
  const told: (readonly [Case, string, string])[] = []
  for (const batch of inBatches(cases)) {
    for (const [each, answer] of await uploadEach(phone, batch, create)) {
      told.push([each, expectCreated(answer, named.get(each)?.localId ?? ''), 'created'])
    }
    for (const [each] of await uploadEach(phone, batch, change)) told.push([each, named.get(each)?.id ?? '', 'changed'])
  }
  const answer = await laptop.sync({ from })
  for (const [{ what, fields }, id, how] of told) {
    const thing = expectThing(answer, id, `phone ${how} it`)
    for (const [field, value] of Object.entries(fields)) {
      expectField(thing, field, value, `${what}, of the thing as phone ${how} it`, answer)
    }
  }
}

import type { Reply } from '../client.ts'
import { showValue } from '../encoding.ts'
import { expectCreated, expectErrorResponse, expectField, expectSame, expectTag, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { maxBatch, type Replica } from '../replica.ts'
import { NoResponse, Skipped } from '../result.ts'
import {
  isSyncResponse,
  off,
  readSyncResponse,
  type SyncParameters,
  type SyncResponse,
  type TagSettings,
  type ThingFields,
} from '../sync-messages.ts'

/** One case of a class: its description, and the fields of a thing that show it. */
export interface Case {
  readonly what: string
  readonly fields: ThingFields
  /** A limit is the server's choice (interface 8): it may reject this case, but must not change it. */
  readonly rejectable?: true
}

/** Creates cases of one field, by the description of each value. */
export const casesOf = <Field extends keyof ThingFields>(
  field: Field,
  values: Readonly<Record<string, ThingFields[Field]>>,
  rejectable?: 'rejectable',
): Case[] =>
  Object.entries(values).map(([what, value]) => ({
    what: `${field}, ${what}`,
    fields: { [field]: value },
    ...(rejectable === undefined ? {} : { rejectable: true as const }),
  }))

/** Cases of more text are sent alone: together they could pass a limit that each of them keeps. */
const maxTextTogether = 1000

/** Sends small cases together; cases that a server may reject never share a request with cases that it must accept. */
const inBatches = (cases: readonly Case[]): (readonly Case[])[] => {
  const isLong = ({ fields }: Case): boolean => JSON.stringify(fields).length > maxTextTogether
  const groups = [
    cases.filter(({ rejectable }) => rejectable !== true),
    cases.filter((each) => each.rejectable === true && !isLong(each)),
  ]
  const batches = groups.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / maxBatch) }, (_, index) =>
      group.slice(index * maxBatch, (index + 1) * maxBatch),
    ),
  )
  return [...batches, ...cases.filter((each) => each.rejectable === true && isLong(each)).map((each) => [each])]
}

type Upload = (cases: readonly Case[]) => SyncParameters

/** Returns the response; undefined when the server closes the connection, as it may for a large body. */
const sendLargeUpload = async (
  phone: Replica,
  upload: SyncParameters,
  rejectable: boolean,
): Promise<Reply | undefined> => {
  try {
    return await phone.trySync(upload)
  } catch (error) {
    if (rejectable && error instanceof NoResponse && !error.isSilence) return undefined
    throw error
  }
}

/** Uploads the cases together, or one by one after an error: then the finding names one. Returns accepted cases. */
const uploadEach = async (
  phone: Replica,
  cases: readonly Case[],
  write: Upload,
): Promise<(readonly [Case, SyncResponse])[]> => {
  const [first] = cases
  const reply = await sendLargeUpload(phone, write(cases), first?.rejectable === true)
  if (cases.length > 1 && (reply === undefined || !isSyncResponse(reply))) {
    const taken = []
    for (const each of cases) taken.push(...(await uploadEach(phone, [each], write)))
    return taken
  }
  if (reply === undefined) return []
  if (first?.rejectable === true && !isSyncResponse(reply)) {
    if (reply.status < 400) expectErrorResponse(reply, `${first.what}, was not taken`)
    return []
  }
  const response = readSyncResponse(reply, `an upload of a thing with ${showValue(first?.fields)}`)
  return cases.map((each) => [each, response])
}

/** Sends each case as a new thing and as a change, and expects each to reach another device unchanged. */
export const expectStored = async (lab: Lab, cases: readonly Case[]): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const old = await phone.createMany(cases.map(() => ({})))
  const from = await laptop.position()
  const named = new Map(cases.map((each, index) => [each, { localId: lab.unique(), id: old[index] ?? '' }]))
  const titled = (each: Case) => ({ title: named.get(each)?.localId ?? '', ...each.fields })
  const create: Upload = (some) => ({
    from,
    new_thing: some.map((each) => ({ local_id: named.get(each)?.localId ?? '', ...titled(each) })),
  })
  const change: Upload = (some) => ({
    from,
    changed_thing: some.map((each) => ({ _id: named.get(each)?.id ?? '', ...titled(each) })),
  })
  const notified: (readonly [Case, string, string])[] = []
  for (const batch of inBatches(cases)) {
    for (const [each, response] of await uploadEach(phone, batch, create)) {
      notified.push([each, expectCreated(response, named.get(each)?.localId ?? ''), 'created'])
    }
    for (const [each] of await uploadEach(phone, batch, change))
      notified.push([each, named.get(each)?.id ?? '', 'changed'])
  }
  const response = await laptop.sync({ from })
  for (const [{ what, fields }, id, how] of notified) {
    const thing = expectThing(response, id, `phone ${how} it`)
    for (const [field, value] of Object.entries(fields)) {
      expectField(thing, field, value, `${what}, of the thing as phone ${how} it`, response)
    }
  }
}

/** Creates a thing with the fields on phone, and returns what laptop's next incremental sync lists of it. */
export const createAndSync = async (lab: Lab, fields: ThingFields) => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const from = await laptop.position()
  const id = await phone.create(fields)
  const response = await laptop.sync({ from })
  return { response, id, thing: expectThing(response, id, 'phone created it') }
}

/** Creates things on phone after laptop's position. In rules that run alone nothing else changes meanwhile. */
export const createAfter = async (lab: Lab, count: number) => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const from = await laptop.position()
  const ids = await phone.createMany(Array.from({ length: count }, () => ({})))
  return { phone, laptop, from, ids }
}

/**
 * Sends an upload once as an attempt. Limits are the server's choice (interface 8), so an error skips the rule; a
 * changed value does not.
 */
export const skipIfRejected = async (lab: Lab, what: string, upload: SyncParameters): Promise<void> => {
  const phone = await lab.replica('phone')
  const reply = await phone.trySync({ from: await phone.position(), ...upload })
  if (reply.error !== undefined) throw new Skipped(`the server rejects ${what}: ${reply.status} ${reply.error}`)
}

/** Makes the tag that the mark names a todo tag. */
export const setTodoTag = async (lab: Lab): Promise<void> => {
  await (await lab.replica('phone')).setTag(lab.mark, { ...off, todo: true })
}

/** Returns a text in lower case, and any other value unchanged: the letter case of colors is the server's choice. */
export const lowerCase = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)

/** Sets a color of its own for each name, and expects every name to come back with it, in both kinds of sync. */
export const expectNamed = async (lab: Lab, names: readonly string[]): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const from = await laptop.position()
  const tag = Object.fromEntries(
    names.map((name, index): [string, TagSettings] => [
      name,
      { ...off, favorite: true, color: `#${(0xa1b200 + index).toString(16)}` },
    ]),
  )
  await phone.sync({ from, tag })
  for (const response of [await laptop.sync({ from }), await laptop.listAll()]) {
    for (const [name, { color }] of Object.entries(tag)) {
      const settings = expectTag(response, name, 'phone set them')
      expectSame(lowerCase(settings.color), color, `color of the tag ${showValue(name)}`, response)
    }
  }
}

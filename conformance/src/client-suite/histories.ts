/*
 * Random histories for clients: replicas of the client under test, and another device, work on one account through
 * faults and kills. A plan is a list of steps; it is played, checked by what must be true at its end, shrunk, and told as
 * a story with the wire log. The same seed gives the same plan. Start reading at `playPlan`.
 */
import { showValue } from '../encoding.ts'
import { createRandom } from '../lab.ts'
import { Finding } from '../result.ts'
import { type ClientLab, expectThat, type ReplicaDevice } from './client-lab.ts'
import { expectConverged } from './converge.ts'
import type { OtherDevice, ScriptedServer } from './scripted-server.ts'
import { type Act, cutBody, loseRequest, loseResponse, respondWith } from './wire.ts'

/** What can happen to the next sync of a device. */
const troubles = [
  'none',
  'lost response',
  'lost request',
  'cut body',
  'busy',
  'expired token',
  'kill at arrival',
  'kill after commit',
] as const

/** One step; `thing` is the number of a thing, by creation. */
export type HistoryStep =
  | {
      readonly kind: 'create' | 'change' | 'delete'
      readonly device: number
      readonly thing: number
      readonly text: string
    }
  | { readonly kind: 'tag'; readonly device: number; readonly text: string; readonly isOn: boolean }
  | { readonly kind: 'sync'; readonly device: number; readonly trouble: (typeof troubles)[number] }
  | { readonly kind: 'restart'; readonly device: number }

/** A plan: its steps, and whether device 1 is another device that speaks to the server directly. */
export interface HistoryPlan {
  readonly steps: readonly HistoryStep[]
  readonly hasOther: boolean
}

/** Creates a plan of so many steps. */
export function createHistory(seed: string, length: number, hasOther: boolean, hasTags: boolean): HistoryPlan {
  const random = createRandom(seed)
  const pick = (count: number): number => Math.floor(random() * count)
  let things = 0
  const steps = Array.from({ length }, (_, index): HistoryStep => {
    const [device, roll, text] = [pick(2), random(), `t${index}`]
    if (roll < 0.25 || things === 0) {
      things += 1
      return { kind: 'create', device, thing: things - 1, text }
    }
    if (roll < 0.45) return { kind: 'change', device, thing: pick(things), text }
    if (roll < 0.53) return { kind: 'delete', device, thing: pick(things), text }
    if (roll < 0.58 && hasTags) return { kind: 'tag', device, text: `tag${pick(3)}`, isOn: random() < 0.5 }
    if (roll < 0.63) return { kind: 'restart', device }
    return { kind: 'sync', device, trouble: troubles[random() < 0.5 ? 0 : pick(troubles.length)] ?? 'none' }
  })
  return { steps, hasOther }
}

const names = ['phone', 'laptop'] as const

/** Tells one step in words. */
export function tellStep(step: HistoryStep, hasOther: boolean): string {
  const name = step.device === 1 && hasOther ? 'another device' : names[step.device]
  if (step.kind === 'create') return `${name} creates thing ${step.thing} with the title "${step.text}"`
  if (step.kind === 'change') return `${name} changes the title of thing ${step.thing} to "${step.text}"`
  if (step.kind === 'tag') return `${name} makes the tag "${step.text}" ${step.isOn ? 'a favorite' : 'no favorite'}`
  if (step.kind === 'restart') return `${name} is killed and started again`
  if (step.kind === 'sync') return `${name} syncs${step.trouble === 'none' ? '' : `: ${step.trouble}`}`
  return `${name} deletes thing ${step.thing}`
}

const acts: Readonly<Partial<Record<(typeof troubles)[number], Act>>> = {
  'lost response': loseResponse,
  'lost request': loseRequest,
  'cut body': cutBody(0.6),
  busy: respondWith(503, { error: 'temporarily_unavailable', error_description: 'later' }, { 'retry-after': '0' }),
}

/** What a history knows of its things: who typed what, and what must be reported. */
interface Ledger {
  /** The last title that each device typed, by thing. */
  readonly typed: Map<number, Map<number, string>>
  readonly deleted: Set<number>
  /** Edits that were typed after the last try to sync, by device: title and thing. */
  readonly unsent: readonly Map<number, string>[]
  /** Titles that a device must report as lost. */
  readonly mustReport: readonly Set<string>[]
}

const urlOf = (thing: number): string => `https://example.org/${thing}`

/** The players of one history. */
interface Stage {
  readonly server: ScriptedServer
  readonly devices: readonly (ReplicaDevice | undefined)[]
  readonly other: OtherDevice | undefined
  readonly ledger: Ledger
}

function storedThing(server: ScriptedServer, thing: number): { id: string; isDeleted: boolean } | undefined {
  const found = [...server.account().things.values()].find(({ fields }) => fields.url === urlOf(thing))
  return found && { id: String(found.id), isDeleted: found.deleted }
}

async function refOfThing(device: ReplicaDevice, thing: number): Promise<string | undefined> {
  const { things } = await device.read()
  return things.find(({ url }) => url === urlOf(thing))?.ref
}

async function playOther(step: HistoryStep, { server, other, ledger }: Stage): Promise<void> {
  if (other === undefined || step.kind === 'sync' || step.kind === 'restart') return
  if (step.kind === 'tag') return other.setTag(step.text, { favorite: step.isOn })
  if (step.kind === 'create') {
    await other.create({ title: step.text, url: urlOf(step.thing), date: 1_700_000_000 + step.thing })
    ledger.typed.set(step.thing, new Map([[1, step.text]]))
    return
  }
  const stored = storedThing(server, step.thing)
  if (stored === undefined || stored.isDeleted) return
  if (step.kind === 'delete') {
    await other.remove(stored.id)
    ledger.deleted.add(step.thing)
    return
  }
  await other.change(stored.id, { title: step.text, url: urlOf(step.thing), date: 1_700_000_000 + step.thing })
  ledger.typed.get(step.thing)?.set(1, step.text)
}

async function playEdit(step: HistoryStep, device: ReplicaDevice, { ledger }: Stage): Promise<void> {
  if (step.kind === 'sync' || step.kind === 'restart') return
  if (step.kind === 'tag') return device.setTag(step.text, { favorite: step.isOn })
  const unsent = ledger.unsent[step.device]
  if (step.kind === 'create') {
    await device.create({ title: step.text, url: urlOf(step.thing), date: 1_700_000_000 + step.thing })
    ledger.typed.set(step.thing, new Map([[step.device, step.text]]))
    return
  }
  const ref = await refOfThing(device, step.thing)
  if (ref === undefined) return
  if (step.kind === 'delete') {
    await device.remove(ref)
    ledger.deleted.add(step.thing)
    unsent?.delete(step.thing)
    return
  }
  await device.change(ref, { title: step.text })
  ledger.typed.get(step.thing)?.set(step.device, step.text)
  unsent?.set(step.thing, step.text)
}

async function playSync(
  trouble: (typeof troubles)[number],
  device: ReplicaDevice,
  stage: Stage,
  number: number,
): Promise<void> {
  const { server, ledger } = stage
  // What was typed since the last try, of a thing that is deleted already, cannot reach the account any more.
  for (const [thing, title] of ledger.unsent[number] ?? []) {
    if (storedThing(server, thing)?.isDeleted === true) ledger.mustReport[number]?.add(title)
  }
  ledger.unsent[number]?.clear()
  if (trouble === 'expired token') server.expireAccessTokens()
  const isKill = trouble === 'kill at arrival' || trouble === 'kill after commit'
  if (!isKill) {
    const act = acts[trouble]
    if (act !== undefined) server.wire.once('sync', act)
    await device.trySync()
    return
  }
  let moment = server.wire.arrival('sync') as Promise<unknown>
  if (trouble === 'kill at arrival') server.wire.once('sync', loseRequest)
  else {
    moment = new Promise((resolve) => {
      server.wire.once('sync', async (step) => {
        await step.forward()
        resolve(undefined)
        step.drop('the program was killed after the commit')
      })
    })
  }
  const outcome = device.trySync().catch(() => undefined)
  await Promise.race([moment, outcome])
  await device.kill()
  await device.start()
}

/** Plays a plan, syncs everything at its end, and expects what must be true then. @throws Finding */
export async function playPlan(lab: ClientLab, plan: HistoryPlan): Promise<void> {
  const server = await lab.openServer()
  const phone = await lab.replica(server)
  const laptop = plan.hasOther ? undefined : await lab.replica(server, 'laptop')
  const other = plan.hasOther ? await server.device() : undefined
  const ledger = {
    ...{ typed: new Map(), deleted: new Set<number>() },
    ...{ unsent: [new Map(), new Map()], mustReport: [new Set<string>(), new Set<string>()] },
  }
  const stage: Stage = { server, devices: [phone, laptop], other, ledger }
  for (const step of plan.steps) {
    const device = stage.devices[step.device]
    if (device === undefined) await playOther(step, stage)
    else if (step.kind === 'sync') await playSync(step.trouble, device, stage, step.device)
    else if (step.kind === 'restart') await device.restart()
    else await playEdit(step, device, stage)
  }
  await expectGoodEnd(stage)
}

async function expectGoodEnd({ server, devices, ledger }: Stage): Promise<void> {
  const present = devices.filter((device) => device !== undefined)
  for (const device of [...present, ...present, ...present])
    await device.syncUntilDone('the server and the connection work', 5)
  const things = server.things()
  for (const [thing, typed] of ledger.typed) {
    const copies = things.filter(({ url }) => url === urlOf(thing))
    expectThat(
      copies.length <= 1,
      `thing ${thing} once in the account`,
      `it is there ${copies.length} times: ${showValue(copies)}`,
    )
    const [copy] = copies
    if (copy === undefined) {
      expectThat(
        ledger.deleted.has(thing),
        `thing ${thing} in the account, because no device deleted it`,
        `the account has ${showValue(things.map(({ title }) => title))}`,
      )
      continue
    }
    const titles = [...typed.values()]
    expectThat(
      titles.includes(String(copy.title)),
      `the last title of thing ${thing} that a device typed: ${showValue(titles)}`,
      `the account has ${showValue(copy.title)}`,
    )
  }
  for (const [number, device] of devices.entries()) {
    if (device === undefined) continue
    await expectConverged(server, device, 'all devices synced')
    const { lost } = await device.state()
    const missing = [...(ledger.mustReport[number] ?? [])].find((title) => !lost.includes(title))
    expectThat(
      missing === undefined,
      `"${missing}" in lost of ${device.name}, because the thing was deleted before that edit was sent`,
      `lost is ${showValue(lost)}`,
    )
  }
}

/** Plays a plan, and returns the finding that it leads to; undefined when the client passes. */
async function findFault(lab: ClientLab, plan: HistoryPlan): Promise<Finding | undefined> {
  try {
    await playPlan(lab, plan)
    return undefined
  } catch (error) {
    if (error instanceof Finding) return error
    throw error
  }
}

/** Maximum number of plans that are played to shrink one. */
const maxTries = 40

/** Removes steps as long as the plan still leads to a finding. Leaves the servers of the last failing plan open. */
async function shrink(
  lab: ClientLab,
  plan: HistoryPlan,
  found: Finding,
): Promise<{ plan: HistoryPlan; finding: Finding }> {
  let [best, finding, tries] = [plan, found, 0]
  for (let size = Math.ceil(best.steps.length / 2); size >= 1 && tries < maxTries; size = Math.floor(size / 2)) {
    for (let start = 0; start < best.steps.length && tries < maxTries; ) {
      const steps = [...best.steps.slice(0, start), ...best.steps.slice(start + size)]
      tries += 1
      await lab.reset()
      const again = await findFault(lab, { ...best, steps })
      if (again === undefined) start += size
      else [best, finding] = [{ ...best, steps }, again]
    }
  }
  await lab.reset()
  return { plan: best, finding: (await findFault(lab, best)) ?? finding }
}

/** Tells a plan as a story. The report adds what happened the last time that it was played. */
function tellPlan({ steps, hasOther }: HistoryPlan): string {
  const told = steps.map((step, index) => `${index + 1}. ${tellStep(step, hasOther)}`)
  return [...told, `${told.length + 1}. all devices sync until nothing is left`].join('\n')
}

/** Plays random histories; the first that fails is shrunk and told. @throws Finding */
export async function playHistories(lab: ClientLab, count: number, hasOther: boolean): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const plan = createHistory(`${lab.seed} ${hasOther} ${number}`, 12 + (number % 4) * 8, hasOther, lab.has('set-tag'))
    const found = await findFault(lab, plan)
    if (found !== undefined) {
      const { plan: small, finding } = await shrink(lab, plan, found)
      throw new Finding(finding.expected, finding.actual, finding.exchange, tellPlan(small))
    }
    await lab.reset()
  }
}

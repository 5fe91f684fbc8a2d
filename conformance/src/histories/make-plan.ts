import type { Choices } from './choices.ts'
import type { Action, Mix } from './mix.ts'
import type { PagesStep, Plan, PlannedStep, ReplicaName, Step, UploadStep, Version } from './plan.ts'
import { replicaNames } from './plan.ts'

const words = 'milk bread salt rice soap pear plum bean corn leek kale mint sage dill fig oats'.split(' ')

const nothing: UploadStep = {
  kind: 'upload',
  from: 'last',
  creates: [],
  changes: [],
  deletes: [],
  tags: [],
  form: 'array',
}

const writes = ['create', 'createMany', 'change', 'changeDeleted', 'delete', 'everything', 'setTag'] as const

/** What the planned steps have led to so far, on a server that keeps the rules. */
interface Foresight {
  readonly versions: Map<string, Version>
  readonly living: Set<string>
  readonly seen: Map<ReplicaName, Set<string>>
  tagVersions: number
}

/**
 * Makes a history: every replica starts with a full listing and hears of the first few things, then come rounds of random actions, and in the end, in quiet,
 * every replica lists from its newest and its oldest position and one looks at everything.
 */
export const makePlan = (mix: Mix, choices: Choices): Plan => {
  const replicas = replicaNames.slice(0, choices.between(...mix.replicas))
  const world: Foresight = { versions: new Map(), living: new Set(), seen: new Map(), tagVersions: 0 }
  const seenBy = (who: ReplicaName): string[] => [...(world.seen.get(who) ?? [])]
  const see = (who: ReplicaName): unknown => world.seen.set(who, new Set([...seenBy(who), ...world.living]))

  const create = (): Version => {
    const count = world.versions.size
    const word = words[count % words.length] ?? 'thing'
    const thing = count < words.length ? word : `${word}${Math.floor(count / words.length) + 1}`
    const version = { thing, number: 1, rich: choices.chance(0.5), archived: choices.chance(0.2) }
    world.versions.set(thing, version)
    world.living.add(thing)
    return version
  }
  const change = (thing: string): Version => {
    const old = world.versions.get(thing)
    const version = {
      thing,
      number: (old?.number ?? 0) + 1,
      rich: old?.rich ?? false,
      archived: choices.chance(0.2),
    }
    world.versions.set(thing, version)
    return version
  }
  const remove = (thing: string): string => {
    world.living.delete(thing)
    return thing
  }
  const createSeveral = (count: number): Version[] => Array.from({ length: count }, create)
  const form = (): UploadStep['form'] => choices.pick(['array', 'repeated'])

  // Only a thing that surely lives may share a request with others: a refused request may be refused as a whole.
  const makeUpload = (who: ReplicaName, action: (typeof writes)[number]): UploadStep => {
    const living = seenBy(who).filter((thing) => world.living.has(thing))
    const gone = seenBy(who).filter((thing) => !world.living.has(thing))
    if (action === 'changeDeleted' && gone.length > 0) return { ...nothing, changes: [change(choices.pick(gone))] }
    if (action === 'setTag') {
      world.tagVersions += 1
      return { ...nothing, tags: [{ tag: choices.pick(['red', 'blue']), number: world.tagVersions }] }
    }
    if (action === 'change' && living.length > 0) return { ...nothing, changes: [change(choices.pick(living))] }
    if (action === 'delete' && living.length > 0) return { ...nothing, deletes: [remove(choices.pick(living))] }
    if (action === 'everything' && living.length > 1) {
      const first = choices.pick(living)
      const second = choices.pick(living.filter((thing) => thing !== first))
      return { ...nothing, creates: [create()], changes: [change(first)], deletes: [remove(second)], form: form() }
    }
    const from = choices.chance(0.1) ? 'start' : 'last'
    return {
      ...nothing,
      from,
      creates: createSeveral(action === 'createMany' ? choices.between(2, 4) : 1),
      form: form(),
    }
  }

  const makePages = (who: ReplicaName): PagesStep => {
    const others = replicas.filter((name) => name !== who)
    const meanwhile = Array.from({ length: choices.between(2, 4) }, () => {
      const other = choices.pick(others)
      return {
        who: other,
        step: makeUpload(other, choices.pick(['change', 'change', 'change', 'delete', 'delete', 'create'])),
      }
    })
    const keep = mix.keep === 'either' ? choices.pick(['first', 'last'] as const) : mix.keep
    const from = choices.chance(0.3) ? 'start' : choices.between(3, 20)
    return { kind: 'pages', from, size: choices.between(1, 2), keep, meanwhile }
  }

  const makeStep = (who: ReplicaName, action: Action): Step => {
    const isWrite = (name: Action): name is (typeof writes)[number] => writes.some((write) => write === name)
    const step = ((): Step => {
      if (isWrite(action)) return makeUpload(who, action)
      if (action === 'pages') return makePages(who)
      if (action === 'refresh') return { kind: 'refresh' }
      const from = action === 'listStart' ? 'start' : action === 'listLast' ? 'last' : choices.between(1, 6)
      return { kind: 'list', from }
    })()
    if (step.kind !== 'refresh') see(who)
    return step
  }

  const steps: PlannedStep[] = []
  let round = 0
  const add = (who: ReplicaName, step: Step): unknown => steps.push({ round, who, step })
  const { pages: _, refresh: __, everything: ___, ...weightsTogether } = mix.weights

  const addTogether = (): void => {
    // Who reads again and again meets the positions that are given while others' writes are under way.
    const readers = choices.between(1, Math.max(1, replicas.length - 2))
    for (const [index, who] of replicas.entries()) {
      const reads = index >= replicas.length - readers
      const count = reads ? choices.between(2, 5) : choices.between(1, 3)
      for (let i = 0; i < count; i += 1) {
        add(who, reads ? { kind: 'list', from: 'last' } : makeStep(who, choices.weigh(weightsTogether)))
      }
    }
  }

  const [first = 'phone', ...others] = replicas
  for (const who of replicas) add(who, { kind: 'list', from: 'start' })
  round += 1
  add(first, { ...nothing, creates: createSeveral(choices.between(3, 5)) })
  see(first)
  round += 1
  for (const who of others) add(who, { kind: 'list', from: 'last' })
  others.forEach(see)
  for (let left = choices.between(...mix.rounds); left > 0; left -= 1) {
    round += 1
    const who = choices.pick(replicas)
    if (choices.chance(mix.together)) addTogether()
    else add(who, makeStep(who, choices.weigh(mix.weights)))
  }
  for (const step of [
    { kind: 'list', from: 'last' },
    { kind: 'list', from: 1000 },
  ] as const) {
    for (const who of replicas) {
      round += 1
      add(who, step)
    }
  }
  return [...steps, ...closing(first, round)]
}

const closing = (who: ReplicaName, round: number): Plan => [
  { round: round + 1, who, step: { kind: 'list', from: 'last' } },
  { round: round + 2, who, step: { kind: 'list', from: 'last' } },
  { round: round + 3, who, step: { kind: 'list', from: 'last' } },
  { round: round + 4, who, step: { kind: 'list', from: 'fresh' } },
]

import type { Choices } from './choices.ts'
import { createForesight, emptyUpload, isWrite } from './foresight.ts'
import type { Action, Mix } from './mix.ts'
import { type PagesStep, type Plan, type PlannedStep, type ReplicaName, replicaNames, type Step } from './plan.ts'

/**
 * Makes a history: every replica starts with a full listing and hears of the first few things; then come rounds of random
 * actions; in the end, in quiet, every replica lists from its newest and its oldest position and one looks at everything.
 */
export const makePlan = (mix: Mix, choices: Choices): Plan => {
  const replicas = replicaNames.slice(0, choices.between(...mix.replicas))
  const { see, createSeveral, makeUpload } = createForesight(choices)

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
  // A refused request may be refused as a whole, so that what races is one thing at a time; pages and refreshes do not race.
  const weightsTogether = { ...mix.weights, pages: 0, refresh: 0, everything: 0 }

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
  add(first, { ...emptyUpload, creates: createSeveral(choices.between(3, 5)) })
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

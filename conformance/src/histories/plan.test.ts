import { expect, test } from 'vitest'
import { createRandom } from '../lab.ts'
import {
  createChoices,
  createPlan,
  deletionMix,
  everydayMix,
  isRacing,
  type Mix,
  type Plan,
  pagesMix,
  replicasOf,
  togetherMix,
} from './plan.ts'

const choicesOf = (seed: string) => createChoices(createRandom(seed))

test('the same seed gives the same choices, and another seed gives others', () => {
  const draw = (seed: string) => {
    const choices = choicesOf(seed)
    return Array.from({ length: 50 }, () => choices.between(1, 1000))
  }

  expect(draw('7')).toEqual(draw('7'))
  expect(draw('7')).not.toEqual(draw('8'))
})

test('a name is chosen in proportion to its weight, and never without weight', () => {
  const choices = choicesOf('weights')
  const drawn = Array.from({ length: 4000 }, () => choices.weigh({ often: 3, seldom: 1, never: 0 }))

  expect(drawn.filter((name) => name === 'often').length / drawn.length).toBeCloseTo(0.75, 1)
  expect(drawn).not.toContain('never')
})

test('a choice reaches both ends of a range, and nothing beyond', () => {
  const choices = choicesOf('range')

  expect(new Set(Array.from({ length: 200 }, () => choices.between(2, 4)))).toEqual(new Set([2, 3, 4]))
})

const mixes: readonly Mix[] = [everydayMix, togetherMix, deletionMix, pagesMix('either')]
const planOf = (mix: Mix, seed: string): Plan => createPlan(mix, createChoices(createRandom(seed)))
const manyPlans = mixes.flatMap((mix) => Array.from({ length: 50 }, (_, seed) => planOf(mix, `${seed}`)))

test('the same seed gives the same history', () => {
  expect(planOf(everydayMix, '42')).toEqual(planOf(everydayMix, '42'))
  expect(planOf(everydayMix, '42')).not.toEqual(planOf(everydayMix, '43'))
})

test('every history has two to four replicas and ends with a full sync', () => {
  for (const plan of manyPlans) {
    expect(replicasOf(plan).length).toBeGreaterThanOrEqual(2)
    expect(replicasOf(plan).length).toBeLessThanOrEqual(4)
    expect(plan.at(-1)?.step).toEqual({ kind: 'list', from: 'fresh' })
  }
})

test('only histories that are meant to race do', () => {
  const racing = (mix: Mix) => Array.from({ length: 20 }, (_, seed) => isRacing(planOf(mix, `${seed}`)))

  expect(racing(everydayMix)).not.toContain(true)
  expect(racing(pagesMix('first'))).not.toContain(true)
  expect(racing(togetherMix)).toContain(true)
})

test('a change that may be rejected because its thing is gone is alone in its request', () => {
  for (const plan of manyPlans) {
    const deleted = new Set<string>()
    for (const { step } of plan) {
      if (step.kind !== 'upload') continue
      const size = step.creates.length + step.changes.length + step.deletes.length + step.tags.length
      const touchesGone = step.changes.some(({ thing }) => deleted.has(thing))
      expect(touchesGone && size > 1).toBe(false)
      for (const thing of step.deletes) deleted.add(thing)
    }
  }
})

test('every version of a thing has its own number, and a thing with a URL always has one', () => {
  for (const plan of manyPlans) {
    const uploads = plan.flatMap(({ step }) => {
      if (step.kind === 'upload') return [step]
      return step.kind === 'pages' ? step.meanwhile.map((each) => each.step) : []
    })
    const versions = uploads.flatMap(({ creates, changes }) => [...creates, ...changes])
    const keys = versions.map(({ thing, number }) => `${thing} ${number}`)
    const kinds = new Set(versions.map(({ thing, rich }) => `${thing} ${rich}`))
    expect(keys.length).toBe(new Set(keys).size)
    expect(kinds.size).toBe(new Set(versions.map(({ thing }) => thing)).size)
  }
})

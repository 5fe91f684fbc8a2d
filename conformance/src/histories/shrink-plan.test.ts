import { expect, test } from 'vitest'
import { createRandom } from '../lab.ts'
import {
  createChoices,
  createPlan,
  emptyUpload,
  everydayMix,
  isRacing,
  type Plan,
  replicasOf,
  togetherMix,
} from './plan.ts'
import { shrinkPlan } from './shrink-plan.ts'

const never = () => false
const longPlan = (mix: typeof everydayMix) => createPlan(mix, createChoices(createRandom('shrink')))
const creates = (plan: Plan, thing: string): boolean =>
  plan.some(({ step }) => step.kind === 'upload' && step.creates.some((version) => version.thing === thing))

test('a history shrinks to the steps that matter, one replica and plain values', async () => {
  const needsTwo = async (plan: Plan) => creates(plan, 'milk') && plan.some(({ step }) => step.kind === 'refresh')
  const upload = { ...emptyUpload, form: 'repeated' as const }
  const version = (thing: string) => ({ thing, number: 1, rich: true, archived: true })
  const plan: Plan = [
    ...longPlan(everydayMix).map((planned) => ({ ...planned, round: planned.round - 100 })),
    { round: 1, who: 'laptop', step: { ...upload, creates: [version('oats'), version('milk'), version('figs')] } },
    { round: 2, who: 'tablet', step: { kind: 'refresh' } },
  ]

  const smallest = await shrinkPlan(plan, needsTwo, never)

  const milk = { thing: 'milk', number: 1, rich: false, archived: false }
  expect(replicasOf(smallest)).toHaveLength(1)
  expect(smallest.map(({ step }) => step)).toEqual([{ ...emptyUpload, creates: [milk] }, { kind: 'refresh' }])
})

test('a failure that needs no concurrency shrinks to a plan without a race', async () => {
  const plan = longPlan(togetherMix)
  expect(isRacing(plan)).toBe(true)

  const smallest = await shrinkPlan(plan, async (candidate) => replicasOf(candidate).length > 1, never)

  expect(smallest).toHaveLength(2)
  expect(isRacing(smallest)).toBe(false)
})

test('shrinking ends after its time, with a history that still fails', async () => {
  const plan = longPlan(everydayMix)
  let plays = 0
  const fails = async (candidate: Plan) => {
    plays += 1
    return candidate.length > 10
  }

  const smallest = await shrinkPlan(plan, fails, () => plays >= 3)

  expect(plays).toBe(3)
  expect(smallest.length).toBeGreaterThan(10)
})

import { expect, test } from 'vitest'
import { createRandom } from '../random.ts'
import { createChoices } from './choices.ts'

const choicesOf = (seed: string) => createChoices(createRandom(seed))

test('the same seed makes the same choices, another seed others', () => {
  const draw = (seed: string) => {
    const choices = choicesOf(seed)
    return Array.from({ length: 50 }, () => choices.between(1, 1000))
  }

  expect(draw('7')).toEqual(draw('7'))
  expect(draw('7')).not.toEqual(draw('8'))
})

test('a name is chosen as often as its weight says, and never without weight', () => {
  const choices = choicesOf('weights')
  const drawn = Array.from({ length: 4000 }, () => choices.weigh({ often: 3, seldom: 1, never: 0 }))

  expect(drawn.filter((name) => name === 'often').length / drawn.length).toBeCloseTo(0.75, 1)
  expect(drawn).not.toContain('never')
})

test('both ends of a range are reached, and nothing beyond', () => {
  const choices = choicesOf('range')

  expect(new Set(Array.from({ length: 200 }, () => choices.between(2, 4)))).toEqual(new Set([2, 3, 4]))
})

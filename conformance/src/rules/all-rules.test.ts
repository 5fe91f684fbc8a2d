import { expect, test } from 'vitest'
import { allRules } from './all-rules.ts'

test('an id that was published stays, and means what it meant', async () => {
  const list = allRules.map(({ id, title }) => `${id} ${title}`).join('\n')

  await expect(`${list}\n`).toMatchFileSnapshot('published-rules.txt')
})

import { expect, test } from 'vitest'
import type { OpenStore } from './contract-case.ts'
import { contractCases } from './store-contract.ts'
import { wrongStores } from './wrong-stores.ts'

const listBrokenSentences = async (open: OpenStore): Promise<readonly string[]> => {
  const broken: string[] = []
  for (const { name, run, needsReopen } of contractCases) {
    if (needsReopen) continue
    const opened = await open()
    try {
      await run(opened)
    } catch {
      // Whatever a wrong store makes a sentence throw, it is found out.
      broken.push(name)
    } finally {
      await opened.close()
    }
  }
  return broken
}

for (const { fault, open, foundBy } of wrongStores)
  test(`a store that ${fault} is found out`, async () => {
    expect(await listBrokenSentences(open)).toContain(foundBy)
  })

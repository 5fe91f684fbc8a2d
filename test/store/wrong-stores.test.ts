import { expect, test } from 'vitest'
import type { OpenStore } from './contract-case.ts'
import { contractCases } from './store-contract.ts'
import { wrongStores } from './wrong-stores.ts'

const isBroken = async (sentence: string, open: OpenStore): Promise<boolean> => {
  const found = contractCases.find(({ name }) => name === sentence)
  if (found === undefined) throw new Error(`there is no sentence "${sentence}"`)
  const opened = await open()
  try {
    await found.run(opened)
    return false
  } catch {
    // Whatever a wrong store makes a sentence throw, it is found out.
    return true
  } finally {
    await opened.close()
  }
}

for (const { fault, open, foundBy } of wrongStores)
  test(`a store that ${fault} is found out`, async () => {
    expect(await isBroken(foundBy, open)).toBe(true)
  })

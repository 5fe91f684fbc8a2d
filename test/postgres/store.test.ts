import { afterAll } from 'vitest'
import { storeContract } from '../store/store-contract.ts'
import { createOpener } from './open-contract-store.ts'

const { open, close } = createOpener()
afterAll(close)

storeContract('PostgreSQL', open, { survivesRestart: true })

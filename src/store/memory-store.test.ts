import { openContractMemoryStore } from './contract/open-stores.ts'
import { storeContract } from './contract/store-contract.ts'

storeContract('memory store', openContractMemoryStore, { survivesRestart: false })

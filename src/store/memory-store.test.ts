import { openContractMemoryStore } from '../../test/store/open-stores.ts'
import { storeContract } from '../../test/store/store-contract.ts'

storeContract('memory store', openContractMemoryStore, { survivesRestart: false })

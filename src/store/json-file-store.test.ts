import { openContractJsonFileStore } from './contract/open-stores.ts'
import { storeContract } from './contract/store-contract.ts'

storeContract('JSON-file store', openContractJsonFileStore, { survivesRestart: true })

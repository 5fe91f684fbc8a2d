import { openContractJsonFileStore, openContractSavingStore } from './contract/open-stores.ts'
import { storeContract } from './contract/store-contract.ts'

storeContract('JSON-file store', openContractJsonFileStore, { survivesRestart: true })
storeContract('JSON-file store that saves its accounts all the time', openContractSavingStore, {
  survivesRestart: true,
})

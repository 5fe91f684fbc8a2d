import { openContractJsonFileStore, openContractSavingStore } from '../../test/store/open-stores.ts'
import { storeContract } from '../../test/store/store-contract.ts'

storeContract('JSON-file store', openContractJsonFileStore, { survivesRestart: true })
storeContract('JSON-file store that saves its accounts all the time', openContractSavingStore, {
  survivesRestart: true,
})

Object.defineProperty(exports, '__esModule', { value: true })
exports.beginWebSignIn =
  exports.versionsPerThing =
  exports.versionDays =
  exports.createMemoryTokenStorage =
  exports.openReplicaReader =
  exports.createReplica =
  exports.createLocalId =
  exports.watchBrowserNetwork =
  exports.createMemoryLocalStore =
  exports.createClient =
  exports.isClientError =
  exports.ClientError =
    void 0
var client_error_ts_1 = require('./client-error.ts')
Object.defineProperty(exports, 'ClientError', { enumerable: true, get: () => client_error_ts_1.ClientError })
Object.defineProperty(exports, 'isClientError', { enumerable: true, get: () => client_error_ts_1.isClientError })
var create_client_ts_1 = require('./create-client.ts')
Object.defineProperty(exports, 'createClient', { enumerable: true, get: () => create_client_ts_1.createClient })
var local_store_ts_1 = require('./local-store.ts')
Object.defineProperty(exports, 'createMemoryLocalStore', {
  enumerable: true,
  get: () => local_store_ts_1.createMemoryLocalStore,
})
var network_ts_1 = require('./network.ts')
Object.defineProperty(exports, 'watchBrowserNetwork', { enumerable: true, get: () => network_ts_1.watchBrowserNetwork })
var random_id_ts_1 = require('./random-id.ts')
Object.defineProperty(exports, 'createLocalId', { enumerable: true, get: () => random_id_ts_1.createRandomId })
var replica_ts_1 = require('./replica.ts')
Object.defineProperty(exports, 'createReplica', { enumerable: true, get: () => replica_ts_1.createReplica })
var replica_reader_ts_1 = require('./replica-reader.ts')
Object.defineProperty(exports, 'openReplicaReader', {
  enumerable: true,
  get: () => replica_reader_ts_1.openReplicaReader,
})
var tokens_ts_1 = require('./tokens.ts')
Object.defineProperty(exports, 'createMemoryTokenStorage', {
  enumerable: true,
  get: () => tokens_ts_1.createMemoryTokenStorage,
})
var versions_ts_1 = require('./versions.ts')
Object.defineProperty(exports, 'versionDays', { enumerable: true, get: () => versions_ts_1.versionDays })
Object.defineProperty(exports, 'versionsPerThing', { enumerable: true, get: () => versions_ts_1.versionsPerThing })
var web_sign_in_ts_1 = require('./web-sign-in.ts')
Object.defineProperty(exports, 'beginWebSignIn', { enumerable: true, get: () => web_sign_in_ts_1.beginWebSignIn })

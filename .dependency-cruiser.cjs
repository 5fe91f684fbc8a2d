/** Import directions of contributing/architecture.md: arrows point right only. */
const only = (name, from, to, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: '\\.test\\.ts$' },
  to: { pathNot: to, dependencyTypesNot: ['npm', 'npm-dev', 'core'] },
})

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        path: '^src/',
        pathNot: ['\\.test\\.ts$', '^src/index\\.ts$', '^src/pages/script/'],
      },
      to: {},
    },
    {
      name: 'resolvable',
      comment: 'The package itself is there only once it is built.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^thingsync(-client)?/?' },
    },
    {
      name: 'no-test-code-in-the-product',
      severity: 'error',
      from: { path: '^(src|client|extension|web)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: ['\\.test\\.ts$', 'node_modules/vitest', 'node_modules/fast-check', '^test/'],
      },
    },
    {
      name: 'commands-are-the-top',
      comment: 'Commands use everything; nothing uses them, the running server neither.',
      severity: 'error',
      from: { path: '^(src/(?!cli/)|client/|extension/|web/)', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/cli/' },
    },
    only(
      'store-knows-no-rules',
      '^src/store/',
      '^(generated/thing-fields\\.ts|src/(store/|(thing-table|environment|api-error|scheduling)\\.ts))',
      'A store keeps things; it does not know the rules.',
    ),
    only(
      'records-know-no-files',
      '^src/store/record/',
      '^(generated/thing-fields\\.ts|src/(store/(record/|registry/|(store|model)\\.ts)|(scheduling|thing-table)\\.ts))',
      'The formats of lines and files do not depend on the folder, the memory or the tools.',
    ),
    only(
      'wire-knows-no-things',
      '^src/wire/',
      '^src/(wire/|api-error\\.ts|scheduling\\.ts)',
      'The wire layer decodes and renders; nothing else.',
    ),
    only(
      'rules-are-pure',
      '^src/things/',
      '^src/(things/|thing-table\\.ts|store/(store|model|registry/registry)\\.ts|parse-url\\.ts|api-error\\.ts|environment\\.ts)',
      'Rules know no HTTP and no files.',
    ),
    only(
      'accounts-know-no-http',
      '^src/accounts/',
      '^src/(accounts/|oauth/|store/(store|model|registry/registry|registry/fold-name)\\.ts|parse-url\\.ts|api-error\\.ts|scheduling\\.ts|environment\\.ts)',
      'Accounts know no HTTP.',
    ),
    only(
      'delivery-knows-no-http',
      '^src/delivery/',
      '^src/(delivery/|outbound/|store/(store|model|registry/registry)\\.ts|parse-url\\.ts|api-error\\.ts|scheduling\\.ts|environment\\.ts)',
      'The dispatcher knows neither the rules nor the server; src/runtime/start-delivery.ts connects it to both.',
    ),
    only(
      'deliveries-are-checked-alone',
      '^src/outbound/',
      '^src/(outbound/|parse-url\\.ts)',
      'The address guard and the HTTP client of deliveries know no rules, no store and no HTTP server of ours.',
    ),
    only(
      'previews-store-nothing',
      '^src/preview/',
      '^src/(preview/|outbound/(address-guard|read-page)\\.ts|(parse-url|api-error|scheduling)\\.ts)',
      'A link preview reads a page and parses it; it knows no store and no HTTP server of ours.',
    ),
    only(
      'live-knows-no-http',
      '^src/live/',
      '^src/(live/|accounts/sessions\\.ts|store/(store|model|registry/registry)\\.ts|wire/event-stream\\.ts|api-error\\.ts|environment\\.ts)',
      'Listeners get positions; how a response is sent is not known here.',
    ),
    only(
      'assistants-use-a-client',
      '^src/mcp/',
      '^(src/(mcp/|transfer/|folder/|store/disk/files\\.ts|runtime/command-errors\\.ts|accounts/names\\.ts|parse-url\\.ts|scheduling\\.ts|environment\\.ts)|client/src/|generated/)',
      'The server for assistants is a client like any other: it knows no store, no rules and no HTTP server.',
    ),
    {
      name: 'the-protocol-of-assistants-in-one-folder',
      severity: 'error',
      from: { pathNot: '^(src/mcp/|test/|scripts/measure-mcp\\.ts$)' },
      to: { path: 'node_modules/(@modelcontextprotocol|zod)/' },
    },
    only(
      'oauth-is-pure',
      '^src/oauth/',
      '^src/oauth/',
      'The rules of the authorization code flow get all data as arguments.',
    ),
    only(
      'operations-know-no-http',
      '^src/operations/',
      '^(src/(operations/|things/|live/(live|listeners)\\.ts|delivery/(webhooks|devices|webhook-message|subscriptions|deliver-push)\\.ts|preview/link-previews\\.ts|accounts/|store/(store|model|registry/registry)\\.ts|wire/(render-json|credentials|send)\\.ts|api-error\\.ts|environment\\.ts|api/handlers\\.ts)|generated/)',
      'An operation is a few lines between the document and the rules.',
    ),
    only(
      'pages-know-what-commands-know',
      '^src/pages/',
      '^(src/(pages/|accounts/|oauth/|provider/openid-provider\\.ts|delivery/(webhooks|devices|webhook-message|subscriptions)\\.ts|operations/things\\.ts|store/(store|model|registry/registry)\\.ts|wire/form\\.ts|api-error\\.ts|seal\\.ts|environment\\.ts)|generated/reference\\.ts)',
      'Pages know no HTTP server and no files of the store; they use the accounts as the commands do.',
    ),
    only(
      'api-knows-no-rules',
      '^src/api/',
      '^(src/(api/|accounts/sessions\\.ts|store/(store|model|registry/registry)\\.ts|wire/|api-error\\.ts|scheduling\\.ts|environment\\.ts)|generated/)',
      'The API calls handlers; it does not know what they do.',
    ),
    {
      name: 'the-client-runs-anywhere',
      comment: 'The client runs in browsers too: it imports itself, the types, and openapi-fetch.',
      severity: 'error',
      from: { path: '^client/src/', pathNot: ['\\.test\\.ts$', '^client/src/indexeddb'] },
      to: {
        path: '.',
        pathNot: ['^client/src/(?!indexeddb)', '^generated/(types|thing-fields)\\.ts$', 'node_modules/openapi-fetch/'],
      },
    },
    {
      name: 'transfer-runs-anywhere',
      comment: 'Formats are read and written in browsers too; of the client they use only the JSON splitter.',
      severity: 'error',
      from: { path: '^src/transfer/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '.',
        pathNot: [
          '^src/(transfer/|thing-table\\.ts)',
          '^generated/thing-fields\\.ts$',
          '^client/src/(json-stream|client-error)\\.ts$',
          'node_modules/(htmlparser2|marked|yaml)/',
        ],
      },
    },
    {
      name: 'indexeddb-is-an-entry-of-its-own',
      comment: 'Programs that store nothing in a browser load neither idb nor the modules that use it.',
      severity: 'error',
      from: { path: '^client/src/indexeddb', pathNot: '\\.test\\.ts$' },
      to: { path: '.', pathNot: ['^client/src/', '^generated/(types|thing-fields)\\.ts$', 'node_modules/idb/'] },
    },
    {
      name: 'the-web-app-knows-the-client',
      comment:
        'What the web app needs, client teams need: it is a client like any other, that knows the formats of files.',
      severity: 'error',
      from: { path: '^web/', pathNot: '\\.test\\.ts$' },
      to: {
        pathNot: ['^web/', '^client/src/(index|indexeddb)\\.ts$', '^src/(transfer|pages/style)/'],
        dependencyTypesNot: ['npm', 'npm-dev', 'core'],
      },
    },
    {
      name: 'the-extension-knows-the-client',
      comment:
        'The extension is a client like any other. It reads URLs and tags as the web app does, and looks like the pages.',
      severity: 'error',
      from: { path: '^extension/src/', pathNot: '\\.test\\.ts$' },
      to: {
        pathNot: [
          '^extension/',
          '^client/src/(index|indexeddb)\\.ts$',
          '^web/parts/icon\\.tsx$',
          '^web/data/(urls|tags|edit-form|item-parts)\\.ts$',
          '^src/transfer/note-html\\.ts$',
        ],
        dependencyTypesNot: ['npm', 'npm-dev', 'core'],
      },
    },
    {
      name: 'the-popup-opens-quickly',
      comment: 'The replica is only in the background, so that the popup loads little.',
      severity: 'error',
      from: { path: '^extension/src/(popup|item-index|capture|platform|words)\\.tsx?$' },
      to: { path: ['^extension/src/(account|background|setup)', '^client/src/'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'web-data-draws-nothing',
      comment: 'The state of the app is tested without a browser.',
      severity: 'error',
      from: { path: '^web/data/', pathNot: '\\.test\\.ts$' },
      to: { path: ['^web/(parts|screens|style)/', 'node_modules/preact/'] },
    },
    {
      name: 'pure-rules-use-no-node',
      severity: 'error',
      from: { path: '^src/things/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core', 'npm'] },
    },
    {
      name: 'koa-in-one-file',
      severity: 'error',
      from: {
        pathNot:
          '^(src/http/(app|response-events\\.test)\\.ts$|bench/(baselines\\.ts|comparison/minimal-server\\.mjs)$)',
      },
      to: { path: 'node_modules/(koa|@koa)/' },
    },
    {
      name: 'validators-are-generated',
      comment: 'npm run generate compiles the validators; a start loads no compiler of schemas.',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: 'node_modules/(ajv|openapi-backend)/' },
    },
    {
      name: 'lowdb-in-one-file',
      severity: 'error',
      from: { pathNot: '^src/store/disk/files\\.ts$' },
      to: { path: 'node_modules/lowdb' },
    },
    {
      name: 'pg-in-one-file',
      severity: 'error',
      from: { pathNot: '^(src/store/postgres/driver\\.ts$|bench/(baselines\\.ts$|postgres/))' },
      to: { path: 'node_modules/(@types/)?pg/' },
    },
    {
      name: 'the-suite-stands-alone',
      comment: 'The conformance suite imports node: and itself, so that it tests from outside and installs alone.',
      severity: 'error',
      from: {
        path: '^conformance/(src|selftest)/',
        // legal-share.ts holds the tests of two test files.
        pathNot: ['\\.(self)?test\\.ts$', '^conformance/selftest/(mutate-rules|legal-share)\\.ts$'],
      },
      to: { pathNot: '^conformance/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'a-tool-reads-the-rules',
      comment: 'The mutation run over the rules parses them; it is never published.',
      severity: 'error',
      from: { path: '^conformance/selftest/mutate-rules\\.ts$' },
      to: { pathNot: '^(conformance/|node_modules/typescript/)', dependencyTypesNot: ['core'] },
    },
    {
      name: 'the-bench-measures-from-outside',
      comment: 'The measured server can be replaced: the bench knows only the package, the command line and HTTP.',
      severity: 'error',
      from: { path: '^bench/' },
      to: { path: '^(src|conformance|scripts)/', pathNot: '^src/index\\.ts$' },
    },
    {
      name: 'nothing-knows-the-bench',
      severity: 'error',
      from: { path: '^(src|conformance|scripts)/' },
      to: { path: '^bench/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Not every dist/: the code of many packages is in one.
    exclude: { path: '^(dist|client/dist|conformance/dist|extension/dist|web/dist)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.cjs'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}

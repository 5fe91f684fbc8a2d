import { findToolFolder } from '../outside-tools/install-tools.ts'
import { generatorCommand, generatorVersion } from '../sdk/make-sdks.ts'
import { type Toolchain, toolchains } from '../sdk-test/tours.ts'

/** A command with its arguments, which runs in the work folder of a row. */
export type Command = readonly string[]

/** The two documents of the contract: the SDK profile, and the wire as it is. */
export type DocumentKind = 'sdk' | 'wire'

/** One generator of the matrix, and how to run a first script with its client. */
export type Row = {
  /** The name that `--only` takes, and the folder below `sdk/first-scripts/` that is copied into the work folder. */
  name: string
  /** The generator under its common name. */
  generator: string
  version: string
  language: string
  /** Programs that generation needs, each with the package to install. */
  generateNeeds?: Toolchain['needs']
  /** Commands that generate the client from the document at the path, into `client`. */
  generate: (document: string) => readonly Command[]
  /** Programs that the compilation and the script need. */
  needs: Toolchain['needs']
  /** Commands that compile. */
  build: readonly Command[]
  /** The command that runs the first script; absent without a script. */
  run?: Command
  /** Names in the work folder that stay for the next run, such as installed packages. */
  keep?: readonly string[]
  /**
   * The replacements that adapt the first script to the wire document, where a schema is a union or an operation has
   * other tags: texts of the script, and their replacements.
   */
  onWire?: { script: string; spelled: Readonly<Record<string, string>> }
  /** Known failures: a pattern in the output of the tools, and the reason in one line. */
  reasons?: readonly { printed: RegExp; because: string }[]
}

const quiet = ['--no-audit', '--no-fund']

/** Installs the packages that the row's `package.json` pins, without install scripts. */
const installPackages: Command = ['npm', 'install', ...quiet, '--ignore-scripts']

/**
 * Installs the packages of a generator that needs a newer Node than ours. The package `node`, which the row pins,
 * installs it by an install script, and later commands of the row find it first.
 */
const installPackagesAndNode: Command = ['npm', 'install', ...quiet, '--engine-strict=false']

/** The commands that check and run a first script in TypeScript. */
const nodeProject = {
  language: 'TypeScript',
  needs: toolchains.typescript?.needs ?? [],
  build: [installPackages, ['tsc', '-p', '.']],
  run: ['tsx', 'first-script.ts'],
  keep: ['node_modules', 'package-lock.json'],
} satisfies Partial<Row>

const venvPython = '.venv/bin/python'

/** Installs packages into a virtual environment in the work folder, at the versions that `constraints.txt` pins. */
const installPython = (...packages: readonly string[]): readonly Command[] => [
  ['python3', '-m', 'venv', '.venv'],
  [venvPython, '-m', 'pip', 'install', '--quiet', '--constraint', 'constraints.txt', ...packages],
]

/** The commands that run a first script in Python with the generated package in `client`. */
const pythonProject = {
  language: 'Python',
  needs: toolchains.python?.needs ?? [],
  build: installPython('./client'),
  run: [venvPython, 'first_script.py'],
  keep: ['.venv'],
} satisfies Partial<Row>

/** The programs that openapi-generator itself needs. */
const javaToGenerate = [{ program: 'java', version: ['-version'], install: 'apt-get install openjdk-17-jdk-headless' }]

// skipFormModel=false: a body that may be a form imports its schema, which some languages do not generate otherwise.
const parts = ['apiDocs=false', 'modelDocs=false', 'apiTests=false', 'modelTests=false', 'skipFormModel=false']

/**
 * Returns the command that generates with openapi-generator. The normalizer's SET_TAGS_FOR_ALL_OPERATIONS gives one API
 * class for all operations, so that one script fits both documents.
 */
const generateByOpenapiGenerator =
  (name: string, properties: Readonly<Record<string, string>> = {}) =>
  (document: string): readonly Command[] => [
    generatorCommand([
      'generate',
      ...['--input-spec', document, '--generator-name', name, '--output', 'client'],
      ...['--openapi-normalizer', 'SET_TAGS_FOR_ALL_OPERATIONS=thingsync'],
      ...['--global-property', parts.join(',')],
      ...Object.entries({ hideGenerationTimestamp: 'true', ...properties }).flatMap((pair) => [
        '--additional-properties',
        pair.join('='),
      ]),
    ]),
  ]

/** C# with System.Net.Http, by openapi-generator. There is no first script, because no machine with .NET ran it yet. */
const csharp: Row = {
  name: 'csharp',
  generator: 'openapi-generator csharp',
  version: generatorVersion,
  language: 'C#',
  generateNeeds: javaToGenerate,
  generate: generateByOpenapiGenerator('csharp'),
  needs: [
    { program: 'dotnet', version: ['--version'], install: '.NET SDK 8 or later, from its vendor: Debian has none' },
  ],
  build: [['dotnet', 'build', 'client', '--nologo']],
}

/** Dart, by openapi-generator. There is no first script, because no machine with Dart ran it yet. */
const dart: Row = {
  name: 'dart',
  generator: 'openapi-generator dart',
  version: generatorVersion,
  language: 'Dart',
  generateNeeds: javaToGenerate,
  generate: generateByOpenapiGenerator('dart'),
  needs: [{ program: 'dart', version: ['--version'], install: 'the Dart SDK, from its vendor: Debian has none' }],
  build: [['dart', 'pub', 'get', '--directory', 'client']],
}

/** Go, by openapi-generator. */
const go: Row = {
  name: 'go',
  generator: 'openapi-generator go',
  version: generatorVersion,
  language: 'Go',
  generateNeeds: javaToGenerate,
  generate: generateByOpenapiGenerator('go', { packageName: 'client', withGoMod: 'false' }),
  needs: toolchains.go?.needs ?? [],
  build: [['go', 'build', '-o', 'build/first-script', '.']],
  run: ['build/first-script'],
  onWire: {
    script: 'main.go',
    spelled: {
      'client.NewThingCreate("n1", "Buy milk 🥛")':
        'client.NewThingCreate(client.StringAsThingCreateLocalId(client.PtrString("n1")), "Buy milk 🥛")',
      '.Body(*': '.SyncRequest(*',
    },
  },
}

/** TypeScript for fetch, by Hey API. */
const heyApi: Row = {
  ...nodeProject,
  name: 'hey-api',
  generator: '@hey-api/openapi-ts',
  version: '0.99.0',
  generateNeeds: nodeProject.needs,
  generate: (document) => [installPackagesAndNode, ['openapi-ts', '--input', document, '--output', 'client']],
  build: [['tsc', '-p', '.']],
}

/** Java with OkHttp and Gson, by openapi-generator. */
const java: Row = {
  name: 'java',
  generator: 'openapi-generator java',
  version: generatorVersion,
  language: 'Java',
  generateNeeds: javaToGenerate,
  generate: generateByOpenapiGenerator('java'),
  needs: toolchains.java?.needs ?? [],
  build: [
    ['mvn', '--batch-mode', '--quiet', 'compile', 'dependency:copy-dependencies', '-DoutputDirectory=target/lib'],
  ],
  run: ['java', '-cp', 'target/classes:target/lib/*', 'FirstScript'],
  onWire: {
    script: 'script/FirstScript.java',
    spelled: {
      'localId("n1")': 'localId(new org.openapitools.client.model.ThingCreateLocalId("n1"))',
    },
  },
}

/** Kotlin with OkHttp and Moshi, by openapi-generator. Maven compiles it: it is available where Gradle is not. */
const kotlin: Row = {
  name: 'kotlin',
  generator: 'openapi-generator kotlin',
  version: generatorVersion,
  language: 'Kotlin',
  generateNeeds: javaToGenerate,
  generate: generateByOpenapiGenerator('kotlin'),
  needs: toolchains.java?.needs ?? [],
  build: [
    ['mvn', '--batch-mode', '--quiet', 'compile', 'dependency:copy-dependencies', '-DoutputDirectory=target/lib'],
  ],
  run: ['java', '-cp', 'target/classes:target/lib/*', 'FirstScriptKt'],
  reasons: [
    {
      printed: /actual type is 'String', but '(\w+\.)*ThingCreateLocalId' was expected/,
      because: 'local_id, text or a number, becomes a class without content',
    },
  ],
}

const needsOfOapiCodegen = toolchains.go?.needs ?? []

/** Go, by oapi-codegen, as a tool of the script's own module. */
const oapiCodegen: Row = {
  name: 'oapi-codegen',
  generator: 'oapi-codegen',
  version: '2.8.2',
  language: 'Go',
  generateNeeds: needsOfOapiCodegen,
  generate: (document) => [
    ['mkdir', '-p', 'client'],
    ['go', 'tool', 'oapi-codegen', '--config', 'oapi-codegen.yaml', document],
  ],
  needs: needsOfOapiCodegen,
  build: [['go', 'build', '-o', 'build/first-script', '.']],
  run: ['build/first-script'],
  onWire: {
    script: 'main.go',
    spelled: {
      'func main() {': `func textID(text string) (id client.ThingCreate_LocalId) {
	if err := id.FromThingCreateLocalId0(text); err != nil {
		log.Fatal(err)
	}
	return id
}

func main() {`,
      'LocalId: "n1"': 'LocalId: textID("n1")',
    },
  },
}

/** TypeScript for fetch, by oazapfts. */
const oazapfts: Row = {
  ...nodeProject,
  name: 'oazapfts',
  generator: 'oazapfts',
  version: '7.5.0',
  generateNeeds: nodeProject.needs,
  generate: (document) => [installPackages, ['mkdir', '-p', 'client'], ['oazapfts', document, 'client/api.ts']],
  build: [['tsc', '-p', '.']],
}

const needsOfOgen = toolchains.go?.needs ?? []

/** Go, by ogen, as a tool of the script's own module. */
const ogen: Row = {
  name: 'ogen',
  generator: 'ogen',
  version: '1.24.0',
  language: 'Go',
  generateNeeds: needsOfOgen,
  generate: (document) => [['go', 'tool', 'ogen', '--target', 'client', '--package', 'client', '--clean', document]],
  needs: needsOfOgen,
  build: [['go', 'build', '-o', 'build/first-script', '.']],
  run: ['build/first-script'],
  // From the wire document, responses are unions with errors, nullable fields have their own types, and the client
  // needs a method for each way to present the token.
  onWire: {
    script: 'main.go',
    spelled: {
      'example.org/first-script/client"\n':
        'example.org/first-script/client"\n\t"github.com/ogen-go/ogen/ogenerrors"\n',
      'func main() {': `func (s *session) HeaderToken(context.Context, client.OperationName) (client.HeaderToken, error) {
	return client.HeaderToken{}, ogenerrors.ErrSkipClientSecurity
}

func (s *session) OAuth(context.Context, client.OperationName) (client.OAuth, error) {
	return client.OAuth{}, ogenerrors.ErrSkipClientSecurity
}

func (s *session) QueryToken(context.Context, client.OperationName) (client.QueryToken, error) {
	return client.QueryToken{}, ogenerrors.ErrSkipClientSecurity
}

func expectType[T any](value any, err error) *T {
	known, isOne := must(value, err).(*T)
	if !isOne {
		log.Fatalf("unexpected response: %v", value)
	}
	return known
}

func main() {`,
      'must(api.GrantToken': 'expectType[client.TokenPairHeaders](api.GrantToken',
      'must(api.GetSync': 'expectType[client.SyncResponse](api.GetSync',
      'must(api.PostSync': 'expectType[client.SyncResponse](api.PostSync',
      'token.AccessToken': 'token.Response.AccessToken',
      'token.RequestToken': 'token.Response.RequestToken',
      'renewed.AccessToken': 'renewed.Response.AccessToken',
      'From: client.NewOptInt64(': 'From: client.NewOptNilInt64(',
      '[]client.ThingCreate{{LocalID: "n1", Title: "Buy milk 🥛"}}':
        'client.NewOptNilThingCreateArray([]client.ThingCreate{{LocalID: client.NewStringThingCreateLocalID("n1"), Title: "Buy milk 🥛"}})',
      '[]client.ThingUpdate{{ID: id, Title: "Buy oat milk"}}':
        'client.NewOptNilThingUpdateArray([]client.ThingUpdate{{ID: id, Title: "Buy oat milk"}})',
      'DeletedThing: []client.ID{id}': 'DeletedThing: client.NewOptNilIDArray([]client.ID{id})',
    },
  },
}

/** Python with httpx and attrs, by openapi-python-client. */
const openapiPythonClient: Row = {
  ...pythonProject,
  name: 'openapi-python-client',
  generator: 'openapi-python-client',
  version: '0.29.1',
  generateNeeds: pythonProject.needs,
  generate: (document) => [
    ...installPython('openapi-python-client'),
    ['.venv/bin/openapi-python-client', 'generate', '--path', document, '--output-path', 'client'],
  ],
  onWire: {
    script: 'first_script.py',
    spelled: {
      'from thing_synchronisation_client.api.thingsync import get_sync, grant_token, post_sync':
        'from thing_synchronisation_client.api.sync import get_sync, post_sync\nfrom thing_synchronisation_client.api.token import grant_token',
    },
  },
}

/** Types for TypeScript by openapi-typescript, used with its companion openapi-fetch. */
const openapiTypescript: Row = {
  ...nodeProject,
  name: 'openapi-typescript',
  generator: 'openapi-typescript',
  version: '7.13.0',
  generateNeeds: nodeProject.needs,
  generate: (document) => [installPackages, ['openapi-typescript', document, '--output', 'client/schema.d.ts']],
  build: [['tsc', '-p', '.']],
}

/** TypeScript with Zodios, axios and zod, by openapi-zod-client. */
const openapiZodClient: Row = {
  ...nodeProject,
  name: 'openapi-zod-client',
  generator: 'openapi-zod-client',
  version: '1.18.3',
  generateNeeds: nodeProject.needs,
  generate: (document) => [
    installPackages,
    ['mkdir', '-p', 'client'],
    ['openapi-zod-client', document, '--output', 'client/thingsync.ts', '--with-alias'],
  ],
  build: [['tsc', '-p', '.']],
}

/** TypeScript for fetch, by Orval. */
const orval: Row = {
  ...nodeProject,
  name: 'orval',
  generator: 'orval',
  version: '8.38.0',
  generateNeeds: nodeProject.needs,
  generate: (document) => [
    installPackagesAndNode,
    ['env', `DOCUMENT=${document}`, 'orval', '--config', 'orval.config.ts'],
  ],
  build: [['tsc', '-p', '.']],
}

/** PHP with Guzzle, by openapi-generator. */
const php: Row = {
  name: 'php',
  generator: 'openapi-generator php',
  version: generatorVersion,
  language: 'PHP',
  generateNeeds: javaToGenerate,
  generate: generateByOpenapiGenerator('php'),
  needs: toolchains.php?.needs ?? [],
  build: toolchains.php?.prepare ?? [],
  run: ['php', 'first-script.php'],
}

const version = '0.15.1'
const root = findToolFolder('cargo-progenitor', version)
const needsOfProgenitor = toolchains.rust?.needs ?? []

/** Rust with reqwest, by progenitor. There is no first script, because it generates from neither document. */
const progenitor: Row = {
  name: 'progenitor',
  generator: 'progenitor',
  version,
  language: 'Rust',
  generateNeeds: needsOfProgenitor,
  generate: (document) => [
    ['cargo', 'install', 'cargo-progenitor', '--version', version, '--locked', '--quiet', '--root', root],
    [
      ...[`${root}/bin/cargo-progenitor`, 'progenitor', '--input', document, '--output', 'client'],
      ...['--name', 'thingsync-client', '--version', '1.0.0'],
    ],
  ],
  needs: needsOfProgenitor,
  build: [['cargo', 'build', '--quiet', '--manifest-path', 'client/Cargo.toml']],
  reasons: [
    {
      printed: /assertion failed: response_types\.len\(\) <= 1/,
      because: 'it knows no operation that returns one type with 200 and another as `default`',
    },
    {
      printed: /more media types than expected/,
      because: 'it knows no body of two content types',
    },
  ],
}

/** Python with urllib3 and pydantic, by openapi-generator. */
const python: Row = {
  ...pythonProject,
  name: 'python',
  generator: 'openapi-generator python',
  version: generatorVersion,
  generateNeeds: javaToGenerate,
  generate: generateByOpenapiGenerator('python', { packageName: 'thingsync_client' }),
  onWire: {
    script: 'first_script.py',
    spelled: {
      'ThingCreate, ThingsyncApi': 'ThingCreate, ThingCreateLocalId, ThingsyncApi',
      'local_id="n1"': 'local_id=ThingCreateLocalId("n1")',
    },
  },
}

/** Ruby with Typhoeus, by openapi-generator. */
const ruby: Row = {
  name: 'ruby',
  generator: 'openapi-generator ruby',
  version: generatorVersion,
  language: 'Ruby',
  generateNeeds: javaToGenerate,
  generate: generateByOpenapiGenerator('ruby'),
  needs: [{ program: 'ruby', version: ['--version'], install: 'apt-get install ruby ruby-typhoeus' }],
  build: [['ruby', '-I', 'client/lib', '-e', 'require "openapi_client"']],
  run: ['ruby', '-I', 'client/lib', 'first_script.rb'],
  onWire: {
    script: 'first_script.rb',
    spelled: {
      // The client fills every way to present the token that an operation offers, and leaves unknown ways empty.
      'configuration.access_token = token': `configuration.access_token = token
  configuration.api_key = { 'Authorization' => "Bearer #{token}", 'access_token' => token }`,
      'api.post_sync(OpenapiClient::SyncRequest.new(': 'api.post_sync(sync_request: OpenapiClient::SyncRequest.new(',
      "local_id: 'n1'": "local_id: OpenapiClient::ThingCreateLocalId.build('n1')",
    },
  },
}

/** Rust with reqwest, by openapi-generator. */
const rust: Row = {
  name: 'rust',
  generator: 'openapi-generator rust',
  version: generatorVersion,
  language: 'Rust',
  generateNeeds: javaToGenerate,
  generate: generateByOpenapiGenerator('rust'),
  needs: toolchains.rust?.needs ?? [],
  build: [['cargo', 'build', '--quiet']],
  run: ['target/debug/first-script'],
  keep: ['target', 'Cargo.lock'],
  // From the wire document, a nullable field is an option of an option.
  onWire: {
    script: 'src/main.rs',
    spelled: {
      'use openapi::models::{SyncRequest, ThingCreate, ThingUpdate};':
        'use openapi::models::{SyncRequest, ThingCreate, ThingCreateLocalId, ThingUpdate};',
      'ThingCreate::new("n1".into(), "Buy milk 🥛".into())':
        'ThingCreate::new(ThingCreateLocalId::String("n1".into()), "Buy milk 🥛".into())',
      '.from = Some(0);': '.from = Some(Some(0));',
      '.from = Some(listing.pos);': '.from = Some(Some(listing.pos));',
      '.from = Some(changes.pos);': '.from = Some(Some(changes.pos));',
      '_thing = Some(vec![ThingCreate': '_thing = Some(Some(vec![ThingCreate',
      '_thing = Some(vec![ThingUpdate': '_thing = Some(Some(vec![ThingUpdate',
      '_thing = Some(vec![thing_id]);': '_thing = Some(Some(vec![thing_id]));',
      '"Buy milk 🥛".into())]);': '"Buy milk 🥛".into())]));',
      '"Buy oat milk".into())]);': '"Buy oat milk".into())]));',
      'post_sync(&api, upload)': 'post_sync(&api, Some(upload))',
      'post_sync(&api, change)': 'post_sync(&api, Some(change))',
      'post_sync(&api, removal)': 'post_sync(&api, Some(removal))',
    },
  },
}

/** TypeScript for fetch, by swagger-typescript-api. */
const swaggerTypescriptApi: Row = {
  ...nodeProject,
  name: 'swagger-typescript-api',
  generator: 'swagger-typescript-api',
  version: '13.13.0',
  generateNeeds: nodeProject.needs,
  generate: (document) => [
    installPackages,
    ['swagger-typescript-api', 'generate', '--path', document, '--output', 'client', '--name', 'api.ts'],
  ],
  build: [['tsc', '-p', '.']],
}

/** Swift with URLSession, by openapi-generator. There is no first script, because no machine with Swift ran it yet. */
const swift: Row = {
  name: 'swift',
  generator: 'openapi-generator swift6',
  version: generatorVersion,
  language: 'Swift',
  generateNeeds: javaToGenerate,
  generate: generateByOpenapiGenerator('swift6'),
  needs: [{ program: 'swift', version: ['--version'], install: 'Swift 6, from its vendor: Debian has none' }],
  build: [['swift', 'build', '--package-path', 'client']],
}

/** TypeScript for axios, by openapi-generator. */
const typescriptAxios: Row = {
  ...nodeProject,
  name: 'typescript-axios',
  generator: 'openapi-generator typescript-axios',
  version: generatorVersion,
  generateNeeds: javaToGenerate,
  generate: generateByOpenapiGenerator('typescript-axios'),
}

/** TypeScript for fetch, by openapi-generator. */
const typescriptFetch: Row = {
  ...nodeProject,
  name: 'typescript-fetch',
  generator: 'openapi-generator typescript-fetch',
  version: generatorVersion,
  generateNeeds: javaToGenerate,
  generate: generateByOpenapiGenerator('typescript-fetch'),
  onWire: {
    script: 'first-script.ts',
    spelled: {
      'postSync({ body:': 'postSync({ syncRequest:',
    },
  },
}

/** All generators of the matrix, in the order of the table. */
export const rows: readonly Row[] = [
  typescriptAxios,
  typescriptFetch,
  openapiTypescript,
  heyApi,
  orval,
  openapiZodClient,
  swaggerTypescriptApi,
  oazapfts,
  python,
  openapiPythonClient,
  kotlin,
  go,
  oapiCodegen,
  ogen,
  java,
  rust,
  progenitor,
  php,
  ruby,
  csharp,
  dart,
  swift,
]

/** How the client of one language is generated. */
export type Language = {
  /** The generator's name in openapi-generator. */
  generator: string
  /** Additional properties of the generator, beside those that all languages share. */
  properties: Readonly<Record<string, string>>
  /** The folders and files of the output that are kept, and where below `sdk/<language>/`; all else is noise. */
  keep: Readonly<Record<string, string>>
  /** Files beside the generated ones. */
  add?: Readonly<Record<string, string>>
  /** What the generator gets wrong: texts that must be there, and what stands in their place. */
  mend: readonly { file: string; wrong: string; right: string; because: string }[]
}

/** Every language that has an SDK, by the name of its folder. */
export const languages: Readonly<Record<string, Language>> = {
  typescript: {
    generator: 'typescript-fetch',
    properties: {
      importFileExtension: '.js',
      modelPropertyNaming: 'original',
      paramNaming: 'original',
      withoutRuntimeChecks: 'true',
    },
    keep: {
      apis: 'client/apis',
      models: 'client/models',
      'runtime.ts': 'client/runtime.ts',
      'index.ts': 'client/index.ts',
    },
    mend: [
      {
        file: 'models/index.ts',
        wrong: '    _new?: ',
        right: '    new?: ',
        because: 'without runtime checks nothing renames a field, so a reserved word has to keep its name',
      },
    ],
  },
  python: {
    generator: 'python',
    properties: { packageName: 'thingsync_client', generateSourceCodeOnly: 'true' },
    keep: { thingsync_client: 'thingsync_client' },
    // Says that the package has types (PEP 561).
    add: { 'thingsync_client/py.typed': '' },
    mend: [],
  },
  go: {
    generator: 'go',
    properties: { packageName: 'thingsync', withGoMod: 'false' },
    keep: { '.': 'thingsync' },
    mend: [],
  },
  java: {
    generator: 'java',
    properties: {
      library: 'okhttp-gson',
      invokerPackage: 'thingsync.client',
      apiPackage: 'thingsync.client',
      modelPackage: 'thingsync.client.model',
      openApiNullable: 'false',
      containerDefaultToNull: 'true',
    },
    keep: { 'src/main/java/thingsync/client': 'src/main/java/thingsync/client' },
    mend: [],
  },
  kotlin: {
    generator: 'kotlin',
    properties: { packageName: 'thingsync.client' },
    keep: { 'src/main/kotlin/thingsync/client': 'src/main/kotlin/thingsync/client' },
    mend: [],
  },
  rust: {
    generator: 'rust',
    properties: {
      library: 'reqwest',
      supportAsync: 'true',
      supportMiddleware: 'true',
      packageName: 'thingsync-client',
    },
    keep: { 'src/apis': 'src/apis', 'src/models': 'src/models' },
    mend: [],
  },
  php: {
    generator: 'php',
    properties: { invokerPackage: 'Thingsync\\Client', srcBasePath: 'lib', variableNamingConvention: 'snake_case' },
    keep: { lib: 'lib' },
    mend: [],
  },
  ruby: {
    generator: 'ruby',
    properties: { gemName: 'thingsync_client', moduleName: 'ThingsyncClient' },
    keep: { 'lib/thingsync_client': 'lib/thingsync_client', 'lib/thingsync_client.rb': 'lib/thingsync_client.rb' },
    mend: [],
  },
}

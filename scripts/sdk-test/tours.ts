import { join } from 'node:path'

/** A command with its arguments, and below the work folder the folder in which it runs. */
type Step = { command: readonly string[]; in?: string; env?: Readonly<Record<string, string>> }

/**
 * How an SDK is packed as its registry takes it and installed into an empty project. The work folder is a copy of the
 * SDK's `tour`; a copy of the SDK is in `sdk` below it, for nothing to be built in the project.
 */
export type Tour = {
  /** What packs, installs and compiles. */
  prepare: (work: string, version: string) => readonly Step[]
  /** What runs the tour in the work folder. */
  run: readonly string[]
}

const root = process.cwd()
const python = '.venv/bin/python'
const tsc = [process.execPath, join(root, 'node_modules/typescript/bin/tsc')]
const goModule = 'thingsync.example/sdk'
const quietMaven = ['mvn', '--batch-mode', '--quiet']

/** A proxy of modules in a folder, which is how Go publishes: the archive of a version, and what says so. */
const packGoModule = (version: string): string => `
set -e
proxy=../proxy/${goModule}/@v
mkdir -p "$proxy"
git init --quiet . && git add go.mod LICENSE README.md thingsync wire
git archive --format=zip --prefix=${goModule}@v${version}/ --output="$proxy/v${version}.zip" "$(git write-tree)"
cp go.mod "$proxy/v${version}.mod"
echo '{"Version":"v${version}","Time":"2026-01-01T00:00:00Z"}' >"$proxy/v${version}.info"
echo v${version} >"$proxy/list"
`

const goEnv = (work: string) => ({
  GOPROXY: `file://${work}/proxy`,
  GONOSUMDB: '*',
  GOFLAGS: '-mod=mod -modcacherw',
  GOMODCACHE: join(work, 'modules'),
})

/** The tours, by the languages of `toolchains`. */
export const tours: Readonly<Record<string, Tour>> = {
  typescript: {
    prepare: (_, version) => [
      { command: [...tsc, '-p', 'tsconfig.build.json'], in: 'sdk' },
      { command: ['npm', 'pack', '--silent', '--pack-destination', '..'], in: 'sdk' },
      { command: ['npm', 'install', '--silent', '--offline', `./thingsync-sdk-${version}.tgz`] },
      { command: [...tsc, '-p', '.'] },
    ],
    run: [process.execPath, 'tour.js'],
  },
  python: {
    prepare: (_, version) => [
      { command: ['python3', '-m', 'venv', '.venv'] },
      { command: [python, '-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', '.', './sdk'] },
      { command: [python, '-m', 'pip', 'install', '--quiet', `thingsync_client-${version}-py3-none-any.whl`] },
      { command: [python, '-c', 'import os, thingsync_client as c; os.stat(c.__path__[0] + "/py.typed")'] },
    ],
    run: [python, 'tour.py'],
  },
  go: {
    prepare: (work, version) => [
      { command: ['sh', '-c', packGoModule(version)], in: 'sdk' },
      { command: ['go', 'build', '-o', 'tour', '.'], env: goEnv(work) },
    ],
    run: ['./tour'],
  },
  java: {
    prepare: (_, version) => [
      {
        command: [...quietMaven, 'package', 'dependency:copy-dependencies', '-DoutputDirectory=../lib'],
        in: 'sdk',
      },
      { command: ['cp', `sdk/target/thingsync-client-${version}.jar`, 'lib'] },
      { command: ['javac', '-cp', 'lib/*', '-d', 'classes', 'Tour.java'] },
      { command: ['jar', '--extract', '--file', `lib/thingsync-client-${version}.jar`, 'META-INF/LICENSE'] },
    ],
    run: ['java', '-cp', 'classes:lib/*', 'Tour'],
  },
  kotlin: {
    prepare: (_, version) => [
      {
        command: [
          ...quietMaven,
          '-Dmaven.test.skip',
          'package',
          'dependency:copy-dependencies',
          '-DoutputDirectory=../lib',
        ],
        in: 'sdk',
      },
      { command: ['cp', `sdk/target/thingsync-client-kotlin-${version}.jar`, 'lib/thingsync-client-kotlin.jar'] },
      { command: [...quietMaven, 'compile'] },
    ],
    run: ['java', '-cp', 'target/classes:lib/*', 'TourKt'],
  },
  rust: {
    prepare: (_, version) => [
      { command: ['cargo', 'package', '--quiet', '--allow-dirty', '--no-verify'], in: 'sdk' },
      { command: ['tar', '-xzf', `sdk/target/package/thingsync-client-${version}.crate`] },
      // What was built for the runner is taken over.
      { command: ['cargo', 'build', '--quiet'], env: { CARGO_TARGET_DIR: join(root, 'sdk/rust/target') } },
      { command: ['cp', join(root, 'sdk/rust/target/debug/tour'), 'tour'] },
    ],
    run: ['./tour'],
  },
  php: {
    // Guzzle comes from Debian, as for the scenario, so Composer does not resolve; its autoloader is written by hand.
    prepare: () => [
      { command: ['mkdir', 'vendor'] },
      { command: ['mv', 'sdk', 'vendor/thingsync'] },
      { command: ['cp', join(root, 'scripts/sdk-test/autoload.php'), 'vendor/autoload.php'] },
    ],
    run: ['php', 'tour.php'],
  },
  ruby: {
    prepare: (_, version) => [
      { command: ['gem', 'build', '--quiet', 'thingsync_client.gemspec'], in: 'sdk' },
      {
        command: [
          'gem',
          'install',
          '--local',
          '--ignore-dependencies',
          '--no-document',
          '--install-dir',
          'gems',
        ].concat(`sdk/thingsync_client-${version}.gem`),
      },
    ],
    run: ['sh', '-c', 'GEM_PATH=$PWD/gems:$(gem environment gempath) exec ruby tour.rb'],
  },
}

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { tourFiles } from '../sdk/languages.ts'
import { profilePath } from '../sdk/profile.ts'
import { openLiveServer } from './servers.ts'

/** The programs and commands that build and run the SDK of a language. */
export type Toolchain = {
  /** Required programs, each with the argument that prints its version and the package to install. */
  needs: readonly { program: string; version: readonly string[]; install: string }[]
  /** Commands that install packages and build. They run in the SDK's folder. */
  prepare: readonly (readonly string[])[]
  /** The command of the runner, which makes calls. It runs in the SDK's folder. */
  run: readonly string[]
}

const venv = '.venv/bin/python'
// On a busy machine Maven does not reach the daemon of the Kotlin compiler in time, and the daemon outlives the build.
const withoutDaemon = '-Dkotlin.compiler.daemon=false'

/** The toolchains of the SDKs, in the order of the table in `contributing/sdk-generation.md`. */
export const toolchains: Readonly<Record<string, Toolchain>> = {
  typescript: {
    needs: [{ program: 'node', version: ['--version'], install: 'Node 20.19 or later' }],
    prepare: [[process.execPath, join(process.cwd(), 'node_modules/typescript/bin/tsc'), '-p', '.']],
    run: [process.execPath, '--import', 'tsx', 'runner.ts'],
  },
  python: {
    needs: [{ program: 'python3', version: ['--version'], install: 'apt-get install python3 python3-venv' }],
    prepare: [
      ['python3', '-m', 'venv', '.venv'],
      [venv, '-m', 'pip', 'install', '--quiet', '--editable', '.'],
    ],
    run: [venv, 'runner.py'],
  },
  go: {
    needs: [{ program: 'go', version: ['version'], install: 'Go 1.23 or later' }],
    prepare: [['go', 'build', '-o', 'build/runner', './runner']],
    run: ['build/runner'],
  },
  java: {
    needs: [
      { program: 'java', version: ['-version'], install: 'apt-get install openjdk-17-jdk-headless' },
      { program: 'mvn', version: ['--version'], install: 'apt-get install maven' },
    ],
    prepare: [
      [
        'mvn',
        ...['--batch-mode', '--quiet', 'test-compile', 'dependency:copy-dependencies', '-DoutputDirectory=target/lib'],
      ],
    ],
    run: ['java', '-cp', 'target/classes:target/test-classes:target/lib/*', 'thingsync.Runner'],
  },
  kotlin: {
    needs: [
      { program: 'java', version: ['-version'], install: 'apt-get install openjdk-17-jdk-headless' },
      // Maven also fetches the compiler.
      { program: 'mvn', version: ['--version'], install: 'apt-get install maven' },
    ],
    prepare: [
      [
        'mvn',
        ...['--batch-mode', '--quiet', withoutDaemon],
        ...['test-compile', 'dependency:copy-dependencies', '-DoutputDirectory=target/lib'],
      ],
    ],
    // Kotlin reads its input in the charset of the machine, which is ASCII when no locale is set.
    run: ['java', '-Dfile.encoding=UTF-8', '-cp', 'target/classes:target/test-classes:target/lib/*', 'RunnerKt'],
  },
  rust: {
    needs: [{ program: 'cargo', version: ['--version'], install: 'Rust 1.88 or later, by rustup' }],
    // Without a TLS library, which plain HTTP on this machine does not need.
    prepare: [['cargo', 'build', '--quiet', '--example', 'runner', '--no-default-features']],
    run: ['target/debug/examples/runner'],
  },
  php: {
    needs: [
      {
        program: 'php',
        version: ['--version'],
        install: 'apt-get install php-cli php-curl php-mbstring php-guzzlehttp-guzzle',
      },
    ],
    // Guzzle comes from Debian, which avoids another registry; users take it from Composer.
    prepare: [['php', '-r', 'require "GuzzleHttp/autoload.php"; mb_strlen(""); curl_version();']],
    run: ['php', 'runner.php'],
  },
  ruby: {
    needs: [{ program: 'ruby', version: ['--version'], install: 'apt-get install ruby ruby-typhoeus' }],
    // Typhoeus comes from Debian, which avoids another registry; users take it from RubyGems.
    prepare: [['ruby', '-I', 'lib', '-e', 'require "thingsync_wire"']],
    run: ['ruby', '-I', 'lib', 'runner.rb'],
  },
}

const common = ['operations', 'revoke', 'tokens'] as const

/**
 * The features of each SDK for the suite of clients. No SDK reads a listing as a stream. All leave tokens to the app,
 * so `concurrent`, which is about one sign-in and one refresh at a time, has nothing to check.
 */
export const sdkFeatures: Readonly<Record<string, readonly string[]>> = {
  typescript: common,
  // urllib3 repeats a GET after a lost connection, and after 429 and 503 with Retry-After.
  python: [...common, 'retries'],
  go: common,
  java: common,
  kotlin: common,
  rust: common,
  php: common,
  ruby: common,
}

/** A language with a built SDK, the command of its runner and the versions of its tools. */
type Prepared = { language: string; folder: string; run: readonly string[]; versions: string }

const firstVersion = (text: string): string => /\d+\.\d+(\.\d+)?/.exec(text)?.[0] ?? 'unknown'

/** Checks the tools of a language and builds its SDK. @throws Error that says what to install or what failed */
export function prepareLanguage(language: string): Prepared {
  const toolchain = toolchains[language]
  if (toolchain === undefined) throw new Error(`${language}: no SDK; there are ${Object.keys(toolchains).join(', ')}`)
  const folder = `sdk/${language}`
  const versions = toolchain.needs.map(({ program, version, install }) => {
    const shown = spawnSync(program, version, { encoding: 'utf8' })
    if (shown.error !== undefined || shown.status !== 0) throw new Error(`${language} needs ${program}: ${install}`)
    return `${program} ${firstVersion(shown.stdout + shown.stderr)}`
  })
  for (const [program = '', ...args] of toolchain.prepare) {
    const built = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
    if (built.status !== 0) {
      throw new Error(
        `${language}: ${program} ${args.join(' ')} failed\n${built.stdout}${built.stderr}${built.error ?? ''}`,
      )
    }
  }
  return { language, folder, run: toolchain.run, versions: versions.join(', ') }
}

/** A command with its arguments, and the folder below the work folder in which it runs. */
type Step = { command: readonly string[]; in?: string; env?: Readonly<Record<string, string>> }

/**
 * The commands that pack an SDK for its registry and install it into an empty project. The work folder is a copy of the
 * SDK's `tour`. Its folder `sdk` is a copy of the SDK, so that no command builds inside our project.
 */
type Tour = {
  /** Returns the commands that pack, install and compile. */
  prepare: (work: string, version: string) => readonly Step[]
  /** The command that runs the tour in the work folder. */
  run: readonly string[]
}

const root = process.cwd()
const python = '.venv/bin/python'
const tsc = [process.execPath, join(root, 'node_modules/typescript/bin/tsc')]
const goModule = 'thingsync.example/sdk'
const quietMaven = ['mvn', '--batch-mode', '--quiet']

/** Returns a script that writes a Go module proxy into a folder: the archive of a version and its metadata. */
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

/** The tours, by language. */
const tours: Readonly<Record<string, Tour>> = {
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
          withoutDaemon,
          '-Dmaven.test.skip',
          'package',
          'dependency:copy-dependencies',
          '-DoutputDirectory=../lib',
        ],
        in: 'sdk',
      },
      { command: ['cp', `sdk/target/thingsync-client-kotlin-${version}.jar`, 'lib/thingsync-client-kotlin.jar'] },
      { command: [...quietMaven, withoutDaemon, 'compile'] },
    ],
    run: ['java', '-cp', 'target/classes:lib/*', 'TourKt'],
  },
  rust: {
    prepare: (_, version) => [
      { command: ['cargo', 'package', '--quiet', '--allow-dirty', '--no-verify'], in: 'sdk' },
      { command: ['tar', '-xzf', `sdk/target/package/thingsync-client-${version}.crate`] },
      // The target folder of the runner saves building the dependencies twice.
      { command: ['cargo', 'build', '--quiet'], env: { CARGO_TARGET_DIR: join(root, 'sdk/rust/target') } },
      { command: ['cp', join(root, 'sdk/rust/target/debug/tour'), 'tour'] },
    ],
    run: ['./tour'],
  },
  php: {
    // Guzzle comes from Debian, as in the scenario, so Composer cannot resolve it. Our autoloader replaces Composer's.
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

const user = { username: 'anna', password: 'correct horse' }
const expected = [
  'signed in as anna',
  'added Call Bert https://example.com/',
  'changed Buy oat milk',
  'listed Call Bert',
  'title API reference · thingsync',
  'tags phone',
  'things 2',
  'paged 2',
  'deleted true',
  'hook true',
  'hooks 1',
  'key 87',
  'devices 1',
  'refreshed as anna',
  'sessions 2',
  'left 1',
]
/** Files that do not belong to the packed SDK: build output, and files for tests only. */
const excludedFiles = /^(build|dist|target|vendor|tour|\.venv|Cargo\.lock|.*\.egg-info)$/

function runStep(command: readonly string[], folder: string, env: Readonly<Record<string, string>> = {}): string {
  const [program = '', ...args] = command
  const ran = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } })
  if (ran.status === 0) return ran.stdout
  throw new Error(`${command.join(' ')} failed\n${ran.stdout}${ran.stderr}${ran.error ?? ''}`)
}

/**
 * Packs the SDK of a language, installs it into an empty project and runs its tour there. The URL and the credentials
 * of a live server replace the ones in the code, and a page of that server the page to preview.
 * @throws Error with the failed command, or with the output of the tour when it differs from the expected output
 */
export async function runTour(language: string): Promise<void> {
  const tour = tours[language]
  const file = tourFiles[language]?.file
  if (tour === undefined || file === undefined) throw new Error(`${language}: no tour`)
  const { version } = parse(readFileSync(profilePath, 'utf8')).info
  const work = realpathSync(mkdtempSync(join(tmpdir(), `thingsync-tour-${language}-`)))
  const server = await openLiveServer(user)
  try {
    const folder = join('sdk', language)
    cpSync(join(folder, 'tour'), work, { recursive: true })
    cpSync(folder, join(work, 'sdk'), { recursive: true, filter: (path) => !excludedFiles.test(basename(path)) })
    const code = readFileSync(join(work, file), 'utf8')
      .replaceAll('http://127.0.0.1:8484/v1', server.baseUrl.replace(/\/$/, ''))
      .replaceAll('https://page.example.com/', new URL('../docs', server.baseUrl).href)
      .replaceAll('app1', server.clientId)
      .replaceAll('s3cret', server.clientSecret)
    writeFileSync(join(work, file), code)
    for (const step of tour.prepare(work, version)) runStep(step.command, join(work, step.in ?? ''), step.env)
    const printed = runStep(tour.run, work).toLowerCase().trim()
    if (printed !== expected.join('\n').toLowerCase()) throw new Error(`the tour printed\n${printed}`)
  } finally {
    await server.close()
    rmSync(work, { recursive: true, force: true })
  }
}

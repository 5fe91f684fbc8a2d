import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { buildExtension } from '../extension/build/build.ts'
import { targets } from '../extension/build/manifest.ts'
import { packZip } from '../extension/build/zip.ts'
import { asObject } from './json.ts'
import { installNfpm, ToolMissing } from './outside-tools/install-tools.ts'
import { languages } from './sdk/languages.ts'
import { CannotGenerate, createSdks } from './sdk/make-sdks.ts'

/** Thrown when a release cannot be made. The message is for the user, in one sentence. */
class ReleaseFailed extends Error {}

/**
 * Runs a command and returns its standard output.
 * @throws ReleaseFailed when the command is missing, or fails, with its last lines
 */
const runCommand = (
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>>; readonly input?: string },
): string => {
  const { cwd, env = {}, input } = options
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 28,
    ...(input === undefined ? {} : { input }),
  })
  if (error !== undefined) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new ReleaseFailed(`${command} is not on this machine`)
  }
  if (status === 0) return stdout
  const lastLines = `${stdout}${stderr}`.trim().split('\n').slice(-15).join('\n')
  throw new ReleaseFailed(`${command} ${args.join(' ')} failed:\n${lastLines}`)
}

/** A platform of archives and packages. */
interface Platform {
  readonly name: string
  /** Options of npm that select the packages for this platform. */
  readonly npm: readonly string[]
  /** The name of the npm package that contains Node for this platform. */
  readonly nodePackage: string
  /** The architecture's name in Go, from which nfpm derives the names of Debian and rpm. */
  readonly arch: string
}

/** The version of Node in archives and packages, from a line with long-term support until April 2028. */
const nodeVersion = '24.21.0'

const linux = (arch: 'x64' | 'arm64', goName: string): Platform => ({
  name: `linux-${arch}`,
  npm: ['--os=linux', `--cpu=${arch}`, '--libc=glibc'],
  nodePackage: `node-linux-${arch}`,
  arch: goName,
})

const platforms = [linux('x64', 'amd64'), linux('arm64', 'arm64')]

/**
 * Finds the platforms of a comma-separated list of names.
 * @throws ReleaseFailed for an unknown name
 */
const findPlatforms = (names: string): Platform[] =>
  names.split(',').map((name) => {
    const platform = platforms.find((one) => one.name === name)
    if (platform !== undefined) return platform
    throw new ReleaseFailed(`there is no platform ${name}; take ${platforms.map((one) => one.name).join(', ')}`)
  })

/** The version and the commit of a release. */
interface Source {
  readonly version: string
  readonly commit: string
  /** The commit's time in seconds. All files of a release have this time, so that a second run gives the same bytes. */
  readonly epoch: number
  /** False when files differ from the commit. */
  readonly isCommitted: boolean
}

/** Reads the version and the commit of the project. */
const readSource = (project: string): Source => {
  const git = (...args: string[]) => runCommand('git', args, { cwd: project }).trim()
  return {
    version: JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).version,
    commit: git('rev-parse', 'HEAD'),
    epoch: Number(git('log', '-1', '--format=%ct')),
    isCommitted: git('status', '--porcelain') === '',
  }
}

/** The files with a placeholder for the contact of the publisher, and the placeholder. */
const contactPlaceholders: Readonly<Record<string, string>> = {
  'SECURITY.md': 'SECURITY CONTACT NOT SET',
  'packaging/nfpm.yaml': 'maintainers@thingsync.invalid',
}

/**
 * Checks that the publisher has filled in the contact for reports of vulnerabilities.
 * @throws ReleaseFailed with the file that still has its placeholder
 */
export const checkSecurityContact = (project: string): void => {
  for (const [name, placeholder] of Object.entries(contactPlaceholders)) {
    if (!readFileSync(join(project, name), 'utf8').includes(placeholder)) continue
    throw new ReleaseFailed(`${name} still has "${placeholder}"; write your contact there, or add --dry-run`)
  }
}

/** The packages of the workspace that are published beside the server. */
const workspacePackages = ['client', 'conformance'] as const

/** Reads the field `repository` of the package of the server; undefined when it names no repository. */
const readRepository = (project: string): Record<string, unknown> | undefined => {
  const { repository } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  const isNamed = typeof repository?.url === 'string' && /^(?:git\+)?https:\/\/./.test(repository.url)
  return isNamed ? repository : undefined
}

/**
 * Checks that package.json names the public repository, from which npm loads the pictures of a README.
 * @throws ReleaseFailed without it
 */
export const checkRepository = (project: string): void => {
  if (readRepository(project) !== undefined) return
  const field = '"repository": { "type": "git", "url": "git+https://…" }'
  throw new ReleaseFailed(`package.json has no ${field}; write the URL of your repository there, or add --dry-run`)
}

/** Adds the repository of the server to the other packages of a copy of the project, each with its folder. */
export const addRepository = (source: string): void => {
  const repository = readRepository(source)
  if (repository === undefined) return
  for (const directory of workspacePackages) {
    const file = join(source, directory, 'package.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, `${JSON.stringify({ ...manifest, repository: { ...repository, directory } }, null, 2)}\n`)
  }
}

/**
 * Checks that the project may be published.
 * @throws ReleaseFailed for a missing security contact or repository, uncommitted changes, a missing tag, or a version
 *   without an entry in CHANGELOG.md
 */
const checkPublishable = (project: string, { version, isCommitted }: Source): void => {
  checkSecurityContact(project)
  checkRepository(project)
  if (!isCommitted) throw new ReleaseFailed('there are changes that are not committed; commit them, or add --dry-run')
  const tags = runCommand('git', ['tag', '--points-at', 'HEAD'], { cwd: project }).split('\n')
  if (!tags.includes(`v${version}`))
    throw new ReleaseFailed(`the commit has no tag v${version}; tag it, or add --dry-run`)
  const changelogHeading = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)$`, 'm')
  if (!changelogHeading.test(readFileSync(join(project, 'CHANGELOG.md'), 'utf8'))) {
    throw new ReleaseFailed(`CHANGELOG.md has no heading "## ${version} (date)"; write it, or add --dry-run`)
  }
}

/**
 * Copies the files that git tracks or would track into an empty folder, and the installed packages of the project. The
 * output of earlier builds stays out, so that it does not get into a package.
 */
const copySource = (project: string, folder: string): void => {
  const list = runCommand('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: project })
  for (const path of list.split('\0')) {
    // git also lists a file whose removal is not committed.
    if (path === '' || !existsSync(join(project, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(project, path), join(folder, path), { verbatimSymlinks: true })
  }
  copyModules(project, folder)
}

/** Copies `node_modules` with hard links where both folders are on one disk, because the files are many. */
const copyModules = (project: string, folder: string): void => {
  const modules = join(project, 'node_modules')
  try {
    runCommand('cp', ['-al', modules, folder], { cwd: project })
  } catch (error) {
    if (!(error instanceof ReleaseFailed) || !error.message.includes('cross-device')) throw error
    runCommand('cp', ['-a', modules, folder], { cwd: project })
  }
}

/** Builds a clean copy of the project and packs the npm packages. Returns the path of the server's package. */
const buildPackages = (source: string, output: string): string => {
  for (const script of ['build', 'build:types']) runCommand('npm', ['run', '--silent', script], { cwd: source })
  // npm packs the modes of files, which depend on the umask of the checkout and the build. The installed packages are
  // left out, because they are hard links to the files of the project.
  const ours = ['.', '-path', './node_modules', '-prune', '-o', '!', '-type', 'l']
  runCommand('find', [...ours, '-exec', 'chmod', 'u=rwX,go=rX', '{}', '+'], { cwd: source })
  // --ignore-scripts, because the scripts of the packages would build again.
  const pack = (...more: string[]) =>
    runCommand('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', output, ...more], { cwd: source })
  addRepository(source)
  for (const name of workspacePackages) pack('--workspace', name)
  return join(output, pack().trim())
}

const npmFiles = ['package-lock.json', '.npmrc']

/** Installs the dependencies of the unpacked server, in the versions of the lock file, for one platform. */
const installFrom = (source: string, app: string, { npm }: Platform): void => {
  for (const name of npmFiles) copyFileSync(join(source, name), join(app, name))
  const options = ['--omit=dev', '--workspaces=false', '--include-workspace-root', '--ignore-scripts', ...npm]
  runCommand('npm', ['ci', ...options], { cwd: app })
  for (const name of npmFiles) rmSync(join(app, name))
  // npm's record of installed packages contains origins, and only later installations would read it.
  rmSync(join(app, 'node_modules/.package-lock.json'))
}

/** Packs a folder into a `.tar.gz` whose bytes depend only on its files: order, owners and times are fixed. */
const packArchive = (folder: string, archive: string, epoch: number): void => {
  const tar = `${archive}.tar`
  const fixed = ['--format=gnu', '--sort=name', `--mtime=@${epoch}`, '--owner=0', '--group=0', '--numeric-owner']
  runCommand('tar', ['-cf', tar, ...fixed, '-C', dirname(folder), basename(folder)], { cwd: dirname(folder) })
  // Not the command gzip, which writes time and name into the header.
  writeFileSync(archive, gzipSync(readFileSync(tar), { level: 6 }))
  rmSync(tar)
}

/**
 * Builds the browser extension of a copy of the project, and packs it for each browser: as users load it, and for the
 * Chrome Web Store, which rejects the key of the manifest.
 */
const packExtension = async (sourceFolder: string, output: string, { version, epoch }: Source): Promise<void> => {
  const built = await buildExtension(sourceFolder)
  const write = (name: string, ...from: Parameters<typeof built.listFiles>) =>
    writeFileSync(join(output, `thingsync-extension-${version}-${name}.zip`), packZip(built.listFiles(...from), epoch))
  for (const target of targets) write(target, target)
  write('chrome-web-store', 'chromium', true)
}

/** Files of an SDK that only our tests need. */
const testFiles = /^(runner(\..*)?|tour|test)$/

/**
 * Generates the SDKs in a copy of the project and packs each as `thingsync-sdk-<language>-<version>.tar.gz`. An archive
 * contains the sources of a package, which the tools of its language build and install.
 * @throws CannotGenerate when Java or the generator is missing
 */
const packSdks = async (sourceFolder: string, output: string, { version, epoch }: Source): Promise<void> => {
  const names = Object.keys(languages)
  await createSdks(names, { target: sourceFolder, report: () => {} })
  for (const language of names) {
    const name = `thingsync-sdk-${language}-${version}`
    const folder = join(sourceFolder, '..', name)
    cpSync(join(sourceFolder, 'sdk', language), folder, {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => !testFiles.test(basename(path)),
    })
    packArchive(folder, join(output, `${name}.tar.gz`), epoch)
    rmSync(folder, { recursive: true })
  }
}

/**
 * Packs the `.deb` and the `.rpm` of a staged program. `folder` contains the folders `program` and `packaging`.
 * @throws ToolMissing without nfpm and Go
 */
const packSystemPackages = (
  folder: string,
  output: string,
  { platform, source }: { platform: Platform; source: Source },
): void => {
  const nfpm = installNfpm()
  // nfpm takes all its times from SOURCE_DATE_EPOCH.
  const env = { ARCH: platform.arch, VERSION: source.version, SOURCE_DATE_EPOCH: String(source.epoch) }
  for (const kind of ['deb', 'rpm']) {
    const args = ['package', '--config', join(folder, 'packaging/nfpm.yaml'), '--packager', kind, '--target', output]
    runCommand(nfpm, args, { cwd: folder, env })
  }
}

/** Files for administrators who install the archive in the same way as the packages do. */
const setupFiles = ['command', 'thingsync.json', 'thingsync.service', 'thingsync.socket', 'sysusers.conf']

/**
 * Creates the folder of archives and packages: the packed server with exactly the packages of the lock file, Node, and
 * a launcher.
 */
const stageProgram = (
  folder: string,
  { source, tarball, platform, epoch }: { source: string; tarball: string; platform: Platform; epoch: number },
): void => {
  const app = join(folder, 'app')
  mkdirSync(app, { recursive: true })
  runCommand('tar', ['-xzf', tarball, '-C', app, '--strip-components=1'], { cwd: folder })
  installFrom(source, app, platform)
  addNode(folder, platform)
  copyFileSync(join(source, 'packaging/launcher'), join(folder, 'thingsync'))
  mkdirSync(join(folder, 'packaging'))
  for (const name of setupFiles) copyFileSync(join(source, 'packaging', name), join(folder, 'packaging', name))
  copyFileSync(join(source, 'LICENSE'), join(folder, 'LICENSE'))
  fixModesAndTimes(folder, epoch)
}

function addNode(folder: string, { npm, nodePackage }: Platform): void {
  const install = join(folder, 'node-package')
  mkdirSync(install)
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', install, ...npm]
  runCommand('npm', ['install', ...options, `${nodePackage}@${nodeVersion}`], { cwd: install })
  const from = join(install, 'node_modules', nodePackage)
  mkdirSync(join(folder, 'bin'))
  copyFileSync(join(from, 'bin/node'), join(folder, 'bin/node'))
  copyFileSync(join(from, 'LICENSE'), join(folder, 'LICENSE.node'))
  rmSync(install, { recursive: true })
}

/** Sets modes and times, which are part of an archive and must not depend on the machine. */
function fixModesAndTimes(folder: string, epoch: number): void {
  runCommand('chmod', ['-R', 'u=rwX,go=rX', '.'], { cwd: folder })
  runCommand('chmod', ['755', 'thingsync', 'bin/node', 'packaging/command'], { cwd: folder })
  runCommand('find', ['.', '-exec', 'touch', '--no-dereference', `--date=@${epoch}`, '{}', '+'], { cwd: folder })
}

/**
 * Writes the software bill of materials (CycloneDX) of an archive or package: packages that the bundled program contains,
 * packages that are installed beside it according to the lock file, and Node. npm gives each run a
 * new serial number and time. This function takes the number from the content and the time from the commit.
 */
const writeBom = (
  file: string,
  { sourceFolder, source, platform }: { sourceFolder: string; source: Source; platform: Platform },
): void => {
  const bom = listPackages(sourceFolder, `${file}.folder`, platform)
  const components = [...(bom.components as unknown[]), ...listBundled(sourceFolder), describeNode()]
  const { tools: _npmItself, ...metadata } = asObject(bom.metadata, 'metadata')
  const component = { ...asObject(metadata.component, 'metadata.component'), type: 'application', name: 'thingsync' }
  const timestamp = new Date(source.epoch * 1000).toISOString()
  const whole = { ...bom, metadata: { ...metadata, timestamp, component }, components, serialNumber: '' }
  whole.serialNumber = `urn:uuid:${nameByContent(JSON.stringify(whole))}`
  writeFileSync(file, `${JSON.stringify(whole, null, 2)}\n`)
}

/** Lists the dependencies of the server with npm, in a folder without our development tools and workspaces. */
function listPackages(source: string, folder: string, { npm }: Platform): Record<string, unknown> {
  mkdirSync(folder)
  for (const name of ['package-lock.json', '.npmrc', 'package.json'])
    copyFileSync(join(source, name), join(folder, name))
  const options = ['--omit=dev', '--workspaces=false', '--include-workspace-root', '--ignore-scripts', ...npm]
  runCommand('npm', ['ci', ...options], { cwd: folder })
  const {
    devDependencies: _tools,
    workspaces: _ours,
    ...manifest
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  // npm would list the packages of the lock file instead of the installed ones.
  rmSync(join(folder, 'package-lock.json'))
  const text = runCommand('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev'], { cwd: folder })
  rmSync(folder, { recursive: true })
  return asObject(JSON.parse(text), 'the output of npm sbom')
}

/** Describes the packages in the bundled program, from the list that the build writes. */
const listBundled = (sourceFolder: string): unknown[] => {
  const packages: readonly { readonly name: string; readonly version: string; readonly license: string }[] = JSON.parse(
    readFileSync(join(sourceFolder, 'dist/packages.json'), 'utf8'),
  )
  return packages.map(({ name, version, license }) => ({
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [/^[\w.-]+$/.test(license) ? { license: { id: license } } : { expression: license }],
  }))
}

const describeNode = () => ({
  'bom-ref': `node@${nodeVersion}`,
  type: 'application',
  name: 'node',
  version: nodeVersion,
  purl: `pkg:generic/node@${nodeVersion}`,
  licenses: [{ license: { id: 'MIT' } }],
})

/** Returns a UUID of version 8 (RFC 9562), with bits from a digest of the text. */
function nameByContent(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

const digest = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/**
 * Writes `provenance.json` about the sources and the build of each file (in-toto statement with SLSA provenance 1.0),
 * and `SHA256SUMS` of all files. Neither file is signed: the publisher signs `SHA256SUMS`.
 */
const writeRecords = (
  output: string,
  { source, lockFile, platforms }: { source: Source; lockFile: string; platforms: string },
): void => {
  const names = readdirSync(output).sort()
  const subject = names.map((name) => ({ name, digest: { sha256: digest(join(output, name)) } }))
  writeFileSync(
    join(output, 'provenance.json'),
    `${JSON.stringify(describe(subject, source, lockFile, platforms), null, 2)}\n`,
  )
  const lines = [...names, 'provenance.json'].sort().map((name) => `${digest(join(output, name))}  ${name}\n`)
  writeFileSync(join(output, 'SHA256SUMS'), lines.join(''))
}

const describe = (subject: readonly unknown[], source: Source, lockFile: string, platforms: string) => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject,
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'npm run release',
      externalParameters: { platforms },
      internalParameters: { sourceDateEpoch: source.epoch, isCommitted: source.isCommitted },
      resolvedDependencies: [
        { name: 'thingsync', digest: { gitCommit: source.commit } },
        { name: 'package-lock.json', digest: { sha256: digest(lockFile) } },
        { name: 'node', annotations: { version: nodeVersion } },
      ],
    },
    runDetails: { builder: { id: 'scripts/release.ts' } },
  },
})

/**
 * Creates all files of a release in `output`, which it empties first: npm packages, an archive, a `.deb` and an `.rpm`
 * for each platform, the browser extension, an archive of each SDK, bills of materials, and checksums. The same source gives the same bytes.
 * @throws ReleaseFailed, ToolMissing, CannotGenerate
 */
const createRelease = async (
  project: string,
  output: string,
  { source, platforms, say }: { source: Source; platforms: string; say: (line: string) => void },
): Promise<void> => {
  rmSync(output, { recursive: true, force: true })
  const work = join(output, '.work')
  const sourceFolder = join(work, 'source')
  mkdirSync(sourceFolder, { recursive: true })
  say('copies the source, builds it and packs it for npm')
  copySource(project, sourceFolder)
  const tarball = buildPackages(sourceFolder, output)
  for (const platform of findPlatforms(platforms)) {
    say(`${platform.name}: archive with Node, .deb, .rpm, list of contents`)
    const name = `thingsync-${source.version}-${platform.name}`
    const folder = join(work, platform.name)
    const staged = join(folder, name)
    stageProgram(staged, { source: sourceFolder, tarball, platform, epoch: source.epoch })
    packArchive(staged, join(output, `${name}.tar.gz`), source.epoch)
    cpSync(staged, join(folder, 'program'), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
    cpSync(join(sourceFolder, 'packaging'), join(folder, 'packaging'), { recursive: true })
    packSystemPackages(folder, output, { platform, source })
    writeBom(join(output, `${name}.cdx.json`), { sourceFolder, source, platform })
  }
  say('builds and packs the browser extension')
  await packExtension(sourceFolder, output, source)
  say('generates the SDKs and packs each')
  await packSdks(sourceFolder, output, source)
  rmSync(work, { recursive: true })
  writeRecords(output, { source, lockFile: join(project, 'package-lock.json'), platforms })
}

/**
 * Creates all files of a release in `dist-release/`; it publishes nothing. `npm run release [-- --dry-run]`: without
 * --dry-run the commit must have a tag and an entry in CHANGELOG.md, package.json a repository, and SECURITY.md a contact. Exits 1 with one
 * sentence when it fails.
 */
const main = async (): Promise<void> => {
  const project = fileURLToPath(new URL('..', import.meta.url))
  try {
    const { values } = parseArgs({
      options: {
        'dry-run': { type: 'boolean', default: false },
        output: { type: 'string', default: 'dist-release' },
        platform: { type: 'string', default: 'linux-x64' },
      },
    })
    const source = readSource(project)
    if (!values['dry-run']) checkPublishable(project, source)
    const output = resolve(project, values.output)
    const say = (line: string) => console.log(`release: ${line}`)
    say(`thingsync ${source.version}, commit ${source.commit}${source.isCommitted ? '' : ' with changes on top'}`)
    await createRelease(project, output, { source, platforms: values.platform, say })
    console.log(readdirSync(output).join('\n'))
    say(`all of it is in ${output}; contributing/release.md says how to publish it`)
  } catch (error) {
    if (!(error instanceof ReleaseFailed || error instanceof ToolMissing || error instanceof CannotGenerate))
      throw error
    console.error(`release: ${error.message}`)
    process.exitCode = 1
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()

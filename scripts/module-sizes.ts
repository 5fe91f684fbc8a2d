// Counts the product modules of each part against `contributing/module-sizes.json`, and finds import cycles.
// `npx tsx scripts/module-sizes.ts` prints the table. test/scripts/module-sizes.test.ts fails when a limit is passed.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cruise } from 'dependency-cruiser'

/** A part of the repository, and how far it may grow. */
export interface PartLimit {
  readonly part: string
  /** Folders, each with its last slash, or files. A file belongs to the part with the longest matching path. */
  readonly paths: readonly string[]
  readonly maxFiles: number
  /** The maximum median of this part, where it is not the general one. */
  readonly maxMedianLines?: number
  /** Why the part has a limit of its own. */
  readonly reason?: string
}

/** The limits of all parts. The median is that of the lines of the modules of a part. */
export interface ModuleLimits {
  readonly maxLines: number
  readonly medianLines: { readonly min: number; readonly max: number }
  readonly parts: readonly PartLimit[]
}

/** The measured size of a part. */
export interface PartSize {
  readonly part: string
  readonly files: number
  readonly maxFiles: number
  readonly medianLines: number
  readonly maxMedianLines: number
  readonly longest: { readonly path: string; readonly lines: number }
  /** Modules that import each other, directly or through others, as lists of paths. Type imports count. */
  readonly cycles: readonly (readonly string[])[]
}

/** A product module. */
export interface Module {
  readonly path: string
  readonly text: string
}

const isModule = (path: string): boolean =>
  /\.(?:tsx?|cts|mts|mjs|cjs)$/u.test(path) &&
  !/\.(?:self)?test\.tsx?$/u.test(path) &&
  /^(?:src|client\/src|extension|web|conformance\/(?:src|selftest)|scripts|bench)\//u.test(path)

const root = fileURLToPath(new URL('..', import.meta.url))

/** Reads all product modules of the work tree. */
export const readModules = (): readonly Module[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => isModule(path) && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Reads the table of limits. */
export const readLimits = (): ModuleLimits =>
  JSON.parse(readFileSync(join(root, 'contributing/module-sizes.json'), 'utf8'))

const countLines = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

const findMedian = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return Math.round(((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2)
}

const findPart = (parts: readonly PartLimit[], path: string): PartLimit | undefined => {
  const matches = parts.flatMap((part) =>
    part.paths
      .filter((each) => (each.endsWith('/') ? path.startsWith(each) : path === each))
      .map((each) => ({ part, length: each.length })),
  )
  return matches.sort((a, b) => b.length - a.length)[0]?.part
}

/** Finds modules that import each other, directly or through others, as paths in the order of the imports. */
export const findCycles = async (): Promise<readonly (readonly string[])[]> => {
  const { tsConfig: _, ...options } = createRequire(import.meta.url)('../.dependency-cruiser.cjs').options
  const forbidden = [{ name: 'no-circular', severity: 'error', from: {}, to: { circular: true } }] as const
  const folders = ['src', 'client/src', 'extension', 'web', 'conformance', 'scripts', 'bench']
  const { output } = await cruise(folders, { ...options, baseDir: root, ruleSet: { forbidden }, validate: true })
  if (typeof output === 'string') throw new TypeError('dependency-cruiser returned a text')
  return output.summary.violations.map(({ from, cycle = [] }) => [from, ...cycle.map(({ name }) => name)])
}

const measurePart = (
  limit: PartLimit,
  modules: readonly Module[],
  limits: ModuleLimits,
  allCycles: readonly (readonly string[])[],
): PartSize => {
  const { part, maxFiles, maxMedianLines = limits.medianLines.max } = limit
  const sizes = modules.map(({ path, text }) => ({ path, lines: countLines(text) }))
  const longest = sizes.reduce((a, b) => (b.lines > a.lines ? b : a), { path: '', lines: 0 })
  const medianLines = findMedian(sizes.map(({ lines }) => lines))
  const paths = new Set(modules.map(({ path }) => path))
  const cycles = allCycles.filter((cycle) => cycle.some((path) => paths.has(path)))
  return { part, files: modules.length, maxFiles, medianLines, maxMedianLines, longest, cycles }
}

/**
 * Measures each part, and all parts together in the last row. `cycles` are those of `findCycles`.
 * @throws Error when a module belongs to no part: name its part in `contributing/module-sizes.json`
 */
export const measureParts = (
  modules: readonly Module[],
  limits: ModuleLimits,
  cycles: readonly (readonly string[])[],
): readonly PartSize[] => {
  const { parts } = limits
  const homeless = modules.filter(({ path }) => findPart(parts, path) === undefined)
  if (homeless.length > 0) throw new Error(`in no part: ${homeless.map(({ path }) => path).join(', ')}`)
  const maxFiles = parts.reduce((sum, each) => sum + each.maxFiles, 0)
  return [
    ...parts.map((limit) =>
      measurePart(
        limit,
        modules.filter(({ path }) => findPart(parts, path)?.part === limit.part),
        limits,
        cycles,
      ),
    ),
    measurePart({ part: 'all', paths: [], maxFiles }, modules, limits, cycles),
  ]
}

/** Describes each limit that is passed, in one sentence each. */
export const findExcess = (
  sizes: readonly PartSize[],
  { maxLines, medianLines: median }: ModuleLimits,
): readonly string[] =>
  sizes.flatMap(({ part, files, maxFiles, medianLines, maxMedianLines, longest, cycles }) => [
    ...(files > maxFiles ? [`${part} has ${files} modules, at most ${maxFiles} are allowed`] : []),
    ...(medianLines < median.min || medianLines > maxMedianLines
      ? [`the median module of ${part} has ${medianLines} lines, allowed are ${median.min} to ${maxMedianLines}`]
      : []),
    ...(longest.lines > maxLines
      ? [`${longest.path} has ${longest.lines} lines, at most ${maxLines} are allowed`]
      : []),
    ...cycles.map((cycle) => `these modules import each other: ${cycle.join(', ')}`),
  ])

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const limits = readLimits()
  const sizes = measureParts(readModules(), limits, await findCycles())
  const rows = sizes.map(
    ({ part, files, maxFiles, medianLines, longest, cycles }) =>
      `| ${part} | ${files} | ${maxFiles} | ${medianLines} | ${longest.lines} | ${cycles.length} |`,
  )
  console.log(
    ['| part | modules | at most | median lines | longest | cycles |', '|---|---|---|---|---|---|', ...rows].join('\n'),
  )
  const excess = findExcess(sizes, limits)
  for (const line of excess) console.error(line)
  if (excess.length > 0) process.exitCode = 1
}

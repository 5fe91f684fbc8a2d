// Builds the extension. `npm run build --workspace extension` writes it to `extension/dist/chromium` and
// `extension/dist/firefox`, which browsers load as they are. `npm run release` packs the same files.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import UPNG from 'upng-js'
import { createLocales, createManifest, iconSizes, type Target, targets, toJson } from './manifest.ts'
import type { Files } from './zip.ts'

/** The style sheets in their order; the first ones are from the pages of the server. */
const styles = [
  'src/pages/style/tokens.css',
  'src/pages/style/base.css',
  'src/pages/style/parts.css',
  'extension/src/style.css',
]

const packageFolder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/u
const licenseFile = /^(?:licen[cs]e|copying)(?:\.\w+)?$/iu

/** Writes the licenses of the npm packages with these modules as one text. @throws Error for a package without one */
const describeLicenses = (moduleIds: readonly string[]): string => {
  const folders = new Set(moduleIds.flatMap((id) => packageFolder.exec(id)?.[0] ?? []))
  return [...folders]
    .map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const file = readdirSync(folder).find((path) => licenseFile.test(path))
      if (file === undefined) throw new Error(`${name} ${version} has no license file; look at it before you bundle it`)
      return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
    })
    .sort()
    .join('\n')
}

/** Returns the scripts by file name, and the licenses of the packages in them. */
const bundleScripts = async (project: string): Promise<readonly (readonly [path: string, code: string])[]> => {
  const bundle = await rolldown({
    cwd: project,
    input: {
      background: 'extension/src/background.ts',
      popup: 'extension/src/popup.tsx',
      setup: 'extension/src/setup.tsx',
    },
    platform: 'browser',
    tsconfig: false,
    transform: { jsx: { runtime: 'automatic', importSource: 'preact', development: false }, target: 'es2023' },
  })
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'shared-[name].js',
      minify: true,
      comments: { legal: true },
    })
    const chunks = output.filter((file) => file.type === 'chunk')
    return [
      ...chunks.map(({ fileName, code }) => [fileName, code] as const),
      ['licenses.txt', describeLicenses(chunks.flatMap(({ moduleIds }) => moduleIds))],
    ]
  } finally {
    await bundle.close()
  }
}

/** Scales a square picture to a size that divides its own: each pixel is the average of a square of pixels. */
const scale = (png: Buffer, size: number): Uint8Array => {
  const picture = UPNG.decode(png.buffer.slice(png.byteOffset, png.byteOffset + png.byteLength) as ArrayBuffer)
  const step = picture.width / size
  if (!Number.isInteger(step)) throw new Error(`an icon of ${picture.width} pixels cannot be scaled to ${size}`)
  const from = new Uint8Array(UPNG.toRGBA8(picture)[0] ?? new ArrayBuffer(0))
  const to = new Uint8Array(size * size * 4)
  for (let at = 0; at < to.length; at++) {
    const [column, row] = [(at >> 2) % size, Math.floor((at >> 2) / size)]
    let sum = 0
    for (let y = 0; y < step; y++) {
      for (let x = 0; x < step; x++) {
        sum += from[((row * step + y) * picture.width + column * step + x) * 4 + (at & 3)] ?? 0
      }
    }
    to[at] = Math.round(sum / step ** 2)
  }
  return new Uint8Array(UPNG.encode([to.buffer], size, size, 0))
}

/** The files of the extension, for the two ways to install it. */
export interface BuiltExtension {
  /** Returns all files for a browser; `isForStore` is explained at `createManifest`. */
  readonly listFiles: (target: Target, isForStore?: boolean) => Files
}

/** Builds the extension of the project in this folder, with the version of its package.json. */
export const buildExtension = async (project: string): Promise<BuiltExtension> => {
  const read = (path: string) => readFileSync(join(project, path))
  const { version } = JSON.parse(read('package.json').toString())
  const icon = read('web/public/icon-512.png')
  const shared: Files = new Map<string, string | Uint8Array>([
    ...(await bundleScripts(project)),
    ['popup.html', read('extension/src/popup.html')],
    ['setup.html', read('extension/src/setup.html')],
    ['style.css', styles.map((path) => read(path).toString()).join('\n')],
    ...iconSizes.map((size) => [`icon-${size}.png`, scale(icon, size)] as const),
    ...createLocales(),
    ['LICENSE', read('LICENSE')],
  ])
  return {
    listFiles: (target, isForStore) =>
      new Map([...shared, ['manifest.json', toJson(createManifest(target, version, isForStore))]]),
  }
}

/** Writes the files into a folder, which it empties first. */
export const writeExtension = (files: Files, folder: string): void => {
  rmSync(folder, { recursive: true, force: true })
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const project = fileURLToPath(new URL('../..', import.meta.url))
  const built = await buildExtension(project)
  for (const target of targets) writeExtension(built.listFiles(target), join(project, 'extension/dist', target))
}

import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** A program of this folder as JavaScript, which starts in a tenth of the time that it takes from its source. */
export interface CompiledProgram {
  readonly path: string
  /** The folder that holds it, to be removed when it is needed no more. */
  readonly folder: string
}

/** Lists these modules and all that they import, directly or through others, outside of packages. */
const listWithImports = async (modules: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>()
  const read = async (path: string): Promise<void> => {
    if (texts.has(path)) return
    const text = await readFile(path, 'utf8')
    texts.set(path, text)
    for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles)
      if (fileName.startsWith('.')) await read(join(dirname(path), fileName))
  }
  for (const path of modules) await read(path)
  return texts
}

/** Compiles the store, its contract, this folder and what they import into a temporary folder, without type checks. */
export const compileProgram = async (name: string): Promise<CompiledProgram> => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-faults-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  // With exports, so that the program finds its version by the package's own name.
  const described = {
    name: 'thingsync',
    version: '0.0.0',
    type: 'module',
    exports: { './package.json': './package.json' },
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(described))
  const folders = ['src/store', 'test/store'].map((path) =>
    readdir(join(root, path), { recursive: true, withFileTypes: true }),
  )
  const sources = (await Promise.all(folders))
    .flat()
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
  for (const [source, text] of await listWithImports(sources)) {
    const target = join(folder, relative(root, source)).replace(/\.ts$/, '.js')
    const { outputText } = ts.transpileModule(text, {
      fileName: source,
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2022,
        rewriteRelativeImportExtensions: true,
        verbatimModuleSyntax: true,
      },
    })
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, outputText)
  }
  return { path: join(folder, 'test/store/faults', name), folder }
}

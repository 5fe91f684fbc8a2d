import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

// tsx brings esbuild along.
const esbuild = join(dirname(createRequire(import.meta.resolve('tsx')).resolve('esbuild/package.json')), 'bin/esbuild')
const options = ['--bundle', '--format=esm', '--platform=browser', '--target=es2023', '--log-level=warning']

/** The script that a browser runs for a source file in this folder; fails for what no browser has. */
export const bundleForBrowser = async (folder: string, file: string): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [esbuild, file, ...options], {
    cwd: folder,
    maxBuffer: 10_000_000,
  })
  return stdout
}

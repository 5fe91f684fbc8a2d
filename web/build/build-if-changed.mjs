// `npm run build` in this workspace: builds the web app, unless the last build has the same inputs. So `npm start` does
// not wait for a build, and a running server keeps its files.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const web = join(import.meta.dirname, '..')
const root = join(web, '..')
const stamp = join(web, '.built')
const isInput = (path) => !/(^|\/)(dist|node_modules|\.built)(\/|$)|\.test\.tsx?$/.test(path)

const hash = createHash('sha256')
for (const folder of ['web', 'client', 'src', 'generated']) {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  for (const path of paths
    .map((one) => one.slice(root.length + 1))
    .filter(isInput)
    .sort()) {
    hash.update(`${path}\n`).update(readFileSync(join(root, path)))
  }
}
const inputs = hash.update(readFileSync(join(root, 'package-lock.json'))).digest('hex')

const isFresh =
  existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs && existsSync(join(web, 'dist', 'index.html'))
if (!isFresh) {
  rmSync(stamp, { force: true })
  const { status } = spawnSync('vite build --logLevel warn', { cwd: web, stdio: 'inherit', shell: true })
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(stamp, inputs)
}

// Links the commands `npx --no-install thingsync` and `npx --no-install thingsync-conformance` in a built clone. npm
// links the commands of a package only at its installation, and only when they exist by then.
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { relative, resolve } from 'node:path'

const folder = resolve('node_modules/.bin')
mkdirSync(folder, { recursive: true })
for (const packageFolder of ['.', 'conformance']) {
  const { bin } = JSON.parse(readFileSync(resolve(packageFolder, 'package.json'), 'utf8'))
  for (const [name, path] of Object.entries(bin)) {
    const target = resolve(packageFolder, path)
    chmodSync(target, 0o755)
    if (process.platform === 'win32') continue
    rmSync(resolve(folder, name), { force: true })
    symlinkSync(relative(folder, target), resolve(folder, name))
  }
}

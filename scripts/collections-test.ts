/**
 * Runs the Postman collection with newman and the Bruno collection with Bruno's command line, each against its own
 * server: `npm run collections:test`. Every response must have status 200. The script installs the tools at first use.
 */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { collectionPaths } from './collections/write-collections.ts'
import { installPackage, ToolMissing } from './outside-tools/install-tools.ts'
import { openLiveServer } from './sdk-test/servers.ts'

const user = { username: 'änna', password: 'correct horse 🐴' }

async function runCollection(command: string, args: readonly string[], folder: string): Promise<boolean> {
  const server = await openLiveServer(user)
  const { clientId, clientSecret } = server
  const pageUrl = new URL('../docs', server.baseUrl).href
  const known = { baseUrl: server.baseUrl.replace(/\/$/, ''), clientId, clientSecret, pageUrl, ...user }
  const variables = Object.entries(known).flatMap((pair) => ['--env-var', pair.join('=')])
  try {
    return spawnSync(command, [...args, ...variables], { cwd: folder, stdio: 'inherit' }).status === 0
  } finally {
    await server.close()
  }
}

try {
  const newman = join(installPackage('newman', '6.2.2'), 'newman')
  const bruno = join(installPackage('@usebruno/cli', '4.1.0'), 'bru')
  const hasPostmanPassed = await runCollection(newman, ['run', resolve(collectionPaths.postman)], '.')
  const hasBrunoPassed = await runCollection(bruno, ['run', '--env', 'server'], collectionPaths.bruno)
  process.exitCode = hasPostmanPassed && hasBrunoPassed ? 0 : 1
} catch (error) {
  if (!(error instanceof ToolMissing)) throw error
  console.error(error.message)
  process.exitCode = 1
}

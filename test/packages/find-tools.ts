import { spawnSync } from 'node:child_process'
import { ToolMissing } from '../../scripts/outside-tools/install-tools.ts'

/** Commands that the tests of packages run, and the Debian packages that bring them. */
const tools = {
  mmdebstrap: 'mmdebstrap',
  rpm: 'rpm',
  ip: 'iproute2',
  nsenter: 'util-linux',
  'systemd-analyze': 'systemd',
  podman: 'podman',
  runc: 'runc',
  caddy: 'caddy',
}

/**
 * Checks that all tools are there.
 * @throws ToolMissing with the line that brings it
 */
export const findTools = (): void => {
  if (process.getuid?.() !== 0) {
    throw new ToolMissing('test:packages: only root may make and start trees of Debian; run it as root')
  }
  const isMissing = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0
  const missing = Object.entries(tools).flatMap(([command, name]) => (isMissing(command) ? [name] : []))
  if (missing.length === 0) return
  const list = [...new Set(missing)].join(' ')
  throw new ToolMissing(`test:packages: apt-get install --no-install-recommends ${list}`)
}

import { ReleaseFailed } from './run-command.ts'

/** A kind of machine that there are archives and packages for. */
export interface Platform {
  readonly name: string
  /** How npm chooses what is built for one kind of machine only. */
  readonly npm: readonly string[]
  /** The name of the npm package that holds Node for it. */
  readonly nodePackage: string
  /** Its name in Go, from which nfpm derives those of Debian and of rpm. */
  readonly arch: string
}

/** The Node that archives and packages bring: the line that most people run, supported until April 2028. */
export const nodeVersion = '24.21.0'

const linux = (arch: 'x64' | 'arm64', goName: string): Platform => ({
  name: `linux-${arch}`,
  npm: ['--os=linux', `--cpu=${arch}`, '--libc=glibc'],
  nodePackage: `node-linux-${arch}`,
  arch: goName,
})

const platforms = [linux('x64', 'amd64'), linux('arm64', 'arm64')]

/**
 * The platforms of a list of names with commas.
 * @throws ReleaseFailed for a name that is not known
 */
export const findPlatforms = (names: string): Platform[] =>
  names.split(',').map((name) => {
    const platform = platforms.find((one) => one.name === name)
    if (platform !== undefined) return platform
    throw new ReleaseFailed(`there is no platform ${name}; take ${platforms.map((one) => one.name).join(', ')}`)
  })

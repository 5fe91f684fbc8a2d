import { spawnSync } from 'node:child_process'
import { toolchains } from './toolchains.ts'

/** A language whose SDK is built and can be run, with the versions of its tools. */
export type Prepared = { language: string; folder: string; run: readonly string[]; versions: string }

const firstVersion = (text: string): string => /\d+\.\d+(\.\d+)?/.exec(text)?.[0] ?? 'unknown'

/** Checks the tools of a language and builds its SDK; throws with one line that says what to install or what failed. */
export function prepareLanguage(language: string): Prepared {
  const toolchain = toolchains[language]
  if (toolchain === undefined) throw new Error(`${language}: no SDK; there are ${Object.keys(toolchains).join(', ')}`)
  const folder = `sdk/${language}`
  const versions = toolchain.needs.map(({ program, version, install }) => {
    const shown = spawnSync(program, version, { encoding: 'utf8' })
    if (shown.error !== undefined || shown.status !== 0) throw new Error(`${language} needs ${program}: ${install}`)
    return `${program} ${firstVersion(shown.stdout + shown.stderr)}`
  })
  for (const [program = '', ...args] of toolchain.prepare) {
    const built = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
    if (built.status !== 0) {
      throw new Error(
        `${language}: ${program} ${args.join(' ')} failed\n${built.stdout}${built.stderr}${built.error ?? ''}`,
      )
    }
  }
  return { language, folder, run: toolchain.run, versions: versions.join(', ') }
}

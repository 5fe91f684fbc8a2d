import { setup as build } from '../support/build-program.ts'
import { allProxies, findProgram } from './proxies.ts'

/** Says in one line which proxies are not installed; with CI=true none may be missing. */
export const setup = (): void => {
  const missing = allProxies.filter(({ program }) => findProgram(program) === undefined)
  if (missing.length > 0) {
    const sentence = `not tried, because not installed: ${missing.map(({ name }) => name).join(', ')} (apt-get install ${missing.map((proxy) => proxy.package).join(' ')})`
    if (process.env.CI === 'true') throw new Error(sentence)
    console.error(sentence)
  }
  build()
}

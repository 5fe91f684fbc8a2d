import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/**
 * What a script was told on its command line, each option with a text. What it cannot understand ends the process with 2,
 * behind the usage.
 */
export const readOptions = <Given extends Options>(options: Given, usage: string) => {
  const fail = (reason: string): never => {
    process.stderr.write(`${reason}\n${usage}\n`)
    process.exit(2)
  }
  const read = () => {
    try {
      return parseArgs({ options }).values
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      return fail(error.message)
    }
  }
  const values = read()
  return {
    values,
    /** The number of an option, if it `isMeant`; `what` completes "--kills many is not …". */
    readNumber: (name: keyof typeof values & string, isMeant: (number: number) => boolean, what: string): number => {
      const number = Number(values[name])
      return isMeant(number) ? number : fail(`--${name} ${values[name]} is not ${what}`)
    },
  }
}

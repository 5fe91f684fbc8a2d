import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/**
 * Reads the options of a script from its command line. For invalid options it prints the reason and the usage, and ends
 * the process with exit code 2.
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
    /** Reads an option as a number that `isValid` accepts. `expected` completes the error "--kills many is not …". */
    readNumber: (name: keyof typeof values & string, isValid: (value: number) => boolean, expected: string): number => {
      const number = Number(values[name])
      return isValid(number) ? number : fail(`--${name} ${values[name]} is not ${expected}`)
    },
  }
}

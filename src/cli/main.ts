#!/usr/bin/env node
import { endQuietlyWithReader } from './output.ts'
import { runProgram } from './program.ts'

endQuietlyWithReader()
const exitCode = await runProgram(process.argv)
// Not process.exit: a pipe may not have all output yet. An exit code that a failed output has set stays.
process.exitCode ||= exitCode

#!/usr/bin/env node
import { endQuietlyWithReader } from './output.ts'
import { runProgram } from './program.ts'

endQuietlyWithReader()
const exitCode = await runProgram(process.argv)
// Not process.exit: what was written to a pipe is still on its way. And when that failed, it stays failed.
process.exitCode ||= exitCode

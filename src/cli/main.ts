#!/usr/bin/env node
import { runProgram } from './program.ts'

// Not process.exit: what was written to a pipe is still on its way.
process.exitCode = await runProgram(process.argv)

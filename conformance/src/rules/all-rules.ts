import type { Rule } from '../rule.ts'
import { coreRules } from './core/all-core-rules.ts'

/** Every rule of the suite, in the order of the interface's sections. */
export const allRules: readonly Rule[] = [...coreRules]

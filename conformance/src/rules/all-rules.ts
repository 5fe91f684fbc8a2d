import { historyRules } from '../histories/history-rules.ts'
import type { Rule } from '../rule.ts'
import { coreRules } from './core/all-core-rules.ts'
import { fullRules } from './full/all-full-rules.ts'

/** Every rule of the suite: those of the profile core by the interface's sections, the random histories, those of full. */
export const allRules: readonly Rule[] = [...coreRules, ...historyRules, ...fullRules]

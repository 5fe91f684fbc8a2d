import { createLogTo } from '../../src/log/log.ts'

/** The log as a server writes it, and its lines. */
export const recordLog = (level: 'debug' | 'info' = 'info') => {
  const lines: Record<string, unknown>[] = []
  const write = (line: string): void => {
    lines.push(JSON.parse(line))
  }
  return { lines, log: createLogTo({ write }, level) }
}

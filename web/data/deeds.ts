import type { Desk } from './desk.ts'
import type { Row } from './rows.ts'

type Doing = Pick<Desk, 'perform'>

const nameOf = (rows: readonly Row[]): string => rows[0]?.title ?? ''

/** Archives things, or takes them out of the archive when all of them are in it. */
export const toggleArchived = (desk: Doing, rows: readonly Row[]) => {
  const archived = rows.some((row) => !row.archived)
  const steps = rows
    .filter((row) => row.archived !== archived)
    .map(({ id }) => ({ kind: 'change', id, fields: { archived } }) as const)
  return desk.perform({ kind: archived ? 'archived' : 'unarchived', name: nameOf(rows) }, steps)
}

/** Deletes things. */
export const deleteThings = (desk: Doing, rows: readonly Row[]) =>
  desk.perform(
    { kind: 'deleted', name: nameOf(rows) },
    rows.map(({ id }) => ({ kind: 'remove', id }) as const),
  )

/** Ticks off the todos among things, or opens them again when all of them are done. */
export const toggleDone = (desk: Doing, rows: readonly Row[]) => {
  const todos = rows.filter((row) => row.todoStatus !== undefined)
  const todoStatus = todos.some((row) => row.todoStatus === false)
  const steps = todos
    .filter((row) => row.todoStatus !== todoStatus)
    .map(({ id }) => ({ kind: 'change', id, fields: { todoStatus } }) as const)
  return desk.perform({ kind: todoStatus ? 'done' : 'opened', name: nameOf(todos) }, steps)
}

import type { TagSettings } from '../store/model.ts'
import type { TagSettingsChange } from './upload.ts'

/** The settings of a tag of which nothing was ever said. */
export const unset: TagSettings = { favorite: false, color: false, todo: false }

/**
 * The settings of a tag after a change; what the change does not say, or says null of, stays. Colors are kept in lower
 * case (interface 2.2; contract, sync 12).
 */
export const mergeTagSettings = (change: TagSettingsChange, settings: TagSettings = unset): TagSettings => {
  const color = change.color ?? settings.color
  const todo = change.todo ?? settings.todo
  return {
    favorite: change.favorite ?? settings.favorite,
    color: color === false ? false : color.toLowerCase(),
    todo: todo === true ? 'strike' : todo,
  }
}

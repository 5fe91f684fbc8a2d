import { expectSame, expectTag } from '../../expect.ts'
import { showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import { off, type TagSettings } from '../../sync-request.ts'

/** Makes a todo tag of the tag that is named by the mark. */
export const setTodoTag = async (lab: Lab): Promise<void> => {
  await (await lab.replica('phone')).setTag(lab.mark, { ...off, todo: true })
}

/** A text in lower case, anything else as it is: the letter case of colours is the server's choice. */
export const lowerCase = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)

/** Sets a colour of its own for each name, and expects every name to come back with it, in a delta and in full. */
export const expectNamed = async (lab: Lab, names: readonly string[]): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const from = await laptop.position()
  const tag = Object.fromEntries(
    names.map((name, place): [string, TagSettings] => [
      name,
      { ...off, favorite: true, color: `#${(0xa1b200 + place).toString(16)}` },
    ]),
  )
  await phone.sync({ from, tag })
  for (const answer of [await laptop.sync({ from }), await laptop.listAll()]) {
    for (const [name, { color }] of Object.entries(tag)) {
      const settings = expectTag(answer, name, 'phone set them')
      expectSame(lowerCase(settings.color), color, `color of the tag ${showValue(name)}`, answer)
    }
  }
}

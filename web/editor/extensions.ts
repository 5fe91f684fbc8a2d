import { Extension, getSchema } from '@tiptap/core'
import { StarterKit } from '@tiptap/starter-kit'
import { readSafeAddress } from '../data/add-line.ts'

/** Tab leaves the note, as everywhere else; so lists have keys of their own. */
const ListKeys = Extension.create({
  name: 'listKeys',
  addKeyboardShortcuts() {
    return {
      'Mod-]': () => this.editor.commands.sinkListItem('listItem'),
      'Mod-[': () => this.editor.commands.liftListItem('listItem'),
    }
  },
})

/** What a note can hold in the editor, and the keys for it. */
export const extensions = [
  StarterKit.configure({
    // It would add an empty paragraph below a list or code that ends a note.
    trailingNode: false,
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (address) => readSafeAddress(address) !== undefined,
      // Where a link opens is the business of the page that shows it.
      HTMLAttributes: { target: null, rel: null, class: null },
    },
  }),
  ListKeys,
]

/** The shape of notes in the editor. */
export const noteSchema = getSchema(extensions)

/** SVG paths of lines on a square of 24, in the color of the surrounding text. */
const drawings = {
  mark: 'M4 9a8.5 8.5 0 0 1 15-1.5M20 15a8.5 8.5 0 0 1-15 1.5M19.5 3v4.8h-4.8M4.5 21v-4.8h4.8',
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13M15.5 15.5 20 20',
  link: 'M9.5 14.5l5-5M11 6.5l1.8-1.8a4.6 4.6 0 0 1 6.5 6.5L17.5 13M13 17.5l-1.8 1.8a4.6 4.6 0 0 1-6.5-6.5L6.5 11',
  note: 'M5 7h14M5 12h14M5 17h8',
  chevron: 'M9.5 6l6 6-6 6',
  settings: 'M4 7h8M16 7h4M14 5v4M4 17h4M12 17h8M10 15v4',
  close: 'M7 7l10 10M17 7 7 17',
  pin: 'M9 4h6l-1 6 3.5 3.5h-11L10 10ZM12 13.5V20',
} as const

/** A decorative icon, hidden from screen readers; a text beside it has the meaning. */
export const Icon = ({ name }: { readonly name: keyof typeof drawings }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={drawings[name]} />
  </svg>
)

/** The name of the app with its icon, as on the server's pages. */
export const Mark = () => (
  <span class="mark">
    <Icon name="mark" />
    thingsync
  </span>
)

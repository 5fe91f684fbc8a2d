/** SVG paths of lines on a square of 24, in the color of the surrounding text. */
const drawings = {
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13M15.5 15.5 20 20',
  link: 'M9.5 14.5l5-5M11 6.5l1.8-1.8a4.6 4.6 0 0 1 6.5 6.5L17.5 13M13 17.5l-1.8 1.8a4.6 4.6 0 0 1-6.5-6.5L6.5 11',
  note: 'M5 7h14M5 12h14M5 17h8',
  chevron: 'M9.5 6l6 6-6 6',
  settings: 'M4 7.5h7.5M16.5 7.5H20M14 5a2.5 2.5 0 1 1-.01 0M4 16.5h3.5M12.5 16.5H20M10 14a2.5 2.5 0 1 1-.01 0',
  close: 'M7 7l10 10M17 7 7 17',
  pin: 'M9 4h6l-1 6 3.5 3.5h-11L10 10ZM12 13.5V20',
  archive: 'M4 5h16v4H4zM5.5 9v10h13V9M10 13h4',
  tag: 'M4 4h7.5L20 12.5 12.5 20 4 11.5zM8.2 8.2v.01',
  edit: 'M4.5 19.5l.9-4L16 4.9l3.1 3.1L8.5 18.6zM13.5 7.4l3.1 3.1',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l1 12.5h8L17 7M10.5 11v5M13.5 11v5',
  list: 'M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5v.01M4.5 12v.01M4.5 17.5v.01',
  plus: 'M12 5v14M5 12h14',
  more: 'M5.5 11.2a.8.8 0 1 1-.01 0M12 11.2a.8.8 0 1 1-.01 0M18.5 11.2a.8.8 0 1 1-.01 0',
  refresh: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 4v4.5H15',
  check: 'M5 12.5 10 17.5 19.5 7',
} as const

/** A decorative icon, hidden from screen readers; a text beside it has the meaning. */
export const Icon = ({ name }: { readonly name: keyof typeof drawings }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={drawings[name]} />
  </svg>
)

/** The logo: two rows of a list, in step. The server's pages have the same (`src/pages/render-page.tsx`). */
export const Logo = () => (
  <svg class="logo" viewBox="0 0 24 24" aria-hidden="true">
    <rect width="24" height="24" rx="6" />
    <path d="M6.75 8.25h.01M12.25 8.25h5M6.75 15.75h5M17.25 15.75h.01" />
  </svg>
)

/** The name of the app with its logo, as on the server's pages. */
export const Mark = () => (
  <span class="mark">
    <Logo />
    thingsync
  </span>
)

/** SVG paths of lines on a square of 24, in the color of the surrounding text. */
const drawings = {
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13M15.5 15.5 20 20',
  link: 'M9.5 14.5l5-5M11 6.5l1.8-1.8a4.6 4.6 0 0 1 6.5 6.5L17.5 13M13 17.5l-1.8 1.8a4.6 4.6 0 0 1-6.5-6.5L6.5 11',
  note: 'M5 7h14M5 12h14M5 17h8',
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

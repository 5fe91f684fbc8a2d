/** Black or white, whichever is read better on this colour (`#rgb` or `#rrggbb`). */
export const inkOn = (color: string): '#000' | '#fff' => {
  const digits = color.length === 4 ? [...color.slice(1)].map((digit) => digit + digit).join('') : color.slice(1)
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((start) => {
    const part = Number.parseInt(digits.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  // Where the contrast to black and to white is the same (WCAG 2, relative luminance).
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff'
}

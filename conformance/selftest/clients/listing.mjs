/**
 * Reads the response of a sync as a stream: hands each thing of `things.changed` to `take`, and resolves to the rest of the
 * response. Holds one thing at a time. @throws SyntaxError when the text is no JSON
 */
export async function splitListing(stream, take) {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const path = []
  let [rest, thing, key, text] = ['', undefined, '', '']
  let [isString, isEscaped, isInThings] = [false, false, false]
  const scan = (chunk) => {
    let start = 0
    for (let index = 0; index < chunk.length; index += 1) {
      const code = chunk.charCodeAt(index)
      if (isString) {
        if (isEscaped) isEscaped = false
        else if (code === 92) isEscaped = true
        else if (code === 34) {
          isString = false
          key = text
        }
        if (isString && path.length <= 3) text += chunk[index]
        continue
      }
      if (code === 34) {
        isString = true
        text = ''
      } else if (code === 123 || code === 91) {
        path.push(key)
        isInThings ||= code === 91 && path.length === 3 && path[1] === 'things' && path[2] === 'changed'
        if (isInThings && path.length === 4) {
          rest += chunk.slice(start, index)
          start = index
          thing = ''
        }
        key = ''
      } else if (code === 125 || code === 93) {
        if (isInThings && path.length === 4) {
          take(JSON.parse(thing + chunk.slice(start, index + 1)))
          thing = undefined
          start = index + 1
        }
        path.pop()
        if (path.length < 3) isInThings = false
      } else if (isInThings && thing === undefined && code === 44) {
        // The commas between the things do not belong to the rest.
        rest += chunk.slice(start, index)
        start = index + 1
      }
    }
    if (thing === undefined) rest += chunk.slice(start)
    else thing += chunk.slice(start)
  }
  for await (const bytes of stream) scan(decoder.decode(bytes, { stream: true }))
  scan(decoder.decode())
  return JSON.parse(rest)
}

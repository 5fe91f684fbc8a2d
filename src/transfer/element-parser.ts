import { type Handler, Parser, type ParserOptions } from 'htmlparser2'
import { maxElementDepth } from './limits.ts'

/** The elements that a parser has open, the innermost first. */
export const openElements = (parser: Parser): string[] => {
  // It is private, but nothing else bounds it; the time of each tag grows with it.
  const { stack } = parser as unknown as { readonly stack: string[] }
  return stack
}

/**
 * A parser of HTML that has at most `maxDepth` elements open. Those in them are taken for what they contain, so no
 * text is lost; browsers do the same.
 */
export const createElementParser = (
  handler: Partial<Handler>,
  options: ParserOptions,
  maxDepth = maxElementDepth,
): Parser => {
  let isTooDeep = false
  const parser = new Parser(
    {
      ...handler,
      onopentagname: (name) => {
        const elements = openElements(parser)
        isTooDeep = elements.length > maxDepth
        if (isTooDeep) elements.shift()
        else handler.onopentagname?.(name)
      },
      onopentag: (name, attributes, isImplied) => {
        if (!isTooDeep) handler.onopentag?.(name, attributes, isImplied)
      },
    },
    options,
  )
  return parser
}

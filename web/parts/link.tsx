import type { ComponentChildren, CSSProperties } from 'preact'
import type { ViewState } from '../data/view-state.ts'
import { useShared } from './desk-context.ts'

interface LinkProps {
  readonly to: ViewState
  readonly children: ComponentChildren
  readonly class?: string
  readonly style?: CSSProperties
  readonly dir?: 'auto'
  readonly 'aria-current'?: 'page' | 'true' | undefined
}

/** A link to another view, which opens in a new tab where a person asks for one. */
export const Link = ({ to, children, ...more }: LinkProps) => {
  const { navigation } = useShared()
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    navigation.go(to)
  }
  return (
    <a {...more} href={navigation.href(to)} onClick={follow}>
      {children}
    </a>
  )
}

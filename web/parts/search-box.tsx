import { useEffect, useRef } from 'preact/hooks'
import { maxQueryCharacters, toggleTagIn } from '../data/query.ts'
import { useShared } from './desk-context.ts'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'
import { TagChip } from './tag-chip.tsx'
import { useTagSettings } from './use-tag-settings.ts'

/** The search, its usual filters, and the favourite tags. */
export const SearchBox = ({ query }: { readonly query: string }) => {
  const { desk, navigation } = useShared()
  const say = desk.words.search
  const settings = useTagSettings()
  const began = useRef(false)
  const favourites = [...settings].filter(([, { favorite }]) => favorite).map(([name]) => name)
  const words = query.split(/\s+/u)
  const field = useRef<HTMLInputElement>(null)

  useEffect(() => {
    // Back and forward change it, too. What this was drawn with may be a key behind what is being typed by now.
    const now = navigation.view.read().query
    if (query === now && field.current !== null && field.current.value !== now) field.current.value = now
  }, [query])
  const type = (text: string) => {
    const next = { screen: 'things', query: text } as const
    // The first key begins a new step for the back button, the others go on with it.
    if (began.current) navigation.replace(next)
    else navigation.go(next)
    began.current = true
  }
  const filters = [
    ['', say.all],
    ['is:open', say.open],
    ['is:archived', say.archived],
  ] as const
  return (
    <search class="find">
      <label class="aside" for="search">
        {say.label}
      </label>
      <div class="search-field">
        <Icon name="search" />
        <input
          id="search"
          ref={field}
          type="search"
          defaultValue={query}
          maxLength={maxQueryCharacters}
          placeholder={say.hint}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          enterkeyhint="search"
          dir="auto"
          onInput={(event) => type(event.currentTarget.value)}
          onBlur={() => {
            began.current = false
          }}
        />
      </div>
      <nav class="chips" aria-label={say.filters}>
        {filters.map(([filter, name]) => (
          <Link
            key={filter}
            to={{ screen: 'things', query: filter }}
            class="chip plain-chip"
            aria-current={query.trim() === filter ? 'true' : undefined}
          >
            {name}
          </Link>
        ))}
        {favourites.map((name) => (
          <TagChip
            key={name}
            name={name}
            settings={settings}
            isCurrent={words.includes(`#${name}`)}
            query={toggleTagIn(query, name)}
          />
        ))}
      </nav>
    </search>
  )
}

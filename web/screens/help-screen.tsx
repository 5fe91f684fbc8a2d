import { useShared } from '../parts/context.tsx'

/** The help: all keys, the search syntax, and how to add items. */
export const HelpScreen = () => {
  const { words } = useShared().model
  const texts = words.helpScreen
  return (
    <section class="sheet">
      <h1>{words.help}</h1>
      <h2>{texts.keys}</h2>
      <dl class="facts keys">
        {Object.entries(texts.key).map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <h2>{texts.searching}</h2>
      <dl class="facts keys">
        {Object.entries(texts.search).map(([query, meaning]) => (
          <div key={query}>
            <dt>
              <code>{query}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <h2>{texts.adding}</h2>
      <p>{texts.addingText}</p>
      <p>{texts.todos}</p>
      <p>{texts.nested}</p>
      <p>{texts.swipe}</p>
    </section>
  )
}

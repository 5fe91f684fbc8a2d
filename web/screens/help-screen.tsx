import { useShared } from '../parts/context.tsx'

/** All keys, and what may be typed where. */
export const HelpScreen = () => {
  const { words } = useShared().model
  const say = words.helpScreen
  return (
    <section class="sheet">
      <h1>{words.help}</h1>
      <h2>{say.keys}</h2>
      <dl class="facts keys">
        {Object.entries(say.key).map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <h2>{say.searching}</h2>
      <dl class="facts keys">
        {Object.entries(say.search).map(([query, meaning]) => (
          <div key={query}>
            <dt>
              <code>{query}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <h2>{say.adding}</h2>
      <p>{say.addingText}</p>
      <p>{say.todos}</p>
      <p>{say.swipe}</p>
    </section>
  )
}

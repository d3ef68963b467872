import type { RecordedStory, ShownDifference } from '../../src/recording/entry.ts'
import type { Store } from '../model/store.ts'
import { texts } from '../language/index.ts'

/** Leads through the story of a finding, whatever else is shown. */
export function StoryBar({
  store,
  story,
  onClose,
}: {
  store: Store
  story: RecordedStory
  onClose: () => void
}) {
  const t = texts()
  const index = store.storyStep
  const count = story.steps.length
  return (
    <div class="story-bar" role="group" aria-label={t.story}>
      <button type="button" disabled={index <= 0} onClick={() => store.showStep(index - 1)}>
        <span aria-hidden="true">◂</span>
        {t.stepBefore}
      </button>
      <button type="button" disabled={index >= count - 1} onClick={() => store.showStep(index + 1)}>
        {t.stepAfter}
        <span aria-hidden="true">▸</span>
      </button>
      <span role="status">
        <span class="count">{t.stepOf(index + 1, count)}</span> {story.steps[index]?.text}
      </span>
      {store.selection && (
        <button type="button" onClick={() => store.select(undefined)}>
          {t.wholeStory}
        </button>
      )}
      <button type="button" onClick={onClose}>
        {t.backToLive}
      </button>
    </div>
  )
}

/** The whole story of a finding: what is wrong, each step, how it ends, and what to do. */
export function StoryPanel({ store, story }: { store: Store; story: RecordedStory }) {
  const t = texts()
  const shown = store.storyStep
  const { title, summary, details, steps, differences, reference, line, remedy, page } = story
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t.story}>
      <div class="panel-head">
        <div>
          <p class="over">{t.finding}</p>
          <h2>{title}</h2>
        </div>
      </div>
      <p class="lead is-bad">{summary}</p>
      {details !== undefined && <pre class="error">{details}</pre>}
      <h3>{t.storySteps}</h3>
      <ol class="steps">
        {steps.map(({ text }, index) => (
          <li key={index}>
            <button
              type="button"
              class={index > shown ? 'is-ahead' : ''}
              aria-current={index === shown ? 'step' : undefined}
              onClick={() => store.showStep(index)}
            >
              <span class="number" aria-hidden="true">
                {index + 1}
              </span>
              <span>{text}</span>
            </button>
          </li>
        ))}
      </ol>
      {differences.length > 0 && <Differences differences={differences} />}
      {reference && (
        <>
          <h3>{t.shouldEndAs}</h3>
          {reference.length === 0 ? (
            <p>{t.asItBegan}</p>
          ) : (
            <ul class="causes">
              {reference.map((text, index) => (
                <li key={index}>{text}</li>
              ))}
            </ul>
          )}
        </>
      )}
      <h3>{t.whatToDo}</h3>
      <p>{remedy}</p>
      {line !== undefined && (
        <p class="place">
          {t.lineOfCode} <code>{line}</code>
        </p>
      )}
      {page.startsWith('https://') && (
        <p class="place">
          <a href={page} target="_blank" rel="noreferrer">
            {t.explained}
          </a>
        </p>
      )}
    </div>
  )
}

/** How the final state differs from the expected one. */
function Differences({ differences }: { differences: readonly ShownDifference[] }) {
  const t = texts()
  return (
    <>
      <h3>{t.endsDifferently}</h3>
      {differences.map(({ object, path, expected, found }) => (
        <div key={`${object} ${path}`} class="difference">
          <p>
            {object} {path !== '' && <code>{path}</code>}
          </p>
          <dl>
            <dt>{t.expected}</dt>
            <dd class="is-expected">{valueText(expected)}</dd>
            <dt>{t.found}</dt>
            <dd class="is-found">{valueText(found)}</dd>
          </dl>
        </div>
      ))}
    </>
  )
}

function valueText(value: unknown): string {
  return value === undefined ? texts().absent : JSON.stringify(value, undefined, 2)
}

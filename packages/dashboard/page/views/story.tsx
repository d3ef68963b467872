import type { RecordedStory } from '../../src/recording/story.ts'
import { classWords, stepText } from '../model/finding-text.ts'
import type { Store } from '../model/store.ts'
import { language, texts } from '../language/index.ts'
import { FindingEnd, FindingSummary, Words } from './finding.tsx'

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
  const step = story.steps[index]
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
        <span class="count">{t.stepOf(index + 1, count)}</span> {step && stepText(step, language())}
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
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t.story}>
      <div class="panel-head">
        <div>
          <p class="over">{t.finding}</p>
          <h2>
            <Words text={classWords(story, language()).title} />
          </h2>
        </div>
      </div>
      <FindingSummary finding={story} />
      <h3>{t.storySteps}</h3>
      <ol class="steps">
        {story.steps.map((step, index) => (
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
              <span>{stepText(step, language())}</span>
            </button>
          </li>
        ))}
      </ol>
      <FindingEnd finding={story} />
    </div>
  )
}

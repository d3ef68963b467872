import { language, texts as pageTexts } from '../../../packages/dashboard/page/language/index.ts'
import { classWords, stepText } from '../../../packages/dashboard/page/model/finding-text.ts'
import { FindingEnd, FindingSummary, Words } from '../../../packages/dashboard/page/views/finding.tsx'
import type { CheckedFinding } from '../worker/messages.ts'
import { texts } from './language/index.ts'
import type { CheckSession } from './check-session.ts'

/** What a check has found so far, or at its end. */
export function CheckPanel({ check }: { check: CheckSession }) {
  const { state } = check
  if (!state) return null
  const t = texts()
  return (
    <section class="check" aria-label={t.checkResult}>
      <div class="toolbar">
        <h2>{t.checkResult}</h2>
        <span role="status">{summaryOf(check)}</span>
        <button type="button" onClick={() => check.stop()}>
          {state.type === 'checking' ? t.stop : t.close}
        </button>
      </div>
      {state.type === 'checking' && (
        <progress value={state.done} max={Math.max(1, state.planned)} aria-label={t.check} />
      )}
      {state.type === 'checked' && state.findings.length > 0 && (
        <ol class="findings" tabIndex={0} aria-label={t.checkedFindings(state.findings.length)}>
          {state.findings.map((found, index) => (
            <li key={index}>
              <Finding found={found} />
              {found.told.steps.length > 0 && (
                <button
                  type="button"
                  title={t.openStoryTitle}
                  disabled={check.opening !== undefined}
                  onClick={() => check.open(found)}
                >
                  {check.opening === found ? t.openingStory : t.openStory}
                </button>
              )}
            </li>
          ))}
        </ol>
      )}
      {state.type === 'problem' && (
        <p class="notice is-bad" role="alert">
          {state.problem === 'blocked' ? t.blocked : state.problem.message}
        </p>
      )}
    </section>
  )
}

/** One finding: what is wrong, its story, how it ends, and what to do. */
function Finding({ found: { told, others } }: { found: CheckedFinding }) {
  const t = texts()
  const { storySteps } = pageTexts()
  return (
    <>
      <h3 class="class">
        <Words text={classWords(told, language()).title} />
      </h3>
      <FindingSummary finding={told} />
      {told.steps.length > 0 && (
        <>
          <h3>{storySteps}</h3>
          <ol class="told">
            {told.steps.map((step, index) => (
              <li key={index}>{stepText(step, language())}</li>
            ))}
          </ol>
        </>
      )}
      {others > 0 && <p class="more">{t.moreStories(others)}</p>}
      <FindingEnd finding={told} />
    </>
  )
}

function summaryOf({ state }: CheckSession): string {
  const t = texts()
  if (state?.type === 'checking')
    return state.planned === 0 ? t.checkStarts : t.checking(state.done, state.planned)
  if (state?.type !== 'checked') return ''
  const { length } = state.findings
  return length === 0 ? t.checkedClean(state.runs) : t.checkedFindings(length)
}

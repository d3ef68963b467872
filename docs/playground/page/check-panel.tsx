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
      {state.type === 'checked' && state.findings > 0 && (
        <pre class="report" tabIndex={0}>
          {state.text}
        </pre>
      )}
      {state.type === 'problem' && (
        <p class="notice is-bad" role="alert">
          {state.problem === 'blocked' ? t.blocked : state.problem.message}
        </p>
      )}
    </section>
  )
}

function summaryOf({ state }: CheckSession): string {
  const t = texts()
  if (state?.type === 'checking')
    return state.planned === 0 ? t.checkStarts : t.checking(state.done, state.planned)
  if (state?.type !== 'checked') return ''
  return state.findings === 0 ? t.checkedClean(state.runs) : t.checkedFindings(state.findings)
}

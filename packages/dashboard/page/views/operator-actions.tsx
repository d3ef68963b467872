import type { Disturbance, OperatorAction } from '../../src/recording/entry.ts'
import { texts } from '../language/index.ts'

const BUTTONS = ['crash', 'restart', 'pause', 'resume', 'step'] as const
const API_STATES = ['normal', 'slow', 'failing'] as const

/** The actions of a user on the operator: end it, pause it, and slow down or fail its API requests. */
export function OperatorActions({
  offered,
  disturbance,
  onAction,
}: {
  offered: readonly OperatorAction[]
  disturbance: Disturbance
  onAction: (action: OperatorAction) => void
}) {
  const t = texts()
  const isUseful = (action: OperatorAction): boolean =>
    action === 'pause'
      ? !disturbance.isPaused
      : action === 'resume' || action === 'step'
        ? disturbance.isPaused
        : true
  const names = { normal: t.apiNormal, slow: t.apiSlow, failing: t.apiFailing }
  return (
    <>
      {BUTTONS.filter((action) => offered.includes(action) && isUseful(action)).map((action) => (
        <button key={action} type="button" title={t[`${action}Title`]} onClick={() => onAction(action)}>
          {t[action]}
        </button>
      ))}
      {offered.includes('api-slow') && (
        <label class="select" title={t.apiTitle}>
          {t.api}
          <select
            value={disturbance.api}
            onChange={(event) => {
              const chosen = API_STATES.find((state) => state === event.currentTarget.value) ?? 'normal'
              onAction(`api-${chosen}`)
            }}
          >
            {API_STATES.map((state) => (
              <option key={state} value={state}>
                {names[state]}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  )
}

/** Says what keeps the operator from its work, so that a user who forgot it is not surprised. */
export function Disturbances({ disturbance: { isPaused, api } }: { disturbance: Disturbance }) {
  const t = texts()
  const said = [
    ...(isPaused ? [t.pausedNotice] : []),
    ...(api === 'slow' ? [t.apiSlowNotice] : api === 'failing' ? [t.apiFailingNotice] : []),
  ]
  if (said.length === 0) return null
  return (
    <p class="notice" role="status">
      {said.join(' ')}
    </p>
  )
}

import type { HealthState } from '../model/health.ts'
import { texts } from '../language/index.ts'

export function stateName(state: HealthState): string {
  return texts()[state]
}

/** A state as a distinct shape, so that it can be recognised without colours. While a reconcile runs, an arrow turns in its place. */
export function StateIcon({ state, isRunning = false }: { state: HealthState; isRunning?: boolean }) {
  const drawn = isRunning ? 'working' : state
  return (
    <svg
      class={`state is-${drawn} ${isRunning ? 'is-turning' : ''}`}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      role="img"
      aria-label={texts()[state]}
    >
      {drawn === 'healthy' && <path d="M3.5 8.5l3 3 6-7" />}
      {drawn === 'working' && <path d="M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3" />}
      {drawn === 'failing' && <path d="M8 3v6M8 12.2v.3" />}
      {drawn === 'deleting' && <path d="M4 4l8 8M12 4l-8 8" />}
    </svg>
  )
}

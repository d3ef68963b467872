import { useRef } from 'preact/hooks'
import type { QueueState } from '../../src/recording/entry.ts'
import { CloseButton } from './close-button.tsx'
import { isFailure, keyOf, type Run } from '../model/run.ts'
import type { Store } from '../model/store.ts'
import { causeText } from '../model/cause-text.ts'
import { spanOf, timeOf } from '../model/times.ts'
import { briefOf } from '../model/words.ts'
import { texts } from '../language/index.ts'

const MOST_RUNS = 40
/** How long a list stays that is replaced as a whole, in milliseconds. */
const UNREADABLE = 500

/** The queue of each controller, and the last reconciles. */
export function QueuePanel({ store, shown }: { store: Store; shown: number }) {
  const queues = [...store.state.queues.values()].toSorted((a, b) => a.controller.localeCompare(b.controller))
  const runs = useLastRuns(store)
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={texts().queuesAndRuns}>
      <h2>{texts().queues}</h2>
      {queues.length === 0 && <p class="hint">{texts().noWork}</p>}
      {queues.map((queue) => (
        <Queue key={queue.controller} queue={queue} shown={shown} />
      ))}
      <h2>{texts().lastReconciles}</h2>
      {runs.length === 0 ? (
        <p class="hint">{texts().noRunsYet}</p>
      ) : (
        <ul class="runs">
          {runs.map((run) => (
            <li key={run.id}>
              <RunLink run={run} store={store} />
            </li>
          ))}
        </ul>
      )}
      {runs.length > 0 && <p class="hint">{texts().chooseMore}</p>}
    </div>
  )
}

/** The last runs. When they come faster than a person reads, the list changes only now and then. */
function useLastRuns(store: Store): readonly Run[] {
  const shown = useRef<{ at: number; of: string; runs: readonly Run[] }>({ at: 0, of: '', runs: [] })
  const { at, runs } = shown.current
  const latest = store.lastRuns(MOST_RUNS)
  const of = `${store.file} ${store.moment}`
  const [last, newestShown] = [latest.at(-1), runs[0]]
  const isReplaced = last && newestShown && last.sequence > newestShown.sequence
  if (isReplaced && of === shown.current.of && performance.now() - at < UNREADABLE) return runs
  shown.current = { at: performance.now(), of, runs: latest }
  return latest
}

function Queue({ queue, shown }: { queue: QueueState; shown: number }) {
  const { controller, requests, running, ready, delayed } = queue
  const more = running + ready + delayed - requests.length
  return (
    <div class="queue">
      <h3>{controller}</h3>
      {requests.length === 0 ? (
        <p class="hint">{texts().nothingToDo}</p>
      ) : (
        <ul>
          {requests.slice(0, 20).map(({ request, state, time, cause }) => (
            <li key={`${state} ${keyOf(request)}`} class={`queued is-${state}`}>
              <span class="name">{keyOf(request)}</span>
              <span class="when">
                {state === 'running'
                  ? texts().runningFor(spanOf(Math.max(0, shown - time)))
                  : state === 'ready'
                    ? texts().waitingForWorker
                    : texts().inSpan(spanOf(Math.max(0, time - shown)))}
              </span>
              {cause && state !== 'running' && (
                <span class={`cause ${cause.type === 'retry' ? 'is-bad' : ''}`}>{causeText(cause)}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      {(more > 0 || requests.length > 20) && (
        <p class="hint">{texts().andMore(more + Math.max(0, requests.length - 20))}</p>
      )}
    </div>
  )
}

/** Reconciles that are too near to each other in the timeline to be told apart there. */
export function RunsPanel({ store, ids }: { store: Store; ids: readonly string[] }) {
  const runs = ids.flatMap((id) => store.run(id) ?? [])
  const [first] = runs
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={texts().reconciles}>
      <div class="panel-head">
        <div>
          <p class="over">{first?.controller}</p>
          <h2>{first && texts().severalReconciles(runs.length, timeOf(first.start))}</h2>
        </div>
        <CloseButton store={store} />
      </div>
      <p class="hint">{texts().showLess}</p>
      <ul class="runs">
        {runs.slice(0, 200).map((run) => (
          <li key={run.id}>
            <RunLink run={run} store={store} />
          </li>
        ))}
      </ul>
      {runs.length > 200 && <p class="hint">{texts().andMore(runs.length - 200)}</p>}
    </div>
  )
}

/** One line about a reconcile, which leads to the rest. */
export function RunLink({ run, store }: { run: Run; store: Store }) {
  const isBad = run.isCut || (run.ended !== undefined && isFailure(run.ended))
  return (
    <button type="button" class="run-link" onClick={() => store.select({ type: 'run', id: run.id })}>
      <span class="time">{timeOf(run.start)}</span>
      <span class="name">{keyOf(run.request)}</span>
      {store.controllers.size > 1 && <span class="controller">{run.controller}</span>}
      <span class={`result ${isBad ? 'is-bad' : ''}`} title={briefOf(run)}>
        {briefOf(run)}
      </span>
    </button>
  )
}

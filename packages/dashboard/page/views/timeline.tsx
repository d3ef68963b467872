import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { QueuedRequest } from 'homeostat'
import { loopsOf, type Loop } from '../model/causes.ts'
import { isFailure, keyOf, type Run } from '../model/run.ts'
import type { Store } from '../model/store.ts'
import { exactTimeOf, spanOf, timeOf } from '../model/times.ts'
import { resultOf } from '../model/words.ts'
import { texts } from '../language/index.ts'
import { useDraggedTime } from './dragged-time.ts'
import { TimelineLinks } from './timeline-links.tsx'

/** What can be shown, in milliseconds, each with the distance of the marks of its axis. */
const STEPS = new Map([
  [10_000, 2000],
  [60_000, 10_000],
  [300_000, 60_000],
  [1_800_000, 300_000],
])
const SPANS = [...STEPS.keys()]
const USUAL_SPAN = 60_000
/** In a story, what happens at one moment is drawn one after the other, a tenth of a second apart. */
const STORY_SPAN = 10_000
/** The part of the width that lies behind now. */
const PAST = 0.85
/** Bars that would be nearer than this many pixels are drawn as one. */
const NEAREST = 5
/** The width of a time on the axis, in pixels. */
const LABEL = 58

/** A lane for each controller, with a bar for each reconcile and a dot for each one to come. */
export function Timeline({ store, shown, now }: { store: Store; shown: number; now: number }) {
  const [chosen, setSpan] = useState<number>()
  const span = chosen ?? (store.story ? STORY_SPAN : USUAL_SPAN)
  const [width, setWidth] = useState(1000)
  const lanes = useRef<HTMLDivElement>(null)
  const drag = useDraggedTime({ store, shown, now, span })
  useLayoutEffect(() => {
    const { current } = lanes
    if (!current) return undefined
    const measure = (): void => {
      const track = current.querySelector('.track')
      setWidth(Math.max(100, (track ?? current).clientWidth))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  const from = shown - span * PAST
  const until = from + span
  const place = (at: number): number => (at - from) / span
  const controllers = namesOf(store)
  const visible = store.runsSince(from, shown)
  const runs = Map.groupBy(visible, ({ controller }) => controller)
  // Twice a second is enough, as loops last.
  const loops = useMemo(() => loopsOf(visible), [store, store.moment, Math.floor(shown / 500)])
  const pixel = (at: number): number => place(at) * width
  return (
    <section class="timeline" aria-label={texts().timeline}>
      <div class="toolbar">
        <h2>{texts().timeline}</h2>
        {store.file === undefined && store.moment !== undefined && (
          <p class="past" role="status">
            {texts().showsMoment}
            <button type="button" onClick={() => store.travel(undefined)}>
              {texts().backToNow}
            </button>
          </p>
        )}
        <div class="segmented" role="group" aria-label={texts().howMuchTime}>
          {SPANS.map((each) => (
            <button key={each} type="button" aria-pressed={each === span} onClick={() => setSpan(each)}>
              {spanOf(each)}
            </button>
          ))}
        </div>
      </div>
      <div class="lanes" ref={lanes} {...drag}>
        {controllers.map((name) => (
          <Lane
            key={name}
            name={name}
            store={store}
            bars={together(runs.get(name) ?? [], (NEAREST * span) / width, shown)}
            waiting={(store.state.queues.get(name)?.requests ?? []).filter(
              ({ state, time }) => state === 'delayed' && time > shown && time < until,
            )}
            place={place}
            shown={shown}
            loop={loops.find((loop) => loop.controllers.includes(name))}
          />
        ))}
        <TimelineLinks store={store} runs={visible} loops={loops} controllers={controllers} pixel={pixel} />
        {controllers.length === 0 && <p class="empty">{texts().noReconcileYet}</p>}
        {controllers.length > 0 && <Axis from={from} span={span} width={width} />}
      </div>
      <Travel store={store} now={now} />
    </section>
  )
}

/** A bar: one reconcile, or several that are too near to each other to be told apart. */
interface Bar {
  readonly runs: readonly Run[]
  readonly start: number
  readonly end: number
}

function Lane({
  name,
  store,
  bars,
  waiting,
  place,
  shown,
  loop,
}: {
  name: string
  store: Store
  bars: readonly Bar[]
  waiting: readonly QueuedRequest[]
  place: (at: number) => number
  shown: number
  loop: Loop | undefined
}) {
  const queue = store.state.queues.get(name)
  const counts = loop ? loopText(name, loop) : countsOf(queue)
  const { selection } = store
  const chosen = new Set(
    selection?.type === 'run' ? [selection.id] : selection?.type === 'runs' ? selection.ids : [],
  )
  const isChosen = ({ runs }: Bar): boolean => chosen.size > 0 && runs.some(({ id }) => chosen.has(id))
  const focusable = bars.find(isChosen) ?? bars.at(-1)
  const press = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    if (step === 0 || !(event.target instanceof HTMLElement)) return
    const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.bar')]
    all[all.indexOf(event.target) + step]?.focus()
  }
  return (
    <div class="lane">
      <div class="lane-name">
        <span class="name" title={name}>
          {name}
        </span>
        <span class={`counts ${loop ? 'is-loop' : ''}`} title={counts}>
          {counts}
        </span>
      </div>
      <div class="track" role="group" aria-label={texts().reconcilesOf(name)} onKeyDown={press}>
        <span class="now" style={{ left: `${place(shown) * 100}%` }} />
        {bars.map((bar) => (
          <BarButton
            key={bar.runs[0]?.id}
            store={store}
            bar={bar}
            place={place}
            isSelected={isChosen(bar)}
            isFocusable={bar === focusable}
          />
        ))}
        {waiting.map(({ request, time, cause }) => (
          <span
            key={keyOf(request)}
            class={`requeue ${cause?.type === 'retry' ? 'is-retry' : ''}`}
            style={{ left: `${place(time) * 100}%` }}
            title={texts().runsAgainIn(keyOf(request), spanOf(time - shown))}
          />
        ))}
      </div>
    </div>
  )
}

function BarButton({
  store,
  bar: { runs, start, end },
  place,
  isSelected,
  isFocusable,
}: {
  store: Store
  bar: Bar
  place: (at: number) => number
  isSelected: boolean
  isFocusable: boolean
}) {
  const run = runs.at(-1)
  if (!run) return undefined
  const title = titleOf(runs)
  return (
    <button
      type="button"
      class={`bar is-${toneOf(runs)} ${isSelected ? 'is-selected' : ''}`}
      style={{ left: `${place(start) * 100}%`, width: `${(place(end) - place(start)) * 100}%` }}
      title={title}
      aria-label={title}
      aria-pressed={isSelected}
      tabIndex={isFocusable ? 0 : -1}
      onClick={() =>
        store.select(
          runs.length === 1 ? { type: 'run', id: run.id } : { type: 'runs', ids: runs.map(({ id }) => id) },
        )
      }
    />
  )
}

function Axis({ from, span, width }: { from: number; span: number; width: number }) {
  const step = STEPS.get(span) ?? span / 5
  const first = Math.ceil(from / step) * step
  const marks = Array.from({ length: 6 }, (_, index) => first + index * step).filter(
    (at) => at < from + span * (1 - LABEL / width),
  )
  return (
    <div class="axis" aria-hidden="true">
      {marks.map((at) => (
        <span key={at} style={{ left: `${((at - from) / span) * 100}%` }}>
          {timeOf(at)}
        </span>
      ))}
    </div>
  )
}

/** Goes back in time, and forward again. */
function Travel({ store, now }: { store: Store; now: number }) {
  const { moment, start } = store
  const shown = moment ?? now
  const isLive = moment === undefined
  return (
    <div class="travel" role="group" aria-label={texts().timeTravel}>
      <button type="button" title={texts().toBefore} onClick={() => store.step(-1)}>
        <span aria-hidden="true">◂</span>
        <span class="visually-hidden">{texts().toBefore}</span>
      </button>
      <button type="button" title={texts().toNext} disabled={isLive} onClick={() => store.step(1)}>
        <span aria-hidden="true">▸</span>
        <span class="visually-hidden">{texts().toNext}</span>
      </button>
      <input
        type="range"
        aria-label={texts().shownMoment}
        aria-valuetext={isLive ? texts().now : exactTimeOf(shown)}
        min={Math.floor(start.at)}
        max={Math.ceil(now)}
        step="1"
        value={Math.floor(shown)}
        onInput={(event) => {
          const value = Number(event.currentTarget.value)
          store.travel(store.file === undefined && value >= Math.ceil(now) - 1 ? undefined : value)
        }}
      />
      <output class="moment">{isLive ? texts().now : exactTimeOf(shown)}</output>
    </div>
  )
}

/** The controllers that have done something, or have something to do, at the moment that is shown. */
function namesOf(store: Store): readonly string[] {
  return [...new Set([...store.state.queues.keys(), ...store.controllers])].toSorted()
}

function loopText(name: string, { controllers }: Loop): string {
  const others = controllers.filter((other) => other !== name)
  return others.length === 0 ? texts().hotLoop : texts().pingPong(others.join(', '))
}

/** Joins reconciles whose bars would touch each other. */
function together(runs: readonly Run[], gap: number, shown: number): readonly Bar[] {
  const bars: { runs: Run[]; start: number; end: number }[] = []
  let last: (typeof bars)[number] | undefined
  // They are in the order of their starts, since the recording is.
  for (const run of runs) {
    const end = Math.min(run.end ?? shown, shown)
    if (last && run.start - last.end < gap) {
      last.runs.push(run)
      last.end = Math.max(last.end, end)
    } else {
      last = { runs: [run], start: run.start, end }
      bars.push(last)
    }
  }
  return bars
}

function toneOf(runs: readonly Run[]): 'bad' | 'changed' | 'quiet' | 'running' {
  let [isRunning, hasWritten] = [false, false]
  for (const { isCut, end, ended } of runs) {
    if (isCut || (ended && isFailure(ended))) return 'bad'
    if (end === undefined) isRunning = true
    if (ended && ended.writes.length > 0) hasWritten = true
  }
  return isRunning ? 'running' : hasWritten ? 'changed' : 'quiet'
}

function titleOf(runs: readonly Run[]): string {
  const [run] = runs
  if (!run) return ''
  if (runs.length > 1) return texts().severalReconciles(runs.length, timeOf(run.start))
  const took = run.end === undefined ? '' : spanOf(run.end - run.start)
  return texts().reconcileAt(keyOf(run.request), timeOf(run.start), took, resultOf(run))
}

function countsOf(queue: { running: number; ready: number; delayed: number } | undefined): string {
  if (!queue) return texts().idle
  const parts = [
    queue.running > 0 && texts().countRunning(queue.running),
    queue.ready > 0 && texts().countWaiting(queue.ready),
    queue.delayed > 0 && texts().countLater(queue.delayed),
  ].filter((part) => part !== false)
  return parts.length > 0 ? parts.join(', ') : texts().idle
}

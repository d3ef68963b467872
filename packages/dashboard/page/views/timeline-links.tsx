import { chainOf, effectsOf, originsOf, type Loop } from '../model/causes.ts'
import type { Run } from '../model/run.ts'
import type { Store } from '../model/store.ts'

/** The height of a lane, as in the style sheet. */
const LANE = 38
/** Ends that are nearer than this many pixels are not told apart. */
const NEAREST = 8

interface Link {
  readonly from: Run
  readonly to: Run
  readonly isLoop: boolean
}

/** Arrows from reconciles to those that their writes caused: of the chosen one, and of loops. */
export function TimelineLinks({
  store,
  runs,
  loops,
  controllers,
  pixel,
}: {
  store: Store
  runs: readonly Run[]
  loops: readonly Loop[]
  controllers: readonly string[]
  pixel: (at: number) => number
}) {
  const ends = new Map<string, number>()
  const lines = linksOf(store, runs, loops).flatMap(({ from, to, isLoop }) => {
    const [x1, x2] = [pixel(from.end ?? from.start), pixel(to.start)]
    const [y1, y2] = [middle(controllers, from), middle(controllers, to)]
    if (x2 < 0 || (y1 === y2 && Math.abs(x2 - x1) < 2 * NEAREST)) return []
    const way = `${from.controller} ${to.controller}`
    const last = ends.get(way)
    if (isLoop && last !== undefined && Math.abs(x2 - last) < NEAREST) return []
    ends.set(way, x2)
    return [{ id: `${from.id} ${to.id}`, isLoop, path: curve(x1, y1, x2, y2) }]
  })
  if (lines.length === 0) return null
  return (
    <svg class="links" height={controllers.length * LANE} aria-hidden="true">
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" orient="auto">
          <path d="M0 0 L8 4 L0 8 z" fill="context-stroke" stroke="none" />
        </marker>
      </defs>
      {lines.map(({ id, path, isLoop }) => (
        <path key={id} class={isLoop ? 'is-loop' : ''} d={path} marker-end="url(#arrow)" />
      ))}
    </svg>
  )
}

function linksOf(store: Store, runs: readonly Run[], loops: readonly Loop[]): Link[] {
  const links = loops.flatMap((loop) =>
    loop.runs.slice(1).map((to, index) => ({ from: loop.runs[index] ?? to, to, isLoop: true })),
  )
  const { selection } = store
  const chosen = selection?.type === 'run' ? store.run(selection.id) : undefined
  if (!chosen) return links
  const origins = originsOf(runs)
  const chain = [chosen, ...chainOf(origins, chosen)].toReversed()
  const before = chain.slice(1).map((to, index) => ({ from: chain[index] ?? to, to, isLoop: false }))
  const after = effectsOf(origins, runs, chosen).map((to) => ({ from: chosen, to, isLoop: false }))
  return [...links, ...before, ...after]
}

function middle(controllers: readonly string[], { controller }: Run): number {
  return (controllers.indexOf(controller) + 0.5) * LANE
}

/** An arc above the bars of one lane, or a curve from one lane to another. */
function curve(x1: number, y1: number, x2: number, y2: number): string {
  if (y1 === y2) return `M${x1} ${y1 - 8} Q${(x1 + x2) / 2} ${y1 - 26} ${x2} ${y2 - 9}`
  const [from, to] = y1 < y2 ? [y1 + 8, y2 - 10] : [y1 - 8, y2 + 10]
  const half = (from + to) / 2
  return `M${x1} ${from} C${x1} ${half} ${x2} ${half} ${x2} ${to}`
}

import type { Cause, RecordedWrite } from 'homeostat'
import type { Run } from './run.ts'
import type { Store } from './store.ts'

/**
 * A write does not count as the cause of a reconcile that starts later than this, in milliseconds: another client may
 * have written since.
 */
const LATEST = 5000
/** How many reconciles before the last one are searched. */
const MOST_RUNS = 1000
/** This many reconciles of one object that cause each other are no coincidence. */
const LOOP_RUNS = 5
const LONGEST_CHAIN = 24

/** The reconciles whose writes caused others, by the id of the caused reconcile. */
export type Origins = ReadonlyMap<string, Run>

/** Reconciles that cause each other again and again. */
export interface Loop {
  /** The controllers that take part. One is a hot loop, several are a ping-pong. */
  readonly controllers: readonly string[]
  /** From the oldest. */
  readonly runs: readonly Run[]
}

/** Finds for each of these reconciles the one that caused it, if a reconcile of this operator did. They are in the order of their starts. */
export function originsOf(runs: readonly Run[]): Origins {
  const writers = new Map<string, Run>()
  const origins = new Map<string, Run>()
  for (const run of runs) {
    for (const cause of run.started?.causes ?? []) {
      const origin = isEvent(cause) ? writers.get(nameOf(cause.kind, cause.object, partOf(cause))) : undefined
      if (!origin || run.start - (origin.end ?? origin.start) >= LATEST) continue
      origins.set(run.id, origin)
      break
    }
    for (const write of run.ended?.writes ?? []) {
      const { kind, name, namespace, error } = write
      if (error !== undefined || name === undefined) continue
      for (const part of writtenParts(write)) writers.set(nameOf(kind, { name, namespace }, part), run)
    }
  }
  return origins
}

/** The reconciles that may have caused this one, or that it may have caused, from the oldest. */
export function runsAround(store: Store, run: Run): readonly Run[] {
  const shown = store.shownRuns
  const index = shown.findIndex(({ id }) => id === run.id)
  return shown.slice(Math.max(0, index - MOST_RUNS), index + MOST_RUNS)
}

/** The chain of reconciles that led to a run, from the nearest. */
export function chainOf(origins: Origins, run: Run, most = 6): readonly Run[] {
  const chain: Run[] = []
  for (let origin = origins.get(run.id); origin && chain.length < most; origin = origins.get(origin.id)) {
    if (origin.id === run.id || chain.includes(origin)) break
    chain.push(origin)
  }
  return chain
}

/** The reconciles that a run caused by its writes. */
export function effectsOf(origins: Origins, runs: readonly Run[], run: Run): readonly Run[] {
  return runs.filter(({ id }) => origins.get(id)?.id === run.id)
}

/** The loops among reconciles that are in the order of their starts, at most one for each controller. */
export function loopsOf(runs: readonly Run[]): readonly Loop[] {
  const latest = runs.slice(-MOST_RUNS)
  const origins = originsOf(latest)
  const loops: Loop[] = []
  const known = new Set<string>()
  for (const run of latest.toReversed()) {
    if (known.has(run.controller)) continue
    const chain = [run, ...chainOf(origins, run, LONGEST_CHAIN)]
    const again = chain.filter((other) => isSameWork(other, run))
    if (again.length < LOOP_RUNS) continue
    const controllers = [...new Set(chain.map(({ controller }) => controller))].toSorted()
    for (const controller of controllers) known.add(controller)
    loops.push({ controllers, runs: chain.toReversed() })
  }
  return loops
}

function isSameWork(a: Run, b: Run): boolean {
  return (
    a.controller === b.controller &&
    a.request.name === b.request.name &&
    a.request.namespace === b.request.namespace
  )
}

/**
 * Whether a write can have caused it. Objects that exist at the start, or that the regular resync reports, do not
 * count as events.
 */
function isEvent(cause: Cause): cause is Extract<Cause, { readonly object: unknown }> {
  return 'object' in cause && cause.type !== 'start' && cause.type !== 'resync'
}

/**
 * A part of an object that a write can change and that an event names. A status that another controller writes does
 * not follow directly from a write of the spec.
 */
type Part = 'content' | 'status' | 'end'

function partOf(cause: Cause): Part {
  if (cause.type === 'deleting' || cause.type === 'deleted') return 'end'
  const isStatus = cause.type === 'updated' && cause.changed.every((part) => part === 'status')
  return isStatus && cause.changed.length > 0 ? 'status' : 'content'
}

function writtenParts({ verb, subresource, fields = [] }: RecordedWrite): readonly Part[] {
  if (verb === 'delete') return ['end']
  if (subresource === 'status') return ['status']
  const isIn = (name: string): boolean =>
    fields.some((field) => field.startsWith(name) && '.['.includes(field.charAt(name.length)))
  const parts: Part[] = ['content']
  if (isIn('status')) parts.push('status')
  // The object goes with its last finalizer.
  if (isIn('metadata.finalizers')) parts.push('end')
  return parts
}

function nameOf(
  kind: string,
  { namespace = '', name }: { namespace?: string | undefined; name: string },
  part: Part,
): string {
  return `${kind} ${namespace}/${name} ${part}`
}

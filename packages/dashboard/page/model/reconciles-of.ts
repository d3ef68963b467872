import type { KindName, RecordedObject } from '../../src/recording/entry.ts'
import { texts } from '../language/index.ts'
import { keyOf, type Run } from './run.ts'
import type { Store } from './store.ts'

/** What is known about the reconciles of an object. */
export interface ReconcilesOf {
  readonly isRunning: boolean
  /** Why the last one of a controller failed, if it did. */
  readonly failure: string | undefined
}

const NOTHING: ReconcilesOf = { isRunning: false, failure: undefined }

/** Returns a function that finds the reconciles of an object at the moment that is shown. */
export function reconcilesIn(store: Store): (object: RecordedObject) => ReconcilesOf {
  const running = Map.groupBy(store.runningNow, nameOf)
  const failed = Map.groupBy(store.failures, nameOf)
  if (running.size === 0 && failed.size === 0) return () => NOTHING
  const own = store.state.operator?.kinds ?? []
  return (object) => {
    const name = keyOf(object.metadata)
    const isOfThis = (run: Run): boolean => isAbout(run, object, own)
    const isRunning = running.get(name)?.some(isOfThis) ?? false
    const last = failed.get(name)?.find(isOfThis)
    return { isRunning, failure: last && (last.ended?.error || texts().lastFailed) }
  }
}

/** The object that a reconcile is about. */
export function objectOf(store: Store, run: Run): RecordedObject | undefined {
  const name = nameOf(run)
  const own = store.state.operator?.kinds ?? []
  for (const object of store.state.objects.values())
    if (keyOf(object.metadata) === name && isAbout(run, object, own)) return object
  return undefined
}

/** Whether a reconcile that has the name of an object is about it. An older recording does not say which kind it is about. */
function isAbout({ started }: Run, object: RecordedObject, own: readonly KindName[]): boolean {
  const { apiVersion, kind } = started ?? {}
  if (kind !== object.kind && kind !== undefined) return false
  if (apiVersion !== undefined) return groupOf(apiVersion) === groupOf(object.apiVersion)
  return own.some((each) => each.kind === object.kind && each.apiVersion === object.apiVersion)
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
}

function nameOf({ request }: Run): string {
  return keyOf(request)
}

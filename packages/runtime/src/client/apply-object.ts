import { apiVersionOf, type AnyKind, type KubernetesObject, type ObjectKey } from '@homeostat/api'
import {
  type Applier,
  applyMatches,
  type ApplyMemory,
  fieldsTaken,
  type WriteListener,
} from '../apply/index.ts'
import type { ApplyOptions, RequestOptions } from './interface/client.ts'
import type { ObjectWriter } from './object-writer.ts'
import { objectPath } from '../requests/index.ts'

/** The parts of a client that an apply needs. */
export interface ApplyContext {
  readonly memory: ApplyMemory
  readonly fieldManager: string
  /** Whether applies store nothing, where their options do not say otherwise. */
  readonly dryRun?: boolean | undefined
  /** Whether applies take fields from other managers, where their options do not say otherwise. */
  readonly force: boolean
  readonly listener?: WriteListener | undefined
  readonly reader: {
    get(kind: AnyKind, key: ObjectKey, options?: RequestOptions): Promise<KubernetesObject | undefined>
  }
  readonly writer: ObjectWriter
}

/**
 * Server-side apply of a document, or of its status. It sends nothing if nothing would change: if the object, as last
 * read, already has these values, and the manager owns these fields and no others.
 */
export async function applyObject(
  context: ApplyContext,
  kind: AnyKind,
  key: ObjectKey,
  document: object,
  options: ApplyOptions = {},
  subresource?: string,
): Promise<KubernetesObject> {
  const path = objectPath(kind, key, subresource)
  // As the server will read it: without undefined fields.
  const text = JSON.stringify(document)
  const applier: Applier = {
    manager: options.fieldManager ?? context.fieldManager,
    apiVersion: apiVersionOf(kind),
    subresource,
  }
  const dryRun = options.dryRun ?? context.dryRun
  const force = options.force ?? context.force
  let live: KubernetesObject | undefined
  if (!dryRun) {
    live = await context.reader.get(kind, key, { signal: options.signal })
    if (live && isKnownMatch(live, text, applier)) return live
  }
  const desired = JSON.parse(text) as object
  if (live && isMeant(live, desired)) {
    if (applyMatches(live, desired, applier)) {
      rememberMatch(live, text, applier)
      return live
    }
    if (context.memory.holds(kind, live, desired, applier)) return live
  }
  const answer = await context.writer.write({
    verb: 'apply',
    kind,
    key,
    method: 'PATCH',
    path,
    body: desired,
    contentType: 'application/apply-patch+yaml',
    query: force ? { force: 'true' } : {},
    options,
    subresource,
  })
  if (!dryRun) {
    if (applyMatches(answer, desired, applier)) {
      context.memory.forget(kind, answer, applier)
      // The cache keeps this very object, until the next change of it. A document with the version before this one must be refused.
      if (isMeant(answer, desired)) rememberMatch(answer, text, applier)
    } else context.memory.remember(kind, answer, desired, applier)
  }
  if (live) reportTaken(context.listener, kind, key, live, desired, applier.manager)
  return answer
}

/**
 * The last document of each manager that would change nothing in an object. Frozen objects come from the cache, so that a reconcile
 * that repeats itself compares the same two again and again.
 */
const matches = new WeakMap<KubernetesObject, Map<string, string>>()

function isKnownMatch(live: KubernetesObject, text: string, applier: Applier): boolean {
  return matches.get(live)?.get(matchKey(applier)) === text
}

function rememberMatch(live: KubernetesObject, text: string, applier: Applier): void {
  if (!Object.isFrozen(live)) return
  const known = matches.get(live) ?? new Map<string, string>()
  matches.set(live, known.set(matchKey(applier), text))
}

function matchKey({ manager, apiVersion, subresource = '' }: Applier): string {
  return `${manager} ${apiVersion} ${subresource}`
}

/** Calls a listener with the fields that an apply has taken from other managers or has restored. */
export function reportTaken(
  listener: WriteListener | undefined,
  kind: AnyKind,
  key: ObjectKey,
  before: KubernetesObject,
  desired: object,
  manager: string,
): void {
  if (!listener?.onFieldsWritten) return
  const fields = fieldsTaken(before, desired, manager)
  if (fields.length > 0) listener.onFieldsWritten({ kind, key, before, manager, fields })
}

/** Whether the document's uid and resourceVersion, if it has them, match the object. If not, the server decides. */
function isMeant(live: KubernetesObject, desired: object): boolean {
  const { metadata }: Partial<KubernetesObject> = desired
  return (
    (metadata?.uid === undefined || metadata.uid === live.metadata.uid) &&
    (metadata?.resourceVersion === undefined || metadata.resourceVersion === live.metadata.resourceVersion)
  )
}

import { deepEqual, type CreateOf } from '@homeostat/api'
import type { StatefulSet, ControllerRevision, Pod } from '@homeostat/api/kinds'
import { controllerReference } from 'homeostat'
import { safeDigits } from '../objects/safe-digits.ts'
import { revisionOf } from './stateful-pod.ts'

const HASH_LABEL = 'controller.kubernetes.io/hash'

/** The changes that make the set's template one of its revisions. */
export type RevisionPlan =
  /** The newest revision has the template already. */
  | { readonly type: 'keep'; readonly revision: ControllerRevision }
  /** An earlier revision has the template, and becomes the newest again. */
  | { readonly type: 'renumber'; readonly revision: ControllerRevision; readonly number: number }
  | { readonly type: 'create'; readonly number: number }

/** Finds the set's template among its revisions. */
export function planRevision(set: StatefulSet, revisions: readonly ControllerRevision[]): RevisionPlan {
  const ordered = inOrder(revisions)
  const newest = ordered.at(-1)
  const number = (newest?.revision ?? 0) + 1
  const data = revisionData(set)
  const same = ordered.findLast((revision) => deepEqual(revision.data, data))
  if (!same) return { type: 'create', number }
  return same === newest ? { type: 'keep', revision: same } : { type: 'renumber', revision: same, number }
}

/** A revision of the set's template, as it is created. Equal templates have equal names, save for collisions. */
export function newRevision(
  set: StatefulSet,
  number: number,
  collisions: { readonly label: number; readonly name: number },
): CreateOf<typeof ControllerRevision> & { metadata: { name: string } } {
  const { namespace, name, annotations } = set.metadata
  const data = revisionData(set)
  const text = goJson(data)
  return {
    metadata: {
      namespace,
      name: `${name.slice(0, 223)}-${hash(text, collisions.name)}`,
      labels: { ...set.spec.template.metadata?.labels, [HASH_LABEL]: hash(text, collisions.label) },
      ...(annotations ? { annotations: { ...annotations } } : {}),
      ownerReferences: [controllerReference(set)],
    },
    data,
    revision: number,
  }
}

/** Whether a revision holds the set's template. */
export function holdsTemplate(revision: ControllerRevision, set: StatefulSet): boolean {
  return deepEqual(revision.data, revisionData(set))
}

/** The template that a revision holds. */
export function templateOf(revision: ControllerRevision): StatefulSet['spec']['template'] {
  const { spec } = (revision.data ?? {}) as { spec?: { template?: Record<string, unknown> } }
  const { $patch: _, ...template } = spec?.template ?? {}
  return template
}

/**
 * Revisions beyond the history that is kept, the oldest first. The current one, the one that is rolled out
 * and those of existing Pods do not count as history.
 */
export function planHistory(
  set: StatefulSet,
  revisions: readonly ControllerRevision[],
  live: { readonly names: readonly string[]; readonly pods: readonly Pod[] },
): ControllerRevision[] {
  const used = new Set([...live.names, ...live.pods.map(revisionOf)])
  const history = inOrder(revisions).filter(({ metadata }) => !used.has(metadata.name))
  const limit = set.spec.revisionHistoryLimit ?? 10
  return limit < 0 ? [] : history.slice(0, Math.max(0, history.length - limit))
}

/** A patch that restores this template, which `kubectl rollout undo` sends. */
function revisionData(set: StatefulSet): Record<string, unknown> {
  return { spec: { template: { ...set.spec.template, $patch: 'replace' } } }
}

function inOrder(revisions: readonly ControllerRevision[]): ControllerRevision[] {
  return [...revisions].sort(
    ({ revision: a, metadata: left }, { revision: b, metadata: right }) =>
      a - b || compare(left.creationTimestamp, right.creationTimestamp) || compare(left.name, right.name),
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function hash(text: string, collisions: number): string {
  let value = 0x811c9dc5
  // The 32-bit FNV-1 hash of the bytes, with the number of collisions behind them.
  for (const byte of new TextEncoder().encode(text + String(collisions))) {
    value = Math.imul(value, 0x01000193) ^ byte
  }
  return safeDigits(value >>> 0)
}

/** JSON as Kubernetes writes it, with sorted keys: the same template has the same name there and here. */
function goJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`
  if (typeof value === 'string') return goText(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  entries.sort(([a], [b]) => compare(a, b))
  return `{${entries.map(([key, item]) => `${goText(key)}:${goJson(item)}`).join(',')}}`
}

function goText(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

import { timestamp, type DeepReadonly } from '@homeostat/api'
import type { CoreV1 } from '@homeostat/api/kinds'

type Condition = DeepReadonly<CoreV1.NamespaceCondition>

/** The reasons why a namespace is not deleted yet. */
export interface Obstacles {
  /** Why discovery of the kinds failed. */
  readonly discovery?: string | undefined
  /** Why content could not be deleted, one for each kind. */
  readonly failures: readonly string[]
  /** How many objects are left, by `<plural>.<group>`. */
  readonly remaining: ReadonlyMap<string, number>
  /** How many objects each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>
}

/** Type, reason and message of each condition without a problem, in the order of the status. */
const FINE: readonly (readonly [type: string, reason: string, message: string])[] = [
  ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'],
  [
    'NamespaceDeletionGroupVersionParsingFailure',
    'ParsedGroupVersions',
    'All legacy kube types successfully parsed',
  ],
  [
    'NamespaceDeletionContentFailure',
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
  ['NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'],
  ['NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
]

/** The conditions of a namespace that is being deleted. The time of a condition changes only with its status. */
export function namespaceConditions(
  before: readonly Condition[] | undefined = [],
  obstacles: Obstacles,
  now: number,
): Condition[] {
  const trouble = troubles(obstacles)
  const conditions = FINE.map(([type, fineReason, fineMessage]): Condition => {
    const wrong = trouble.get(type)
    const status = wrong ? 'True' : 'False'
    const known = before.find((one) => one.type === type)
    return {
      type,
      status,
      lastTransitionTime: known?.status === status ? known.lastTransitionTime : timestamp(now),
      reason: wrong?.reason ?? fineReason,
      message: wrong?.message ?? fineMessage,
    }
  })
  const others = before.filter((one) => !FINE.some(([type]) => type === one.type))
  return [...others, ...conditions]
}

function troubles(obstacles: Obstacles): Map<string, { reason: string; message: string }> {
  const { discovery, failures, remaining, finalizers } = obstacles
  const found = new Map<string, { reason: string; message: string }>()
  if (discovery !== undefined) {
    found.set('NamespaceDeletionDiscoveryFailure', { reason: 'DiscoveryFailed', message: discovery })
  }
  if (failures.length > 0) {
    const list = [...failures].sort(byText).join(', ')
    found.set('NamespaceDeletionContentFailure', {
      reason: 'ContentDeletionFailed',
      message: `Failed to delete all resource types, ${failures.length} remaining: ${list}`,
    })
  }
  if (remaining.size > 0) {
    const list = [...remaining].map(([kind, count]) => `${kind} has ${count} resource instances`)
    found.set('NamespaceContentRemaining', {
      reason: 'SomeResourcesRemain',
      message: `Some resources are remaining: ${list.sort(byText).join(', ')}`,
    })
  }
  if (finalizers.size > 0) {
    const list = [...finalizers].map(([name, count]) => `${name} in ${count} resource instances`)
    found.set('NamespaceFinalizersRemaining', {
      reason: 'SomeFinalizersRemain',
      message: `Some content in the namespace has finalizers remaining: ${list.sort(byText).join(', ')}`,
    })
  }
  return found
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

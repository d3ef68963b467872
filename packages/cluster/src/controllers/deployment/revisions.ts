import type { CreateOf } from '@homeostat/api'
import type { Deployment, ReplicaSet } from '@homeostat/api/kinds'
import { controllerReference } from 'homeostat'
import { desiredReplicas, maxSurge } from './rollout-limits.ts'
import { hasTemplate, TEMPLATE_HASH_LABEL, templateHash } from './template-hash.ts'

/** Counts the templates that a Deployment has had. */
export const REVISION = 'deployment.kubernetes.io/revision'
const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history'
/** The replicas of the Deployment when the ReplicaSet was last scaled. It distinguishes a scaling from a rollout. */
export const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas'
export const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas'

/** Annotations of the Deployment that its ReplicaSets do not get. */
const NOT_COPIED = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
])
const LONGEST_HISTORY = 2_000
const LONGEST_NAME = 253

type Annotations = Record<string, string>

/** The ReplicaSet with the Deployment's template. If there are several, the oldest. */
export function findCurrent(
  deployment: Deployment,
  replicaSets: readonly ReplicaSet[],
): ReplicaSet | undefined {
  return [...replicaSets].sort(byAge).find((replicaSet) => hasTemplate(replicaSet, deployment.spec.template))
}

/** Sorts the oldest first, and those of the same age by name. */
export function byAge(a: ReplicaSet, b: ReplicaSet): number {
  const [left, right] = [a.metadata, b.metadata]
  if (left.creationTimestamp !== right.creationTimestamp) {
    return left.creationTimestamp < right.creationTimestamp ? -1 : 1
  }
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0
}

/** The revision that a ReplicaSet carries; 0 where it has none that can be read. */
export function revisionOf(replicaSet: ReplicaSet): number {
  const text = replicaSet.metadata.annotations?.[REVISION] ?? ''
  return /^\d+$/.test(text) ? Number(text) : 0
}

/** The next revision after those of all these ReplicaSets. */
export function nextRevision(old: readonly ReplicaSet[]): number {
  return old.reduce((highest, replicaSet) => Math.max(highest, revisionOf(replicaSet)), 0) + 1
}

/** The ReplicaSet for the Deployment's template, as it is created. */
export function newReplicaSet(
  deployment: Deployment,
  old: readonly ReplicaSet[],
  replicas: number,
): CreateOf<typeof ReplicaSet> {
  const { namespace, name } = deployment.metadata
  const { template, selector, minReadySeconds } = deployment.spec
  const hash = templateHash(template, deployment.status.collisionCount)
  const labels = { ...template.metadata?.labels, [TEMPLATE_HASH_LABEL]: hash }
  return {
    metadata: {
      namespace,
      name: `${name.slice(0, LONGEST_NAME - hash.length - 1)}-${hash}`,
      labels,
      annotations: {
        ...copiedAnnotations(deployment),
        ...scaleAnnotations(deployment),
        [REVISION]: String(nextRevision(old)),
      },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds ? { minReadySeconds } : {}),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [TEMPLATE_HASH_LABEL]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  }
}

/**
 * The annotations of the current ReplicaSet: those of the Deployment, and its revision. A ReplicaSet that becomes
 * current again gets a new revision, and keeps the old ones as its history.
 */
export function currentAnnotations(
  deployment: Deployment,
  current: ReplicaSet,
  old: readonly ReplicaSet[],
): Annotations {
  const annotations: Annotations = { ...current.metadata.annotations, ...copiedAnnotations(deployment) }
  const before = revisionOf(current)
  const next = nextRevision(old)
  if (before >= next) return annotations
  annotations[REVISION] = String(next)
  if (before > 0) annotations[REVISION_HISTORY] = history(annotations[REVISION_HISTORY], before)
  return annotations
}

/** The annotations that are set when a ReplicaSet is scaled. */
export function scaleAnnotations(deployment: Deployment): Annotations {
  const desired = desiredReplicas(deployment)
  return { [DESIRED_REPLICAS]: String(desired), [MAX_REPLICAS]: String(desired + maxSurge(deployment)) }
}

function copiedAnnotations(deployment: Deployment): Annotations {
  const entries = Object.entries(deployment.metadata.annotations ?? {})
  return Object.fromEntries(entries.filter(([key]) => !NOT_COPIED.has(key)))
}

function history(before: string | undefined, revision: number): string {
  const revisions = before ? [...before.split(','), String(revision)] : [String(revision)]
  while (revisions.join(',').length > LONGEST_HISTORY) revisions.shift()
  return revisions.join(',')
}

import { labelSelectorFrom, matchesLabels } from '@homeostat/api'
import type { Pod, PodDisruptionBudget } from '@homeostat/api/kinds'
import { isReady } from '../pods/pod-facts.ts'

/** How long an eviction that was allowed may take until the Pod counts again, in milliseconds. */
export const EVICTION_TIMEOUT = 120_000

/** The disruptions that a budget allows now. */
export interface Disruptions {
  readonly currentHealthy: number
  readonly desiredHealthy: number
  readonly expectedPods: number
  readonly disruptionsAllowed: number
  /** Pods whose eviction was allowed and which still exist. */
  readonly disruptedPods: Readonly<Record<string, string>>
}

/** Whether a budget counts a Pod. */
export function isCounted({ metadata, spec }: PodDisruptionBudget, pod: Pod): boolean {
  return (
    metadata.namespace === pod.metadata.namespace &&
    matchesLabels(labelSelectorFrom(spec.selector), pod.metadata.labels)
  )
}

/** Whether a budget depends on how many Pods there should be, which their controllers say. */
export function needsScale({ spec }: PodDisruptionBudget): boolean {
  return spec.maxUnavailable !== undefined || isPercentage(spec.minAvailable)
}

/**
 * Computes what a budget allows. `scale` is the desired number of Pods of their controllers, where {@link
 * needsScale}.
 */
export function planDisruptions(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  scale: number,
  now: number,
): Disruptions {
  const { minAvailable, maxUnavailable } = budget.spec
  const disruptedPods = Object.fromEntries(
    Object.entries(budget.status?.disruptedPods ?? {}).filter(([name, time]) => {
      const pod = pods.find(({ metadata }) => metadata.name === name)
      return pod && !pod.metadata.deletionTimestamp && Date.parse(time) + EVICTION_TIMEOUT > now
    }),
  )
  const healthy = pods.filter(
    (pod) => isReady(pod) && !pod.metadata.deletionTimestamp && !(pod.metadata.name in disruptedPods),
  )
  const expectedPods = needsScale(budget) ? scale : pods.length
  const desiredHealthy =
    maxUnavailable === undefined
      ? share(minAvailable ?? 1, expectedPods)
      : Math.max(0, expectedPods - share(maxUnavailable, expectedPods))
  const currentHealthy = healthy.length
  const disruptionsAllowed = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0
  return { currentHealthy, desiredHealthy, expectedPods, disruptionsAllowed, disruptedPods }
}

function isPercentage(value: number | string | undefined): value is string {
  return typeof value === 'string'
}

/** A number of Pods, or a percentage of all of them, rounded up. */
function share(value: number | string, total: number): number {
  if (!isPercentage(value)) return value
  return Math.ceil((Number.parseInt(value, 10) * total) / 100)
}

import { deepEqual, timestamp, type AnyKind, type DeepReadonly } from '@homeostat/api'
import { HorizontalPodAutoscaler, type AutoscalingV2 } from '@homeostat/api/kinds'
import { controller, isNotFound, type Controller, type ReconcileContext } from 'homeostat'
import { failureText } from '../objects/failure-text.ts'
import { missingMetric } from './missing-metric.ts'

type Condition = AutoscalingV2.HorizontalPodAutoscalerCondition
type Finding = Omit<Condition, 'lastTransitionTime'>
type Status = HorizontalPodAutoscaler['status']

/** How often an autoscaler looks at its target. */
const PERIOD = '15s'

const FOUND = condition(
  'AbleToScale',
  'True',
  'SucceededGetScale',
  "the HPA controller was able to get the target's current scale",
)
const DISABLED = condition(
  'ScalingActive',
  'False',
  'ScalingDisabled',
  'scaling is disabled since the replica count of the target is zero',
)

/** The state of an autoscaler's target. */
interface Outcome {
  readonly current: number
  readonly desired: number
  readonly conditions: readonly Finding[]
  readonly rescaled?: boolean
  /** The event to record when the conditions change. */
  readonly problem?: { readonly reason: string; readonly note: string }
}

/**
 * Keeps the targets of autoscalers between `minReplicas` and `maxReplicas`. The controller does not read metrics,
 * so that it does no other scaling. It reports this by the conditions and events of a HorizontalPodAutoscaler that
 * gets no metrics.
 */
export const autoscalerController: Controller = controller('horizontal-pod-autoscaler')
  .for(HorizontalPodAutoscaler, {
    // Ignores its own writes of the status.
    predicate: (event) => event.type !== 'updated' || !deepEqual(event.object.spec, event.before.spec),
  })
  .reconcile(async (request, context) => {
    const autoscaler = await context.client.get(HorizontalPodAutoscaler, request)
    if (!autoscaler || autoscaler.metadata.deletionTimestamp) return undefined
    await writeStatus(autoscaler, await reconcileScale(autoscaler, context), context)
    return { requeueAfter: PERIOD }
  })

async function reconcileScale(
  autoscaler: HorizontalPodAutoscaler,
  context: ReconcileContext,
): Promise<Outcome> {
  const { client, events } = context
  const { scaleTargetRef, minReplicas = 1, maxReplicas, metrics } = autoscaler.spec
  const key = { namespace: autoscaler.metadata.namespace, name: scaleTargetRef.name }
  let scale: Awaited<ReturnType<typeof client.scale.get>>
  let kind: AnyKind | undefined
  try {
    kind = await client.kinds.find(scaleTargetRef.apiVersion ?? 'v1', scaleTargetRef.kind)
    scale = kind && (await client.scale.get(kind, key))
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
  if (!kind || !scale) {
    const why = kind ? missingTarget(kind, key.name) : missingKind(scaleTargetRef)
    const problem = { reason: 'FailedGetScale', note: why }
    const message = `the HPA controller was unable to get the target's current scale: ${why}`
    const failed = condition('AbleToScale', 'False', 'FailedGetScale', message)
    return { current: autoscaler.status.currentReplicas ?? 0, desired: 0, conditions: [failed], problem }
  }
  const current = scale.spec?.replicas ?? 0
  if (current === 0 && minReplicas !== 0) return { current, desired: 0, conditions: [FOUND, DISABLED] }
  const desired = Math.min(Math.max(current, minReplicas), maxReplicas)
  if (desired === current) {
    const missing = missingMetric(metrics?.[0], key.namespace)
    const { reason } = missing
    const problem = { reason, note: missing.message }
    const message = `the HPA was unable to compute the replica count: ${missing.message}`
    const inactive = condition('ScalingActive', 'False', reason, message)
    return { current, desired, conditions: [FOUND, inactive], problem }
  }
  try {
    await client.scale.update(kind, { ...scale, spec: { replicas: desired } })
  } catch (error) {
    events.warning(autoscaler, 'FailedRescale', failureText(error))
    throw error
  }
  const limit = desired < current ? 'above Spec.MaxReplicas' : 'below Spec.MinReplicas'
  const note = `New size: ${desired}; reason: Current number of replicas ${limit}`
  events.normal(autoscaler, 'SuccessfulRescale', note)
  const message = `the HPA controller was able to update the target scale to ${desired}`
  const able = condition('AbleToScale', 'True', 'SucceededRescale', message)
  const kept = (autoscaler.status.conditions ?? []).filter(({ type }) => type !== 'AbleToScale')
  return { current, desired, conditions: [able, ...kept], rescaled: true }
}

function condition(type: string, status: 'True' | 'False', reason: string, message: string): Finding {
  return { type, status, reason, message }
}

function missingTarget({ group, plural }: AnyKind, name: string): string {
  return `${plural}${group === '' ? '' : `.${group}`} ${JSON.stringify(name)} not found`
}

function missingKind({ apiVersion, kind }: DeepReadonly<AutoscalingV2.CrossVersionObjectReference>): string {
  return `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`
}

async function writeStatus(
  autoscaler: HorizontalPodAutoscaler,
  { current, desired, conditions, rescaled = false, problem }: Outcome,
  { client, clock, events }: ReconcileContext,
): Promise<void> {
  const before = autoscaler.status
  const now = timestamp(clock.now())
  const status: Status = {
    ...before,
    currentReplicas: current,
    desiredReplicas: desired,
    ...(rescaled ? { lastScaleTime: now } : {}),
    conditions: conditions.map((condition) => {
      const old = before.conditions?.find(({ type }) => type === condition.type)
      const since = old?.status === condition.status ? old.lastTransitionTime : undefined
      return { ...condition, lastTransitionTime: since ?? now }
    }),
  }
  if (deepEqual(status, before)) return
  await client.status.update(HorizontalPodAutoscaler, { ...autoscaler, status })
  if (problem && !deepEqual(status.conditions, before.conditions)) {
    events.warning(autoscaler, problem.reason, problem.note)
  }
}

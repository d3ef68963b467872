import { nameOf, type ObjectReference } from '../stories/index.ts'
import type { Outcome } from '../world/index.ts'
import type { Expectation } from './expectation.ts'
import { says } from './fact.ts'
import type { Finding } from './finding.ts'
import type { Trial } from './trial.ts'

/** Conditions and phases by which an object says that it is ready. */
const READY_CONDITIONS: ReadonlySet<string> = new Set(['Ready', 'Available'])
const READY_PHASES: ReadonlySet<string> = new Set(['Ready', 'Running', 'Available'])
const WORKLOADS: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet'])

/** A status that says ready although a workload of the operator is not. */
export function judgeReadiness(
  trial: Trial,
  outcome: Outcome,
  { object, ifCurrent }: Extract<Expectation, { type: 'not ready' }>,
): Finding | undefined {
  const waiting = outcome.objects.find((one) => WORKLOADS.has(one.kind) && !isRolledOut(one))
  if (!waiting || (ifCurrent && !saysCurrent(outcome, object))) return undefined
  const { status } = outcome.objects.find((one) => nameOf(one) === nameOf(object)) ?? {}
  const condition = (status?.conditions ?? []).find(
    (one: any) => READY_CONDITIONS.has(one.type) && one.status === 'True',
  )
  if (!condition && !READY_PHASES.has(status?.phase)) return undefined
  const said = condition
    ? { by: 'condition' as const, value: String(condition.type) }
    : { by: 'phase' as const, value: String(status.phase) }
  return {
    class: trial.class,
    ...says({ fact: 'says ready', object: nameOf(object), ...said, workload: nameOf(waiting) }),
    story: trial.story,
    differences: [],
    root: `${trial.class} ${object.kind} ready`,
  }
}

/** Whether all Pods of a workload are of its present template, and ready. */
function isRolledOut({ metadata, spec, status = {} }: any): boolean {
  const { observedGeneration, updatedReplicas = 0, readyReplicas = 0 } = status
  const wanted = spec.replicas ?? 1
  return observedGeneration === metadata.generation && updatedReplicas >= wanted && readyReplicas >= wanted
}

/** Whether the status of an object says that its last change was acted on. */
export function saysCurrent({ objects }: Outcome, object: ObjectReference): boolean {
  const found = objects.find((one) => nameOf(one) === nameOf(object))
  const { observedGeneration } = found?.status ?? {}
  return observedGeneration !== undefined && observedGeneration === found?.metadata.generation
}

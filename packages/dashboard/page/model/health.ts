import type { RecordedObject } from '../../src/recording/entry.ts'
import { texts } from '../language/index.ts'

export type HealthState = 'healthy' | 'working' | 'failing' | 'deleting'

/** How an object is, in one word and one line. */
export interface Health {
  readonly state: HealthState
  readonly why: string
}

interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
}

interface ContainerStatus {
  readonly name: string
  readonly ready?: boolean
  readonly state?: { readonly waiting?: { readonly reason?: string; readonly message?: string } }
}

interface Status {
  readonly observedGeneration?: number
  readonly conditions?: readonly Condition[]
  readonly phase?: string
  readonly replicas?: number
  readonly readyReplicas?: number
  readonly containerStatuses?: readonly ContainerStatus[]
}

/** Conditions that are bad when they are true. */
const BAD = /(?:Fail|Failed|Failure|Degraded|Stalled|Error|Invalid|Pressure|Unavailable)$/
/** Conditions that tell whether an object is as it should be. The first one that it has decides. */
const GOOD = [
  'Ready',
  'Healthy',
  'Available',
  'Complete',
  'Succeeded',
  'Synced',
  'Reconciled',
  'Established',
  'Bound',
]
const STUCK = /BackOff|Err|Invalid|Failed|CreateContainer/

/** The health of an object, from its status and from the end of its last reconcile. */
export function healthOf(object: RecordedObject, error?: string): Health {
  const { metadata } = object
  const { status = {}, spec = {} } = object as { status?: Status; spec?: { replicas?: number } }
  if (metadata.deletionTimestamp !== undefined) {
    const left = metadata.finalizers ?? []
    return { state: 'deleting', why: left.length > 0 ? texts().waitsFor(left.join(', ')) : texts().isDeleted }
  }
  if (error !== undefined) return { state: 'failing', why: error }
  const conditions = Array.isArray(status.conditions) ? status.conditions : []
  const bad = conditions.find(({ type, status: value }) => value === 'True' && BAD.test(type))
  if (bad) return { state: 'failing', why: wordsOf(bad) }
  const stuck = status.containerStatuses?.find(({ state }) => STUCK.test(state?.waiting?.reason ?? ''))
  if (stuck) return { state: 'failing', why: `${stuck.name}: ${stuck.state?.waiting?.reason ?? ''}` }
  if (status.phase === 'Failed' || status.phase === 'Error')
    return { state: 'failing', why: texts().phase(status.phase) }
  if (status.observedGeneration !== undefined && status.observedGeneration < (metadata.generation ?? 0))
    return { state: 'working', why: texts().notTakenUp }
  const main = GOOD.flatMap((name) => conditions.find(({ type }) => type === name) ?? [])[0]
  const isOver = status.phase === 'Succeeded'
  if (main && main.status !== 'True' && !isOver) return { state: 'working', why: wordsOf(main) }
  if (spec.replicas !== undefined && status.replicas !== undefined) {
    const [ready, wanted] = [status.readyReplicas ?? 0, spec.replicas]
    return { state: ready < wanted ? 'working' : 'healthy', why: texts().readyOf(ready, wanted) }
  }
  if (status.phase === 'Pending' || status.phase === 'Creating' || status.phase === 'Terminating')
    return { state: 'working', why: texts().phase(status.phase) }
  if (status.phase !== undefined) return { state: 'healthy', why: status.phase }
  return { state: 'healthy', why: main ? main.reason || main.type : '' }
}

function wordsOf({ type, reason, message }: Condition): string {
  return message || reason || type
}

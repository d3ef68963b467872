import type { RecordedObject } from '../../src/recording/entry.ts'
import { texts } from '../language/index.ts'
import { BAD } from './condition-tone.ts'
import { fieldsIn, mapsIn, numberIn, textIn } from './content.ts'

export type HealthState = 'healthy' | 'working' | 'failing' | 'deleting'

/** The health of an object, in one word and one line. */
export interface Health {
  readonly state: HealthState
  readonly why: string
}

/** A condition in the status of an object. */
export interface Condition {
  readonly type: string
  readonly status: string
  readonly reason: string | undefined
  readonly message: string | undefined
}

/** Conditions that say whether an object is as it should be. The first one that it has decides. */
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
  if (metadata.deletionTimestamp !== undefined) {
    const left = metadata.finalizers ?? []
    return { state: 'deleting', why: left.length > 0 ? texts().waitsFor(left.join(', ')) : texts().isDeleted }
  }
  if (error !== undefined) return { state: 'failing', why: error }
  const status = fieldsIn(object, 'status')
  const conditions = conditionsOf(object)
  const bad = conditions.find((each) => each.status === 'True' && BAD.test(each.type))
  if (bad) return { state: 'failing', why: wordsOf(bad) }
  for (const container of mapsIn(status, 'containerStatuses')) {
    const reason = textIn(fieldsIn(fieldsIn(container, 'state'), 'waiting'), 'reason') ?? ''
    if (STUCK.test(reason)) return { state: 'failing', why: `${textIn(container, 'name') ?? ''}: ${reason}` }
  }
  const phase = textIn(status, 'phase')
  if (phase === 'Failed' || phase === 'Error') return { state: 'failing', why: texts().phase(phase) }
  const observed = numberIn(status, 'observedGeneration')
  if (observed !== undefined && observed < (metadata.generation ?? 0))
    return { state: 'working', why: texts().notTakenUp }
  const main = GOOD.flatMap((name) => conditions.find(({ type }) => type === name) ?? [])[0]
  if (main && main.status !== 'True' && phase !== 'Succeeded') return { state: 'working', why: wordsOf(main) }
  const wanted = numberIn(fieldsIn(object, 'spec'), 'replicas')
  if (wanted !== undefined && numberIn(status, 'replicas') !== undefined) {
    const ready = numberIn(status, 'readyReplicas') ?? 0
    return { state: ready < wanted ? 'working' : 'healthy', why: texts().readyOf(ready, wanted) }
  }
  if (phase === 'Pending' || phase === 'Creating' || phase === 'Terminating')
    return { state: 'working', why: texts().phase(phase) }
  if (phase !== undefined) return { state: 'healthy', why: phase }
  return { state: 'healthy', why: main ? main.reason || main.type : '' }
}

/** The conditions of an object, as far as they have the usual form. */
export function conditionsOf(object: RecordedObject): readonly Condition[] {
  return mapsIn(fieldsIn(object, 'status'), 'conditions').flatMap((each) => {
    const [type, status] = [textIn(each, 'type'), textIn(each, 'status')]
    if (type === undefined || status === undefined) return []
    return [{ type, status, reason: textIn(each, 'reason'), message: textIn(each, 'message') }]
  })
}

function wordsOf({ type, reason, message }: Condition): string {
  return message || reason || type
}

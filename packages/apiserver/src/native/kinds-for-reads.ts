import type { NativeReading } from '../registry/index.ts'
import { convertEvent } from './event/event-conversion.ts'
import { convertAutoscaler } from './horizontal-pod-autoscaler/autoscaler-conversion.ts'

/** The native kinds that reads must know something about. */
export const READING: readonly NativeReading[] = [
  { group: '', kind: 'ComponentStatus', deprecation: 'v1 ComponentStatus is deprecated in v1.19+' },
  {
    group: '',
    kind: 'Endpoints',
    deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  },
  { group: '', kind: 'Event', convert: convertEvent },
  // Events of both groups are the same objects under different names.
  { group: 'events.k8s.io', kind: 'Event', convert: convertEvent, collection: '/events' },
  { group: 'autoscaling', kind: 'HorizontalPodAutoscaler', convert: convertAutoscaler },
]

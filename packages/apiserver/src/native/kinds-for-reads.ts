import type { NativeReading } from '../registry/index.ts'
import { convertEvent } from './event/event-conversion.ts'
import { convertAutoscaler } from './horizontal-pod-autoscaler/autoscaler-conversion.ts'

/** The facts about native kinds that reads need before the kinds are loaded. */
export const READING: readonly NativeReading[] = [
  { group: '', kind: 'ComponentStatus', deprecation: 'v1 ComponentStatus is deprecated in v1.19+' },
  {
    group: '',
    kind: 'Endpoints',
    deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  },
  { group: '', kind: 'Event', convert: convertEvent },
  // Both groups serve the same Events.
  { group: 'events.k8s.io', kind: 'Event', convert: convertEvent, collection: '/events' },
  { group: 'autoscaling', kind: 'HorizontalPodAutoscaler', convert: convertAutoscaler },
]

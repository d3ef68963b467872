import type { AnyKind, ObjectKey } from '@homeostat/api'
import { nameOf } from './typed-object.ts'

/** The document of `autoscaling/v1` that sets how many replicas an object has. */
export function scaleDocument(key: ObjectKey, replicas: number): object {
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: nameOf(key),
    spec: { replicas },
  }
}

/** The number of replicas at its place in an object of the kind, as the object's managed fields show it. */
export function replicasOf(kind: AnyKind, replicas: number): object {
  const path = kind.subresources.scale?.specReplicasPath ?? '.spec.replicas'
  const fields = path.split('.').slice(1)
  return fields.reduceRight<unknown>((value, field) => ({ [field]: value }), replicas) as object
}

import { type AnyKind, type KubernetesObject, type ObjectKey } from '@homeostat/api'
import { applyMatches, type Applier } from './apply-matches.ts'
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

/** Whether applying this scale would change nothing: the object itself shows who set the number, and to what. */
export function scaleMatches(
  kind: AnyKind,
  live: KubernetesObject,
  replicas: number,
  applier: Applier,
): boolean {
  const path = kind.subresources.scale?.specReplicasPath ?? '.spec.replicas'
  const document = path
    .split('.')
    .slice(1)
    .reduceRight<unknown>((value, field) => ({ [field]: value }), replicas)
  return applyMatches(live, document as object, applier)
}

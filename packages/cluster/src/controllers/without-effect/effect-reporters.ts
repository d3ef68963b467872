import type { AnyKind, KubernetesObject } from '@homeostat/api'
import {
  Ingress,
  MutatingWebhookConfiguration,
  NetworkPolicy,
  ResourceClaim,
  Secret,
  Service,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
  VolumeAttachment,
} from '@homeostat/api/kinds'
import { SERVER_GAPS, type WithoutEffect } from '@homeostat/apiserver'
import { controller, type Controller, type ObjectEvent } from 'homeostat'
import { CLUSTER_GAPS } from './cluster-gaps.ts'

/** The kinds whose objects get an event, since users inspect them. */
const REPORTED: readonly AnyKind[] = [
  Ingress,
  MutatingWebhookConfiguration,
  NetworkPolicy,
  ResourceClaim,
  Secret,
  Service,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
  VolumeAttachment,
]

/** Record an event for each object on which nothing acts, so that `kubectl describe` says so. */
export function effectReporters(): Controller[] {
  const gaps = Map.groupBy([...CLUSTER_GAPS, ...SERVER_GAPS], ({ group, kind }) => `${group}/${kind}`)
  return REPORTED.flatMap((kind) => {
    const ofKind = gaps.get(`${kind.group}/${kind.kind}`)
    return ofKind ? [effectReporter(kind, ofKind)] : []
  })
}

function effectReporter(kind: AnyKind, gaps: readonly WithoutEffect[]): Controller {
  const gapOf = (object: KubernetesObject): WithoutEffect | undefined =>
    gaps.find(({ concerns }) => concerns?.(object as unknown as Readonly<Record<string, unknown>>) ?? true)
  /** Reports each object once, and again when the reason changes why it has no effect. */
  const isNews = (event: ObjectEvent): boolean => {
    if (event.type === 'added') return gapOf(event.object) !== undefined
    return event.type === 'updated' && gapOf(event.object) !== gapOf(event.before)
  }
  return controller(`without-effect-${kind.plural}`)
    .for(kind, { predicate: isNews })
    .reconcile(async (request, { client, events }) => {
      const object = await client.get(kind, request)
      const gap = object && gapOf(object)
      if (gap) events.warning(object, 'NoEffect', gap.reason)
    })
}

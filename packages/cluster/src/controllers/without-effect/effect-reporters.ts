import type { AnyKind, KubernetesObject } from '@homeostat/api'
import {
  Ingress,
  NetworkPolicy,
  ResourceClaim,
  Service,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  VolumeAttachment,
} from '@homeostat/api/kinds'
import type { WithoutEffect } from '@homeostat/apiserver'
import { controller, type Controller, type ObjectEvent } from 'homeostat'

/** The kinds whose objects get an event, since users inspect them. */
const REPORTED: readonly AnyKind[] = [
  Ingress,
  NetworkPolicy,
  ResourceClaim,
  Service,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  VolumeAttachment,
]

/** Record an event for each object on which nothing acts, so that `kubectl describe` says so. */
export function effectReporters(withoutEffect: readonly WithoutEffect[]): Controller[] {
  const gaps = Map.groupBy(withoutEffect, ({ group, kind }) => `${group}/${kind}`)
  return REPORTED.flatMap((kind) => {
    const ofKind = gaps.get(`${kind.group}/${kind.kind}`)
    return ofKind ? [effectReporter(kind, ofKind)] : []
  })
}

function effectReporter(kind: AnyKind, gaps: readonly WithoutEffect[]): Controller {
  const reasonsOf = (object: KubernetesObject): string[] =>
    gaps
      .filter(({ concerns }) => concerns?.(object as unknown as Readonly<Record<string, unknown>>) ?? true)
      .map(({ reason }) => reason)
  /** Reports each object once, and again when the reasons change why it has no effect. */
  const isNews = (event: ObjectEvent): boolean => {
    if (event.type === 'added') return reasonsOf(event.object).length > 0
    if (event.type !== 'updated') return false
    const before = reasonsOf(event.before)
    return reasonsOf(event.object).some((reason) => !before.includes(reason))
  }
  return controller(`without-effect-${kind.plural}`)
    .for(kind, { predicate: isNews })
    .reconcile(async (request, { client, events }) => {
      const object = await client.get(kind, request)
      if (!object) return
      for (const reason of reasonsOf(object)) events.warning(object, 'NoEffect', reason)
    })
}

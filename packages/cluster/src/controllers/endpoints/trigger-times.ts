import { findCondition, timestamp } from '@homeostat/api'
import type { Pod, Service } from '@homeostat/api/kinds'

/** Annotates slices and Endpoints with the time of the change that caused their last write. */
const TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time'

/** The state of a Service when its endpoints were last written. */
export interface TriggerTimes {
  readonly service: number
  /** When each Pod last became ready or unready. */
  readonly pods: ReadonlyMap<string, number>
}

/** The current times, and the earliest of those that are new: for a new Service, the time of the Service itself. */
export function triggerTimes(
  service: Service,
  pods: readonly Pod[],
  before: TriggerTimes | undefined,
): { readonly times: TriggerTimes; readonly trigger: string | undefined } {
  const created = Date.parse(service.metadata.creationTimestamp)
  const times = { service: created, pods: new Map<string, number>() }
  const news = !before || created > before.service ? [created] : []
  for (const { metadata, status } of pods) {
    const changed = findCondition(status.conditions, 'Ready')?.lastTransitionTime
    if (changed === undefined) continue
    const time = Date.parse(changed)
    times.pods.set(metadata.name, time)
    if (before && time > (before.pods.get(metadata.name) ?? 0)) news.push(time)
  }
  return { times, trigger: news.length === 0 ? undefined : timestamp(Math.min(...news)) }
}

/** Annotations with the time in them, or without it. */
export function withTrigger(
  annotations: Readonly<Record<string, string>> | undefined,
  trigger: string | undefined,
): Record<string, string> {
  const { [TRIGGER_TIME]: _, ...others } = annotations ?? {}
  return trigger === undefined ? others : { ...others, [TRIGGER_TIME]: trigger }
}

import type { ApiRequest, Duration } from '@homeostat/api'
import type { ResourceName } from './resources.ts'

/** A short story: what a person and a node do, step by step. What the controllers make of it is what is compared. */
export interface Scenario {
  /** `deployment/rolls an update out`: the topic, and what it shows. */
  readonly title: string
  /** The kinds whose objects are looked at. */
  readonly kinds: readonly ResourceName[]
  /** How long nothing must happen after a step before it counts as over. */
  readonly quiet: Duration
  readonly steps: readonly Step[]
}

/** Actions that are taken one right after the other; then the controllers have the time they need. */
export interface Step {
  readonly title: string
  readonly actions: readonly Action[]
}

/** In paths and bodies `{ns}` is the scenario's namespace, and `{uid Kind/name}` the uid of an object that was seen. */
export type Action = RequestAction | PodsAction | PassAction | MinuteAction

export interface RequestAction {
  readonly act: 'request'
  readonly method: ApiRequest['method']
  readonly path: string
  readonly body?: unknown
}

/** An action of a node on its Pods, or of a person on some of them. */
export interface PodsAction {
  readonly act: 'pods'
  readonly which: PodChoice
  readonly become: PodChange
}

export type PodChange =
  | 'running'
  | 'ready'
  | 'unready'
  | 'succeeded'
  | 'failed'
  /** The node has ended it: it is removed. */
  | 'gone'
  /** A person deletes it. */
  | 'deleted'
  /** A person changes it, by a merge patch. */
  | { readonly patch: unknown }

/** Which Pods: those that the change makes sense for, from the oldest, and of them those that match. */
export interface PodChoice {
  readonly name?: string
  /** The image of the first container, which tells Pods of one template from those of another. */
  readonly image?: string
  readonly labels?: Readonly<Record<string, string>>
  /** Only those that run, or those that are being deleted, which are left out otherwise. */
  readonly are?: 'running' | 'terminating'
  /** How many; there must be so many. Default: all, which may be none. */
  readonly count?: number
  /** The exit code, of a change to `failed`. Default: 1. */
  readonly exitCode?: number
}

/** Lets time pass. */
export interface PassAction {
  readonly act: 'pass'
  readonly duration: Duration
}

/** Waits until the next minute has begun. */
export interface MinuteAction {
  readonly act: 'minute'
  /** Only if at most so many milliseconds are left of this one. */
  readonly ifLeft?: number
}

/** The kinds that controllers of workloads write. */
const WORKLOADS: readonly ResourceName[] = [
  'deployments',
  'replicasets',
  'statefulsets',
  'controllerrevisions',
  'jobs',
  'cronjobs',
  'pods',
  'persistentvolumeclaims',
]

/** Longer than a loaded machine takes between a write and the next that follows from it. */
const QUIET: Duration = '4s'

/** How scenarios of a topic differ from others. */
export interface TopicOptions {
  /** Kinds that are looked at besides those of workloads. */
  readonly also?: readonly ResourceName[]
  readonly quiet?: Duration
}

/** The scenarios of a topic: what each shows, and its steps. */
export function topic(
  name: string,
  scenarios: Readonly<Record<string, readonly Step[]>>,
  { also = [], quiet = QUIET }: TopicOptions = {},
): Scenario[] {
  return Object.entries(scenarios).map(([title, steps]) => ({
    title: `${name}/${title}`,
    kinds: [...WORKLOADS, ...also],
    quiet,
    steps,
  }))
}

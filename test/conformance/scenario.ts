import type { ApiRequest, Duration } from '@homeostat/api'

/** The part of the API's behaviour that a scenario shows. */
export const TAGS = [
  'A1 protobuf',
  'A2 watch-list',
  'A3 discovery',
  'A4 OpenAPI',
  'A6 tables',
  'A7 status errors',
  'A8 JSON',
  'B list',
  'B watch',
  'B update',
  'B generation',
  'B delete',
  'B apply',
  'B patch',
  'B field validation',
  'B CRDs',
  'B namespaces',
  'B native kinds',
  'B access',
  'C logs',
  'C streams',
  'C gzip',
  'D health',
] as const

export type Tag = (typeof TAGS)[number]

/**
 * Scenarios about one subject. They are played one after the other on one server, each in a namespace of its own, and
 * the answers of the real server are kept in `recorded/<name>.json`.
 */
export interface Topic {
  readonly name: string
  /** CustomResourceDefinitions that are served before the first scenario. */
  readonly definitions: readonly object[]
  /** Whether Kubernetes' own controllers must run on the real server. */
  readonly controllers: boolean
  /** Whether our server is asked through a port rather than in the process. */
  readonly port: boolean
  readonly scenarios: readonly Scenario[]
}

/** A conversation: requests in order, whose answers two servers must have in common. */
export interface Scenario {
  readonly tag: Tag
  readonly title: string
  /** Tells times apart rather than only that there is one. The scenario lets a second pass between them. */
  readonly times: boolean
  readonly steps: readonly Step[]
}

/**
 * In paths, bodies and headers `{ns}` is the scenario's namespace, `{last.metadata.uid}` a part of the answer before,
 * `{name.metadata.uid}` a part of the one that was kept under that name, and `{last.metadata.resourceVersion+5}` a number
 * nearby. In a path `/~` is the namespace with all that leads to it: `/api/v1/~/pods`.
 */
export type Step = RequestStep | WatchStep | EventsStep | PassStep

export interface RequestStep extends RequestOptions {
  readonly step: 'request'
  readonly method: ApiRequest['method']
  readonly path: string
  /** Sent as JSON; text and bytes as they are. */
  readonly body?: unknown
}

export interface RequestOptions {
  /** Keeps the answer under a name for later requests. */
  readonly as?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The part of a successful answer that is compared. Default: all of it. */
  readonly show?: (body: any) => unknown
  /** Parts of the answer that are not compared, since they speak of how the server is made: `details.causes.0.message`. */
  readonly ignore?: readonly string[]
  /** Asks again until the answer has this code, for what happens at a server's own time. */
  readonly until?: number
}

/** Opens a watch, which goes on in the background. */
export interface WatchStep {
  readonly step: 'watch'
  readonly name: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** The events of a watch since the last call: as many events as the real server is known to send, or more. */
export interface EventsStep {
  readonly step: 'events'
  readonly name: string
  readonly count: number
  /** Waits for the watch's end too. */
  readonly end: boolean
}

/** Lets time pass. */
export interface PassStep {
  readonly step: 'pass'
  readonly duration: Duration
}

/** A topic, by the name of its golden file. */
export function topic(
  name: string,
  scenarios: readonly Scenario[],
  options: Partial<Pick<Topic, 'definitions' | 'controllers' | 'port'>> = {},
): Topic {
  return { name, definitions: [], controllers: false, port: false, ...options, scenarios }
}

export function scenario(tag: Tag, title: string, ...steps: readonly Step[]): Scenario {
  return { tag, title, times: false, steps }
}

/** A scenario in which it matters whether a time is the same as another. */
export function timedScenario(tag: Tag, title: string, ...steps: readonly Step[]): Scenario {
  return { tag, title, times: true, steps }
}

import type { Clock } from '@homeostat/api'
import { VERSION, versionDocument, type VersionInfo } from '../version/index.ts'
import { AdmissionMetrics } from './admission-metrics.ts'
import { Counters, Histograms } from './counters.ts'
import { Exposition } from './exposition.ts'
import { HealthMetrics } from './health-metrics.ts'
import { exponentialBounds } from './histogram.ts'
import { Inflight } from './inflight.ts'
import { ReloadMetrics } from './reload-metrics.ts'
import { RequestMetrics } from './request-metrics.ts'

/** How many objects of a resource are stored. */
export interface StoredCount {
  readonly group: string
  readonly resource: string
  readonly count: number
}

/** Writes metrics that only the server's host knows, such as the memory of the process. */
export type HostMetrics = (to: Exposition) => void

/**
 * The metrics of a server's requests. Counting is a few additions; the text with its names, labels and order is written
 * when a client reads the metrics.
 */
export class ServerMetrics {
  readonly requests = new RequestMetrics()
  readonly inflight: Inflight
  readonly inqueue: Inflight
  readonly bodySizes = new Histograms(
    'apiserver_request_body_size_bytes',
    '[ALPHA] Apiserver request body size in bytes broken out by resource and verb.',
    ['group', 'resource', 'verb'],
    Array.from({ length: 31 }, (_, index) => 50_000 + index * 100_000),
  )
  readonly watchEvents = new Histograms(
    'apiserver_watch_events_sizes',
    '[ALPHA] Watch event size distribution in bytes',
    ['group', 'resource', 'version'],
    exponentialBounds(1024, 2, 8),
  )
  readonly watchEventCounts = new Counters(
    'apiserver_watch_events_total',
    '[ALPHA] Number of events sent in watch clients',
    ['group', 'resource', 'version'],
  )
  readonly longRunning = new Counters(
    'apiserver_longrunning_requests',
    '[STABLE] Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component. Not all requests are tracked this way.',
    ['component', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'],
    'gauge',
  )
  readonly deprecated = new Counters(
    'apiserver_requested_deprecated_apis',
    '[STABLE] Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.',
    ['group', 'removed_release', 'resource', 'subresource', 'version'],
    'gauge',
  )
  readonly admission = new AdmissionMetrics()
  readonly authentication = new Counters(
    'authentication_attempts',
    '[ALPHA] Counter of authenticated attempts.',
    ['result'],
  )
  readonly users = new Counters(
    'authenticated_user_requests',
    '[ALPHA] Counter of authenticated requests broken out by username.',
    ['username'],
  )
  readonly authorization = new Counters(
    'authorization_attempts_total',
    "[ALPHA] Counter of authorization attempts broken down by result. It can be either 'allowed', 'denied', 'no-opinion' or 'error'.",
    ['result'],
  )
  readonly auditEventCounts = new Counters(
    'apiserver_audit_event_total',
    '[ALPHA] Counter of audit events generated and sent to the audit backend.',
  )
  readonly auditEvents = this.auditEventCounts.of()
  readonly auditLevels = new Counters(
    'apiserver_audit_level_total',
    '[ALPHA] Counter of policy levels for audit events (1 per request).',
    ['level'],
  )
  readonly health = new HealthMetrics()
  readonly reloads: ReloadMetrics
  readonly loggedIn = this.authentication.of('success')
  readonly allowed = this.authorization.of('allowed')
  readonly #clock: Clock

  readonly #version: VersionInfo

  constructor(clock: Clock, version: VersionInfo = VERSION) {
    this.#version = version
    this.#clock = clock
    this.reloads = new ReloadMetrics(() => clock.now())
    this.inflight = new Inflight(() => clock.monotonic())
    this.inqueue = new Inflight(() => clock.monotonic())
  }

  /** A time in seconds, to measure how long something takes. */
  seconds(): number {
    return this.#clock.monotonic() / 1000
  }

  /** All metrics, in the text format of Prometheus. */
  text(stored: readonly StoredCount[], host?: HostMetrics): string {
    const to = new Exposition()
    this.requests.write(to)
    const inflight =
      'Maximal number of currently used inflight request limit of this apiserver per request kind'
    this.inflight.write(to, 'apiserver_current_inflight_requests', `[STABLE] ${inflight} in last second.`)
    const inqueue = 'Maximal number of queued requests in this apiserver per request kind in last second.'
    this.inqueue.write(to, 'apiserver_current_inqueue_requests', `[ALPHA] ${inqueue}`)
    for (const family of [
      this.bodySizes,
      this.watchEvents,
      this.watchEventCounts,
      this.longRunning,
      this.deprecated,
      this.admission,
      this.reloads,
      this.authentication,
      this.users,
      this.authorization,
      this.auditEventCounts,
      this.auditLevels,
    ]) {
      family.write(to)
    }
    writeStored(to, stored)
    writeVersion(to, this.#version)
    host?.(to)
    return to.text()
  }
}

function writeStored(to: Exposition, stored: readonly StoredCount[]): void {
  const help =
    'Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.'
  const objects = to.family(
    'apiserver_storage_objects',
    'gauge',
    `[STABLE] (Deprecated since 1.34.0) [DEPRECATED, consider using apiserver_resource_objects instead] ${help}`,
  )
  const byName = stored.map(({ group, resource, count }) => ({
    name: group === '' ? resource : `${resource}.${group}`,
    count,
  }))
  for (const { name, count } of byName.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    objects('', [['resource', name]], count)
  }
  const resources = to.family('apiserver_resource_objects', 'gauge', `[ALPHA] ${help}`)
  const key = ({ group, resource }: StoredCount): string => `${group}\n${resource}`
  for (const one of stored.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))) {
    resources(
      '',
      [
        ['group', one.group],
        ['resource', one.resource],
      ],
      one.count,
    )
  }
}

function writeVersion(to: Exposition, of: VersionInfo): void {
  const { major = '', minor = '', gitVersion = '', ...version } = versionDocument(of)
  const build = to.family(
    'kubernetes_build_info',
    'gauge',
    "[BETA] A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
  )
  build(
    '',
    [
      ['build_date', version['buildDate'] ?? ''],
      ['compiler', version['compiler'] ?? ''],
      ['git_commit', version['gitCommit'] ?? ''],
      ['git_tree_state', version['gitTreeState'] ?? ''],
      ['git_version', gitVersion],
      ['go_version', version['goVersion'] ?? ''],
      ['major', major],
      ['minor', minor],
      ['platform', version['platform'] ?? ''],
    ],
    1,
  )
}

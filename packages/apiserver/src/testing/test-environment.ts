import {
  customResourceDefinition,
  HomeostatError,
  SimulatedClock,
  type AnyKind,
  type ApiHandler,
  type ApiRequest,
  type CustomResourceDefinitionOptions,
  type DriveOptions,
  type Duration,
} from '@homeostat/api'
import type { User } from '../auth/index.ts'
import type { WriteRecord } from '../http/index.ts'
import { keyIn } from '../registry/index.ts'
import { ApiServer } from '../server.ts'
import type { ApiServerOptions } from '../server-options.ts'
import type { WebhookTarget } from '../webhooks/index.ts'
import { Checkpoint } from './checkpoint.ts'
import { describeWrite } from './describe-write.ts'
import { callJson, watchJson, type JsonAnswer, type JsonCallOptions, type JsonWatch } from './json-caller.ts'
import { RepeatedRequests } from './repeated-requests.ts'
import { StoredObjects, type StoredKind, type StoredName } from './stored-objects.ts'
import { TestWebhooks } from './test-webhooks.ts'

/** Options of a test environment. */
export interface TestEnvironmentOptions extends Omit<ApiServerOptions, 'clock' | 'onWrite'> {
  /** Default: a new clock, which starts at noon of 1 January 2026 (UTC). */
  readonly clock?: SimulatedClock | undefined
  /**
   * Kinds whose CRDs exist from the start. Several versions of a kind become one CRD, which stores the last of
   * them.
   */
  readonly kinds?: readonly AnyKind[] | undefined
}

/**
 * How much real time a request or a reconcile may take before it counts as stuck: nothing leaves the process here. A
 * test runner usually gives a test 5 s, and should not be the first to give up, since it cannot say why.
 */
const STUCK_AFTER = '3s'

/** The user agent of the environment's own writes. */
const PREPARATION = 'test-environment'

const decoder = new TextDecoder()

/** An API server for one test, with a clock that only the test moves. */
export class TestEnvironment implements AsyncDisposable {
  readonly server: ApiServer
  readonly clock: SimulatedClock
  /** Every write request, including refused ones, but not those of {@link prepare}. */
  readonly writes: readonly WriteRecord[]

  /** The objects without requests, for code that simulates a part of the cluster. */
  readonly objects: StoredObjects

  readonly #repeated: RepeatedRequests
  readonly #webhooks: TestWebhooks

  private constructor(
    server: ApiServer,
    clock: SimulatedClock,
    writes: readonly WriteRecord[],
    repeated: RepeatedRequests,
    webhooks: TestWebhooks,
  ) {
    this.server = server
    this.clock = clock
    this.writes = writes
    this.objects = new StoredObjects(server.registry)
    this.#repeated = repeated
    this.#webhooks = webhooks
  }

  static async start(options: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
    const clock = options.clock ?? new SimulatedClock({ stuckAfter: STUCK_AFTER })
    const writes: WriteRecord[] = []
    const repeated = new RepeatedRequests(clock)
    const onWrite = (write: WriteRecord): void => {
      if (write.userAgent === PREPARATION) return
      writes.push(write)
      repeated.addWrite(write)
    }
    const { kinds, ...server } = options
    const webhooks = new TestWebhooks()
    const webhookHandlers = (target: WebhookTarget) =>
      webhooks.handlerFor(target) ?? server.webhookHandlers?.(target)
    const started = await ApiServer.start({ ...server, clock, onWrite, webhookHandlers })
    const environment = new TestEnvironment(started, clock, writes, repeated, webhooks)
    for (const versions of byDefinition(kinds ?? [])) await environment.install(versions)
    return environment
  }

  /** The API as a function, for a client in the same process that has all rights. */
  get handler(): ApiHandler {
    return this.#counted(this.server.handler)
  }

  /** The API as a function, for one user. */
  handlerFor(user: User): ApiHandler {
    return this.#counted(this.server.handlerFor(user))
  }

  /** Writes an object that belongs to the environment, such as a definition or a role: it is not in {@link writes}. */
  prepare(method: 'POST' | 'PUT', path: string, body: object): Promise<JsonAnswer> {
    return this.call(method, path, { body, headers: { 'user-agent': PREPARATION } })
  }

  /** The address of the webhooks that {@link mountWebhooks} mounts, as the `clientConfig` of their configurations. */
  get webhookClientConfig(): { readonly url: string } {
    return { url: this.#webhooks.url }
  }

  /**
   * Lets the server call webhooks in this process, without a port or a certificate: give it
   * `webhookHandler([admission], { clock })` and the result of `webhookConfigurations([admission], { name,
   * clientConfig: environment.webhookClientConfig })`. Time limits count in simulated time. Webhooks that were
   * mounted before no longer answer.
   */
  async mountWebhooks(handler: ApiHandler, configurations: object = {}): Promise<void> {
    this.#webhooks.handler = handler
    for (const configuration of Object.values(configurations)) await this.#configure(configuration)
  }

  async #configure(configuration: { readonly apiVersion: string; readonly kind: string }): Promise<void> {
    const { apiVersion, kind } = configuration
    const { code, body } = await this.prepare(
      'POST',
      `/apis/${apiVersion}/${kind.toLowerCase()}s`,
      configuration,
    )
    if (code === 201) return
    throw new HomeostatError('WEBHOOKS_NOT_INSTALLED', `the server refused the ${kind}: ${body.message}`)
  }

  /** Makes the server serve a kind that `defineKind` made, or several versions of one. */
  async install(
    kind: AnyKind | readonly AnyKind[],
    options: CustomResourceDefinitionOptions = {},
  ): Promise<void> {
    const definition = customResourceDefinition(kind, options)
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    const answer = await this.prepare('POST', path, definition)
    if (answer.code === 201) return
    throw new HomeostatError(
      'KIND_NOT_INSTALLED',
      `the server refused the definition of ${definition.metadata.name}: ${answer.body.message}`,
    )
  }

  /** Sends one request unchanged, without a client, and reads the answer. */
  call(method: ApiRequest['method'], path: string, options?: JsonCallOptions): Promise<JsonAnswer> {
    return callJson(this.handler, method, path, options)
  }

  /** Remembers all objects as they are now, to bring them back later without requests. */
  checkpoint(): Checkpoint {
    return new Checkpoint(this.server.registry)
  }

  /**
   * Reads an object from the store, without a request; `undefined` if it does not exist. It may be frozen. An object that is stored
   * in another version is read by a request.
   */
  async stored(kind: StoredKind, { namespace, name }: StoredName): Promise<any> {
    const { group, version, plural } = kind
    const { registry } = this.server
    const resource = registry.catalogue.find(group, version, plural)
    const entry = resource && registry.get(resource, keyIn(resource, namespace, name))
    if (!entry) return undefined
    const apiVersion = group === '' ? version : `${group}/${version}`
    if (entry.apiVersion === apiVersion)
      return entry.isShareable ? entry.value : JSON.parse(decoder.decode(entry.json))
    const root = group === '' ? '/api' : `/apis/${group}`
    const place = resource.scope === 'Namespaced' ? `/namespaces/${namespace}` : ''
    const answer = await this.call('GET', `${root}/${version}${place}/${plural}/${encodeURIComponent(name)}`)
    return answer.code === 200 ? answer.body : undefined
  }

  /** Opens a watch without a client. */
  watch(path: string, options?: JsonCallOptions): Promise<JsonWatch> {
    return watchJson(this.handler, path, options)
  }

  /**
   * Waits until no work is left at the current simulated time. Rejects with code `ENDLESS_REQUESTS` when one object
   * is written or read again and again, and with `CLOCK_STUCK` when a request or a reconcile does not end.
   */
  settle(options?: DriveOptions): Promise<void> {
    return this.#repeated.limit((drive) => this.clock.settle(drive), options)
  }

  /** Lets time pass, and runs all work that falls due meanwhile. Rejects as `settle` does. */
  advance(duration: Duration, options?: DriveOptions): Promise<void> {
    return this.#repeated.limit((drive) => this.clock.advance(duration, drive), options)
  }

  /**
   * Settles, and fails if a write request was sent meanwhile, or while `action` ran: the message names each.
   * Without an action it settles twice: work that is already under way may write, later work may not.
   */
  async expectNoWrites(action?: () => unknown): Promise<void> {
    if (!action) await this.settle()
    const before = this.writes.length
    await action?.()
    await this.settle()
    const sent = this.writes.slice(before)
    if (sent.length === 0) return
    throw new HomeostatError(
      'UNEXPECTED_WRITES',
      `expected no request that writes, but ${sent.length} came:\n${sent.map((write) => `  ${describeWrite(write)}`).join('\n')}`,
    )
  }

  async close(): Promise<void> {
    await this.server.close()
  }

  #counted(handler: ApiHandler): ApiHandler {
    return (request) => {
      this.#repeated.addRequest(request)
      return handler(request)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

/** The versions of each kind, in the order in which they were given. */
function byDefinition(kinds: readonly AnyKind[]): AnyKind[][] {
  const definitions = new Map<string, AnyKind[]>()
  for (const kind of kinds) {
    const name = `${kind.plural}.${kind.group}`
    definitions.set(name, [...(definitions.get(name) ?? []), kind])
  }
  return [...definitions.values()]
}

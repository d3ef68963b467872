import {
  customResourceDefinition,
  HomeostatError,
  SimulatedClock,
  type AnyKind,
  type ApiHandler,
  type ApiRequest,
  type Duration,
} from '@homeostat/api'
import type { WriteRecord } from '../http/handler.ts'
import { ApiServer, type ApiServerOptions } from '../server.ts'
import { callJson, watchJson, type JsonAnswer, type JsonCallOptions, type JsonWatch } from './json-caller.ts'

/** How a test's environment is started. */
export interface TestEnvironmentOptions extends Omit<ApiServerOptions, 'clock' | 'onWrite'> {
  /** Default: a new one, which stands at noon of 1 January 2026. */
  readonly clock?: SimulatedClock | undefined
  /** Kinds whose CRDs are there from the start. */
  readonly kinds?: readonly AnyKind[] | undefined
}

/** A server of one's own for a test, with a clock that only the test moves. */
export class TestEnvironment implements AsyncDisposable {
  readonly server: ApiServer
  readonly clock: SimulatedClock
  /** Every request since the start that would write, also those that were refused. */
  readonly writes: readonly WriteRecord[]

  private constructor(server: ApiServer, clock: SimulatedClock, writes: readonly WriteRecord[]) {
    this.server = server
    this.clock = clock
    this.writes = writes
  }

  static async start(options: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
    const clock = options.clock ?? new SimulatedClock()
    const writes: WriteRecord[] = []
    const server = await ApiServer.start({ ...options, clock, onWrite: (write) => writes.push(write) })
    const environment = new TestEnvironment(server, clock, writes)
    for (const kind of options.kinds ?? []) await environment.install(kind)
    writes.length = 0
    return environment
  }

  /** The API as a function, for a client in the same process. */
  get handler(): ApiHandler {
    return this.server.handler
  }

  /** Makes the server serve a kind that `defineKind` made, or several versions of one. */
  async install(kind: AnyKind | readonly AnyKind[]): Promise<void> {
    const definition = customResourceDefinition(kind)
    const answer = await this.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      body: definition,
      headers: { 'user-agent': 'test-environment' },
    })
    if (answer.code === 201) return
    throw new HomeostatError(
      'KIND_NOT_INSTALLED',
      `the server refused the definition of ${definition.metadata.name}: ${answer.body.message}`,
    )
  }

  /** Sends one request as it stands, without a client, and reads the answer. */
  call(method: ApiRequest['method'], path: string, options?: JsonCallOptions): Promise<JsonAnswer> {
    return callJson(this.handler, method, path, options)
  }

  /** Opens a watch without a client. */
  watch(path: string, options?: JsonCallOptions): Promise<JsonWatch> {
    return watchJson(this.handler, path, options)
  }

  /** Waits until nothing is left to do that needs no time to pass. */
  settle(): Promise<void> {
    return this.clock.settle()
  }

  /** Lets time pass, with everything that happens in it. */
  advance(duration: Duration): Promise<void> {
    return this.clock.advance(duration)
  }

  /**
   * Settles, and fails if a request to write was sent meanwhile, or while `action` ran: the message names each. Without
   * an action it settles twice: what was under way may write, what follows may not.
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
      `expected no request that writes, but ${sent.length} came:\n${sent.map((write) => `  ${describe(write)}`).join('\n')}`,
    )
  }

  async close(): Promise<void> {
    await this.server.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

/** One write in a line: `patch deployments.apps/status default/web by my-controller (200)`. */
function describe(write: WriteRecord): string {
  const resource = write.group ? `${write.resource}.${write.group}` : write.resource
  const path = write.subresource ? `${resource}/${write.subresource}` : resource
  const name = [write.namespace, write.name].filter(Boolean).join('/')
  const who = write.fieldManager ?? write.userAgent ?? write.user
  return [write.verb, path, name, `by ${who}`, `(${write.code})`].filter(Boolean).join(' ')
}

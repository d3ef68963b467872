import { SystemClock, type ApiHandler, type Clock } from '@homeostat/api'
import { ADMIN, mastersOnly, type User } from './auth/index.ts'
import { createHandler, type Serve, type WriteRecord } from './http/handler.ts'
import { finalizeAction } from './http/namespace-actions.ts'
import { bindingAction, evictionAction } from './http/pod-actions.ts'
import { podLogAction, type PodLogs } from './http/pod-log.ts'
import type { ApiPort, PortOptions } from './http/port.ts'
import { scaleAction } from './http/scale-actions.ts'
import type { SubresourceAction } from './http/subresources.ts'
import { LiveCatalogue } from './registry/catalogue.ts'
import { Cleanup } from './registry/cleanup.ts'
import { create } from './registry/create.ts'
import { serveCustomResources } from './registry/kinds/custom-resource-definition.ts'
import { expireEvents } from './registry/kinds/event.ts'
import { takeIn } from './registry/incoming.ts'
import { rulesOf } from './registry/kinds/index.ts'
import { DEFAULT_NAMESPACES } from './registry/kinds/namespace.ts'
import { nativeCatalogue } from './registry/native-catalogue.ts'
import { Registry } from './registry/registry.ts'
import { MemoryStore, type Store } from './storage/index.ts'

/** How a server is started. */
export interface ApiServerOptions {
  /** Default: the machine's own. */
  readonly clock?: Clock | undefined
  /** Where objects are kept. Default: in memory, and gone with the server. */
  readonly store?: Store | undefined
  /** Gives the output of containers to `kubectl logs`. Default: none runs, so that there is none. */
  readonly podLogs?: PodLogs | undefined
  /** Told of every request that would write, after it was answered. */
  readonly onWrite?: ((write: WriteRecord) => void) | undefined
}

/**
 * A Kubernetes API in this process. Its {@link handler} answers as soon as `start` has resolved; a port is opened only
 * by `listen`.
 */
export class ApiServer implements AsyncDisposable {
  readonly clock: Clock
  readonly registry: Registry
  readonly #serve: Serve
  readonly #tokens: Map<string, User>
  readonly #expiry: Disposable
  readonly #ports = new Set<ApiPort>()

  private constructor(
    clock: Clock,
    registry: Registry,
    serve: Serve,
    tokens: Map<string, User>,
    expiry: Disposable,
  ) {
    this.clock = clock
    this.registry = registry
    this.#serve = serve
    this.#tokens = tokens
    this.#expiry = expiry
  }

  /** Starts a server with the namespaces that every cluster has. */
  static async start(options: ApiServerOptions = {}): Promise<ApiServer> {
    const clock = options.clock ?? new SystemClock()
    const catalogue = new LiveCatalogue(nativeCatalogue())
    const registry = new Registry({
      store: options.store ?? new MemoryStore(),
      clock,
      catalogue,
      rules: rulesOf,
    })
    serveCustomResources(registry)
    void new Cleanup(registry)
    const expiry = expireEvents(registry, clock)
    const tokens = new Map<string, User>()
    const serve = createHandler({
      registry,
      readToken: (token) => tokens.get(token),
      authorize: mastersOnly,
      subresources: new Map<string, SubresourceAction>([
        ['*/scale', scaleAction],
        ['/namespaces/finalize', finalizeAction],
        ['/pods/binding', bindingAction],
        ['/pods/eviction', evictionAction],
        ['/pods/log', podLogAction(options.podLogs)],
      ]),
      onWrite: options.onWrite,
    })
    await createNamespaces(registry)
    return new ApiServer(clock, registry, serve, tokens, expiry)
  }

  /** The API as a function, for callers in this process: they may do everything. */
  get handler(): ApiHandler {
    return this.handlerFor(ADMIN)
  }

  /** The API as a function, for one user. A request that carries a token is its bearer's. */
  handlerFor(user: User): ApiHandler {
    return (request) => this.#serve(request, request.headers['authorization'] ? undefined : user)
  }

  /**
   * Opens a port on the loopback interface, with TLS and a token of its own whose bearer may do everything. It is
   * closed with the server, or before. Fails with `PORT_IN_USE` when another program has the port.
   */
  async listen(options: PortOptions = {}): Promise<ApiPort> {
    // Only here, so that a server without a port needs nothing of Node.
    const { openPort } = await import('./http/port.ts')
    const token = newToken()
    const port = await openPort((request) => this.#serve(request), token, options)
    this.#tokens.set(token, ADMIN)
    this.#ports.add(port)
    const close = async (): Promise<void> => {
      this.#tokens.delete(token)
      this.#ports.delete(port)
      await port.close()
    }
    return { ...port, close, [Symbol.asyncDispose]: close }
  }

  /** Ends every watch and closes the ports. Requests that come later are answered with 503. */
  async close(): Promise<void> {
    this.registry.close()
    this.#expiry[Symbol.dispose]()
    await Promise.all([...this.#ports].map((port) => port.close()))
    this.#ports.clear()
    this.#tokens.clear()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

/** Makes the namespaces that every cluster has, where the store does not have them yet. */
async function createNamespaces(registry: Registry): Promise<void> {
  const resource = registry.catalogue.find('', 'v1', 'namespaces')
  if (!resource) return
  const options = {
    dryRun: false,
    fieldManager: 'kube-apiserver',
    fieldValidation: 'Ignore',
    warn() {},
  } as const
  for (const name of DEFAULT_NAMESPACES) {
    if (registry.get(resource, name)) continue
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    await create(registry, { resource }, takeIn(namespace, resource, options), options)
  }
}

/** A secret, so its chance is not the clock's, which a test can foresee. */
function newToken(): string {
  return [...crypto.getRandomValues(new Uint8Array(24))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}

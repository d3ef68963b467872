import { HomeostatError, SystemClock, type ApiHandler, type Clock } from '@homeostat/api'
import { Node, Pod } from '@homeostat/api/kinds'
import { ApiServer, type ApiServerOptions, type PodLogRequest } from '@homeostat/apiserver'
import { Closing } from './closing.ts'
import { createClient, directTransport, Manager, silentLogger, type Client, type Logger } from 'homeostat'
import {
  deploymentController,
  endpointsController,
  garbageCollector,
  replicaSetController,
  scheduler,
} from './controllers/index.ts'
import { readPodLog } from './pod-logs.ts'
import { bundledImages, type ImageMap } from './images/index.ts'
import { Kubelet, nodeObject, nodeStatus, openNodeFolder, type LogOptions } from './kubelet/index.ts'
import {
  Loopback,
  PodNetwork,
  ServiceNetwork,
  type Forward,
  type ServiceKey,
  type SocketAddress,
} from './network/index.ts'

/** How a cluster is started. */
export interface ClusterOptions {
  /** Default: the machine's own. */
  readonly clock?: Clock | undefined
  /** What runs for the names of images, besides the bundled ones. Default: none. */
  readonly images?: ImageMap | undefined
  /**
   * Lets Pods of the bundled shell image (`busybox`) name any command of this machine, not only `sh` and
   * its usual companions. Default: false.
   */
  readonly hostCommands?: boolean | undefined
  /** The port of the API on 127.0.0.1; 0 is any that is free, and `false` opens none. Default: 0. */
  readonly port?: number | false | undefined
  /** Where files of Pods are kept. Default: a folder for temporary files, removed when the cluster closes. */
  readonly dataDir?: string | undefined
  /** Told of every request that would write, whoever sent it, after it was answered. */
  readonly onWrite?: ApiServerOptions['onWrite']
  /** Where the cluster's own controllers log. Default: nowhere. */
  readonly logger?: Logger | undefined
}

/** Which log is wanted. */
export interface ClusterLogOptions extends LogOptions {
  readonly namespace: string
  readonly pod: string
  /** Default: the first container of the Pod. */
  readonly container?: string | undefined
  /** The log of the run before. Default: false. */
  readonly previous?: boolean | undefined
}

interface Parts {
  readonly kubelet: Kubelet
  readonly services: ServiceNetwork
  readonly listening: { readonly url: string; kubeconfig(): string } | undefined
  readonly closing: Closing
}

const NODE = 'homeostat'
const HOST_IP = '127.0.0.1'

/**
 * A small Kubernetes in this process: an API server, the controllers of workloads, and one node that runs
 * Pods as functions and processes of this machine. Nothing of it is left after `close`.
 */
export class Cluster implements AsyncDisposable {
  readonly server: ApiServer
  readonly clock: Clock
  /** Reads and writes the server itself, as its administrator. */
  readonly client: Client
  readonly #parts: Parts

  private constructor(server: ApiServer, clock: Clock, client: Client, parts: Parts) {
    this.server = server
    this.clock = clock
    this.client = client
    this.#parts = parts
  }

  /** Resolves when the API answers, the node is ready and all controllers run. */
  static async start(options: ClusterOptions = {}): Promise<Cluster> {
    const clock = options.clock ?? new SystemClock()
    await using closing = new Closing()
    const folder = await openNodeFolder(options.dataDir)
    closing.add(() => folder.release())
    const loopback = closing.use(await Loopback.claim())
    const network = new PodNetwork(loopback)
    const images = imagesOf(options)
    const kubelet = closing.use(
      new Kubelet({ node: NODE, hostIP: HOST_IP, clock, images, network, folder: folder.path }),
    )
    await kubelet.prepare()
    const podLogs = (request: PodLogRequest): Promise<AsyncIterable<Uint8Array>> =>
      readPodLog(kubelet, request, clock)
    const server = closing.use(await ApiServer.start({ clock, podLogs, onWrite: options.onWrite }))
    const transport = closing.use(directTransport(server.handler, { clock }))
    const client = createClient({ transport, clock, fieldManager: 'homeostat-cluster' })
    const services = closing.use(new ServiceNetwork({ reader: client, pods: network, loopback }))
    await registerNode(client, clock)

    const manager = new Manager({ transport, clock, logger: options.logger ?? silentLogger }).add(
      deploymentController,
      replicaSetController,
      endpointsController,
      scheduler,
      kubelet.controller,
      garbageCollector(client.kinds),
    )
    const stop = new AbortController()
    const running = manager.start({ signal: stop.signal })
    closing.add(async () => {
      stop.abort()
      await running
    })
    await manager.synced
    const { port = 0 } = options
    const listening = port === false ? undefined : await server.listen({ port })
    return new Cluster(server, clock, client, { kubelet, services, listening, closing: closing.move() })
  }

  /** The API as a function, for callers in this process: they may do everything. */
  get handler(): ApiHandler {
    return this.server.handler
  }

  /** Where the API listens. */
  get url(): string {
    return this.#listening.url
  }

  /** A kubeconfig for the cluster's administrator, as YAML. */
  kubeconfig(): string {
    return this.#listening.kubeconfig()
  }

  /** The loopback address that connects to a Service's port (its number or its name). */
  serviceAddress(service: ServiceKey, port?: number | string): Promise<SocketAddress> {
    return this.#parts.services.address(service, port)
  }

  /** Opens a port of 127.0.0.1 to a Service: `localPort`, or any that is free. */
  forward(options: {
    service: ServiceKey
    port?: number | string | undefined
    localPort?: number | undefined
  }): Promise<Forward> {
    return this.#parts.services.forward(options)
  }

  /** The log of a container as chunks of text; with `follow` it goes on until the container ends. */
  async *logs(options: ClusterLogOptions): AsyncGenerator<Uint8Array, void, undefined> {
    const { namespace, pod: name, previous, ...rest } = options
    const pod = await this.client.getOrThrow(Pod, { namespace, name })
    const container = options.container ?? pod.spec.containers[0]?.name ?? ''
    const log = this.#parts.kubelet.log({ namespace, name }, container, { previous })
    if (log) yield* log.read(rest)
  }

  /** Ends everything: controllers, containers and their processes, listeners, the server. */
  close(): Promise<void> {
    return this.#parts.closing.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  get #listening(): { readonly url: string; kubeconfig(): string } {
    const { listening } = this.#parts
    if (listening) return listening
    throw new HomeostatError(
      'CLUSTER_WITHOUT_PORT',
      'the cluster was started with port: false, so nothing listens: leave port out, or use its handler',
    )
  }
}

function imagesOf({ images, hostCommands }: ClusterOptions): ImageMap {
  const { busybox } = bundledImages
  const shell = busybox && hostCommands ? { busybox: { ...busybox, hostCommands } } : {}
  return { ...bundledImages, ...shell, ...images }
}

async function registerNode(client: Client, clock: Clock): Promise<void> {
  const node = (await client.get(Node, { name: NODE })) ?? (await client.create(Node, nodeObject(NODE)))
  const status = nodeStatus(NODE, HOST_IP, clock.now())
  await client.status.update(Node, { ...node, status })
}

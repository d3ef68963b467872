import { checkOptionNames, HomeostatError, optionNames, type Clock } from '@homeostat/api'
import type { CoreV1 } from '@homeostat/api/kinds'
import type { ApiServerOptions, PortOptions } from '@homeostat/apiserver'
import type { Activity, Logger } from 'homeostat'
import type { ImageMap } from './images/index.ts'
import type { LogOptions } from './kubelet/index.ts'
import type { ServiceKey } from './network/index.ts'

/** A node of the cluster: all of them run on this machine. */
export interface ClusterNode {
  readonly name: string
  /** Labels of the node, besides those that every node has. Default: none. */
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** Taints of the node, which keep away Pods that do not tolerate them. Default: none. */
  readonly taints?: readonly CoreV1.Taint[] | undefined
  /**
   * The node's capacity for the scheduler: `{ cpu: '4', memory: '8Gi', pods: '110' }`. Default: what this machine
   * has, and 1000 Pods.
   */
  readonly capacity?: Readonly<Record<string, string>> | undefined
}

/** How a cluster is started. */
export interface ClusterOptions {
  /** Default: the machine's own. */
  readonly clock?: Clock | undefined
  /** The images that Pods can use, besides the bundled ones. Default: none. */
  readonly images?: ImageMap | undefined
  /**
   * Lets Pods of the image `busybox` run this machine's own shell and any command of this machine, instead of the
   * bundled shell, which can only reach the container's files. Images that are mapped to a command allow any
   * command too, unless they say `hostCommands: false`. Default: false.
   */
  readonly hostCommands?: boolean | undefined
  /** Lets Pods mount paths of this machine (`hostPath` volumes). Default: false. */
  readonly hostPaths?: boolean | undefined
  /**
   * Gives processes of Pods a hosts file with the names of Services, if the system supports it: Linux with
   * util-linux, as root or with user namespaces. Each start of a process takes a few milliseconds longer. `false`
   * turns it off. Default: true.
   */
  readonly processNames?: boolean | undefined
  /**
   * Separates the processes of Pods from the cluster's own files, from the processes of the machine and from other
   * Pods, if the system supports it: Linux with util-linux, as root or with user namespaces. `false` turns it off.
   * Default: true.
   */
  readonly separation?: boolean | undefined
  /**
   * Files of this machine that processes of Pods see as empty where they are separated, such as the kubeconfig of
   * the administrator. The files need not exist yet. Default: none.
   */
  readonly secretFiles?: readonly string[] | undefined
  /**
   * How many processes and threads a container may have at a time, if the system can limit them: Linux with control
   * groups. Default: 4096.
   */
  readonly processLimit?: number | undefined
  /** The number of nodes, or the nodes themselves. Default: one, named `homeostat`. */
  readonly nodes?: number | readonly (string | ClusterNode)[] | undefined
  /**
   * The port of the API on 127.0.0.1; 0 takes the port of the previous cluster on the data folder, or any free
   * port, and `false` opens none. Default: 0.
   */
  readonly port?: number | false | undefined
  /**
   * A folder that keeps objects, credentials and the files of Pods, so that the next cluster on the folder
   * continues where this one stopped, even after a crash, and kubeconfigs stay valid. Only one cluster can use the
   * folder at a time. Default: objects are kept in memory and files in a temporary folder, and both are removed
   * with the cluster.
   */
  readonly dataDir?: string | undefined
  /**
   * Accepts that a damaged data folder loses the objects that cannot be read: the damaged files are moved aside, and
   * the cluster starts with the rest. Called with the loss. Default: a damaged folder is refused.
   */
  readonly acceptDataLoss?: ApiServerOptions['acceptDataLoss']
  /**
   * The release of Kubernetes whose API is served, such as `1.34`. Controllers and nodes stay those of 1.36. Default: `1.36`.
   */
  readonly kubernetesVersion?: ApiServerOptions['kubernetesVersion']
  /** An EncryptionConfiguration: which objects are encrypted in the data folder, and by which keys. Default: none. */
  readonly encryption?: ApiServerOptions['encryption']
  /** The audit log of requests and their answers. Default: there is none. */
  readonly audit?: ApiServerOptions['audit']
  /** Called with the kubeconfig of the administrator once the API listens, before any Pod runs. */
  readonly onListening?: ((kubeconfig: string) => void) | undefined
  /**
   * An AuthenticationConfiguration of `apiserver.config.k8s.io/v1`: the issuers whose JSON web tokens (OIDC) log in, and which paths
   * anonymous requests may ask for. Default: tokens of other issuers are refused.
   */
  readonly authentication?: ApiServerOptions['authentication']
  /** An AuthorizationConfiguration of `apiserver.config.k8s.io/v1`: the authorizers in their order. Default: RBAC alone. */
  readonly authorization?: ApiServerOptions['authorization']
  /** Whether every user may do everything, regardless of roles: the authorization mode AlwaysAllow. Default: false. */
  readonly alwaysAllow?: ApiServerOptions['alwaysAllow']
  /** Further users, by their bearer tokens. Default: none besides the port's own token. */
  readonly users?: ApiServerOptions['users']
  /**
   * The signature algorithms that are accepted from issuers, such as `RS256`. Default: all for RSA and elliptic keys.
   */
  readonly tokenAlgorithms?: ApiServerOptions['tokenAlgorithms']
  /** Authorities, in PEM, whose client certificates log in at the port, besides the cluster's own. Default: none. */
  readonly clientAuthorities?: PortOptions['clientAuthorities']
  /** A proxy that names the users of requests in headers. Default: none. */
  readonly frontProxy?: PortOptions['frontProxy']
  /** A webhook that answers which user a token belongs to, where the cluster does not know it. Default: none. */
  readonly tokenWebhook?: ApiServerOptions['tokenWebhook']
  /** Called for every write request of any client, after it was answered. */
  readonly onWrite?: ApiServerOptions['onWrite']
  /** Where the cluster's own controllers log. Default: nowhere. */
  readonly logger?: Logger | undefined
  /** Records what the cluster's own controllers do, for a page or a program that shows it. Default: nothing is recorded. */
  readonly activity?: Activity | undefined
}

const CLUSTER_OPTIONS = optionNames<ClusterOptions>('Cluster.start', {
  clock: true,
  images: true,
  hostCommands: true,
  hostPaths: true,
  processNames: true,
  separation: true,
  secretFiles: true,
  processLimit: true,
  nodes: true,
  port: true,
  dataDir: true,
  acceptDataLoss: true,
  kubernetesVersion: true,
  encryption: true,
  audit: true,
  onListening: true,
  authentication: true,
  authorization: true,
  alwaysAllow: true,
  users: true,
  tokenAlgorithms: true,
  clientAuthorities: true,
  frontProxy: true,
  tokenWebhook: true,
  onWrite: true,
  logger: true,
  activity: true,
})
const NODE_OPTIONS = optionNames<ClusterNode>('a node of Cluster.start', {
  name: true,
  labels: true,
  taints: true,
  capacity: true,
})

/** Throws a `HomeostatError` with code `OPTION_UNKNOWN` for an option of a cluster, or of a node, that does not exist. */
export function checkClusterOptions(options: ClusterOptions): void {
  checkOptionNames(options, CLUSTER_OPTIONS)
  for (const [name, image] of Object.entries(options.images ?? {})) checkImage(name, image)
  if (typeof options.nodes !== 'object') return
  for (const node of options.nodes) if (typeof node === 'object') checkOptionNames(node, NODE_OPTIONS)
}

/** `undefined` removes a bundled image. Any other value must be something that can run. */
function checkImage(name: string, image: unknown): void {
  if (image === undefined) return
  const { module, command } = Object(image) as { module?: unknown; command?: unknown }
  if (typeof module === 'function' && command === undefined) return
  if (typeof command === 'string' && command !== '' && module === undefined) return
  throw new HomeostatError(
    'IMAGE_INVALID',
    `the image ${JSON.stringify(name)} cannot run: map it to { module }, an async function of this process, or to { command }, a program of this machine`,
  )
}

/** Selects the log of a container. */
export interface ClusterLogOptions extends LogOptions {
  readonly namespace: string
  readonly pod: string
  /** Default: the first container of the Pod. */
  readonly container?: string | undefined
  /** Whether to read the log of the container's previous run. Default: false. */
  readonly previous?: boolean | undefined
}

/** Selects the Service that a port of this machine is forwarded to. */
export interface ForwardOptions {
  readonly service: ServiceKey
  /** A port of the Service, by number or name. Default: its only one. */
  readonly port?: number | string | undefined
  /** The port of 127.0.0.1. Default: any free port. */
  readonly localPort?: number | undefined
}

/** Options of {@link Cluster.connect}. */
export interface ConnectOptions {
  /** The namespace of the Pod that it connects as. Default: `default`. */
  readonly namespace?: string | undefined
}

export const LOG_OPTIONS = optionNames<ClusterLogOptions>('cluster.logs', {
  namespace: true,
  pod: true,
  container: true,
  previous: true,
  follow: true,
  tailLines: true,
  sinceTime: true,
  timestamps: true,
  limitBytes: true,
  signal: true,
})
export const FORWARD_OPTIONS = optionNames<ForwardOptions>('cluster.forward', {
  service: true,
  port: true,
  localPort: true,
})
export const CONNECT_OPTIONS = optionNames<ConnectOptions>('cluster.connect', { namespace: true })

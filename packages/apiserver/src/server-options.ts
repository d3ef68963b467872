import type { TokenWebhookOptions } from './authentication/index.ts'
import { optionNames, type Clock } from '@homeostat/api'
import type { AdmissionHook } from './admission/index.ts'
import type { ServiceAccountOptions, User } from './auth/index.ts'
import type { WriteRecord } from './http/index.ts'
import type { AuditOptions } from './audit/index.ts'
import type { KubeletHandlers, PodLogs, PodStreams, ProxyConnect, ResourceMetrics } from './native/index.ts'
import type { WithoutEffect } from './registry/index.ts'
import type { WebhookHandlers } from './webhooks/index.ts'
import type { DataLoss, Store } from './storage/index.ts'

/** Options of `ApiServer.start`. */
export interface ApiServerOptions {
  /** Default: the machine's own. */
  readonly clock?: Clock | undefined
  /**
   * Where objects are kept; the caller that gives a store closes it. Default: in memory, until the server is
   * closed.
   */
  readonly store?: Store | undefined
  /**
   * A folder to keep objects in, so that they outlive the process; it is created if it does not exist. It also
   * keeps the authority of certificates, the administrator's token, the key of ServiceAccount tokens and the port,
   * so that clients keep working after a restart. The server locks the folder until it is closed.
   */
  readonly dataDir?: string | undefined
  /**
   * Accepts that a damaged data folder loses the objects that cannot be read: the damaged files are moved aside, and
   * the server starts with the rest. Called with the loss, if there was any. Default: a damaged folder is refused.
   */
  readonly acceptDataLoss?: ((loss: DataLoss) => void) | undefined
  /**
   * An EncryptionConfiguration of `apiserver.config.k8s.io/v1`, which says which objects are encrypted in the data folder and by
   * which keys: by the providers `aescbc`, `aesgcm` and `identity`. At the start, the server encrypts stored objects that
   * have another form. When a `FollowedConfiguration` changes later, an object is encrypted by the new one when it is next
   * written. Fails with `ENCRYPTION_CONFIGURATION` where it is wrong, and with `ENCRYPTION_FAILED` where no key reads an
   * object. Default: nothing is encrypted.
   */
  readonly encryption?: unknown
  /** Provides the output of containers for `kubectl logs`. Default: none, since no containers run. */
  readonly podLogs?: PodLogs | undefined
  /** Runs commands in containers and connects to their ports, for `kubectl exec`, `attach`, `cp` and `port-forward`. Default: none. */
  readonly podStreams?: PodStreams | undefined
  /**
   * Connects to addresses of Pods and nodes, for requests to `pods/proxy`, `services/proxy` and `nodes/proxy`. Default: none can
   * be reached.
   */
  readonly connect?: ProxyConnect | undefined
  /**
   * The kubelets of this process, which answer requests to `nodes/proxy`. Default: none; a node's kubelet is reached by `connect`,
   * at its address.
   */
  readonly kubelets?: KubeletHandlers | undefined
  /** Measures nodes and Pods, for `kubectl top`. Default: the API group `metrics.k8s.io` is not served. */
  readonly metrics?: ResourceMetrics | undefined
  /**
   * The users that are known from the start, by their bearer tokens. Default: none; each port also has its own
   * token.
   */
  readonly users?: ReadonlyMap<string, User> | undefined
  /** How tokens of ServiceAccounts are made. Default: with the server's own key, which a data folder keeps. */
  readonly serviceAccounts?: ServiceAccountOptions | undefined
  /**
   * Called for every write through the API before it is checked and stored: it may change the object, warn, or
   * refuse. It is called again if another write changed the object in between.
   */
  readonly admit?: AdmissionHook | undefined
  /**
   * Whether the server itself empties namespaces that are being deleted, and removes their finalizer. In a cluster a
   * controller does it. Default: true.
   */
  readonly finalizeNamespaces?: boolean | undefined
  /**
   * Whether new volumes and claims get the finalizers that keep them while they are in use. Controllers of a cluster
   * remove them again; without such controllers the objects could not be deleted. Default: false.
   */
  readonly protectsVolumes?: boolean | undefined
  /**
   * Whether new nodes get the taint of a node that is not ready, as the plugin TaintNodesByCondition gives it. A controller of a
   * cluster removes the taint again. Default: false.
   */
  readonly taintsNodes?: boolean | undefined
  /**
   * Further objects that have no effect, besides those that have none on this server itself. Clients that write them
   * get a warning. Default: none, since the caller knows which controllers run.
   */
  readonly withoutEffect?: readonly WithoutEffect[] | undefined
  /**
   * Turns on the plugin OwnerReferencesPermissionEnforcement, as some distributions of Kubernetes do. A user who
   * changes the owners of an object then needs the right to delete the object. To set `blockOwnerDeletion`, a user
   * needs the right to update the finalizers of the owner. Default: false.
   */
  readonly enforceOwnerReferences?: boolean | undefined
  /** The network that Services get their addresses from, for a store that has none yet. Default: `10.96.0.0/16`. */
  readonly serviceRange?: string | undefined
  /** Admission plugins that are off, by their names in Kubernetes: those of `OPTIONAL_PLUGINS`. Default: none. */
  readonly disabledAdmission?: readonly string[] | undefined
  /** Whether every user may do everything, regardless of roles: the authorization mode AlwaysAllow. Default: false. */
  readonly alwaysAllow?: boolean | undefined
  /**
   * An AuthorizationConfiguration of `apiserver.config.k8s.io/v1`, as it is read from its file, or a
   * `FollowedConfiguration` with its later versions: the authorizers that are asked in
   * turn, of the types RBAC, Webhook, AlwaysAllow and AlwaysDeny. Members of `system:masters` may do everything. Default: RBAC alone.
   * Fails with `AUTHORIZATION_CONFIGURATION_INVALID`, or with `WEBHOOK_KUBECONFIG_INVALID`.
   */
  readonly authorization?: unknown
  /**
   * The release of Kubernetes whose API is served, such as `1.34`: its kinds, versions and fields. Default: `1.36`. Fails with
   * `KUBERNETES_VERSION_UNKNOWN` where it is not one of those that are recorded.
   */
  readonly kubernetesVersion?: string | undefined
  /**
   * Versions of native groups that are not served, such as `autoscaling/v1`, and single resources, such as `apps/v1/deployments`, which the
   * OpenAPI documents still describe. Default: none.
   */
  readonly disabledVersions?: readonly string[] | undefined
  /**
   * Features of Kubernetes that are off, by the names of their gates: `APIResponseCompression` (ports send every answer
   * uncompressed), `StorageVersionHash` (discovery names no hashes), `WatchList` (a watch cannot begin with the existing
   * objects by `sendInitialEvents`). Default: none. Fails with `FEATURE_UNKNOWN` on other names.
   */
  readonly disabledFeatures?: readonly string[] | undefined
  /**
   * The address that the Service `kubernetes` in the namespace `default` leads to, in its Endpoints and its EndpointSlice.
   * Default: the address that the first port listens on.
   */
  readonly advertiseAddress?: string | undefined
  /**
   * Finds handlers that answer the reviews for webhooks in this process, without a port or a certificate and by the server's
   * clock. Default: all webhooks are called over HTTPS.
   */
  readonly webhookHandlers?: WebhookHandlers | undefined
  /**
   * An AuthenticationConfiguration of `apiserver.config.k8s.io/v1`, as it is read from its file, or a
   * `FollowedConfiguration` with its later versions: the issuers whose JSON web
   * tokens log in, how a token names its user, and which paths anonymous requests may ask for. Default: tokens of other issuers
   * are refused, and anonymous requests are allowed. Fails with `AUTHENTICATION_CONFIGURATION_INVALID`.
   */
  readonly authentication?: unknown
  /**
   * A webhook that answers which user a token belongs to, where neither this server nor a configured issuer knows
   * it. Default: none. Fails with `WEBHOOK_KUBECONFIG_INVALID`.
   */
  readonly tokenWebhook?: TokenWebhookOptions | undefined
  /**
   * The signature algorithms that are accepted for tokens of issuers, such as `RS256`. Default: all for RSA and
   * elliptic keys.
   */
  readonly tokenAlgorithms?: readonly string[] | undefined
  /** Logs the requests and their answers. Default: there is no audit log. */
  readonly audit?: AuditOptions | undefined
  /**
   * How many requests of all limited priority levels run at a time; others wait for their turn, or are refused with
   * 429. The PriorityLevelConfigurations say how the levels share this number. Zero means that no request waits.
   * Default: 600, as in kube-apiserver.
   */
  readonly maxRequestsInFlight?: number | undefined
  /** How long Events are kept after their last write, in milliseconds; zero keeps them. Default: an hour, as in kube-apiserver. */
  readonly eventLifetime?: number | undefined
  /** Called for every write request, after it was answered. */
  readonly onWrite?: ((write: WriteRecord) => void) | undefined
}

export const SERVER_OPTIONS = optionNames<ApiServerOptions>('ApiServer.start', {
  clock: true,
  store: true,
  dataDir: true,
  acceptDataLoss: true,
  encryption: true,
  podLogs: true,
  podStreams: true,
  connect: true,
  kubelets: true,
  metrics: true,
  users: true,
  serviceAccounts: true,
  admit: true,
  finalizeNamespaces: true,
  protectsVolumes: true,
  taintsNodes: true,
  withoutEffect: true,
  enforceOwnerReferences: true,
  serviceRange: true,
  disabledAdmission: true,
  alwaysAllow: true,
  authorization: true,
  kubernetesVersion: true,
  disabledVersions: true,
  disabledFeatures: true,
  advertiseAddress: true,
  webhookHandlers: true,
  audit: true,
  maxRequestsInFlight: true,
  eventLifetime: true,
  authentication: true,
  tokenAlgorithms: true,
  tokenWebhook: true,
  onWrite: true,
})

import type { Authorization, ServiceAccountTokens, TokenReader } from '../../auth/index.ts'
import type { KindAction } from '../../http/index.ts'
import type { KindStrategy } from '../../registry/index.ts'
import type { PodLogs } from '../pod-runner/pod-logs.ts'
import type { PodStreams } from '../pod-runner/pod-streams.ts'
import type { KubeletHandlers } from '../pod-runner/kubelet-handlers.ts'
import type { ProxyConnect } from '../pod-runner/proxy-connect.ts'

/** The services of the server that the actions of some kinds use. */
export interface KindServices {
  readonly authorization: Authorization
  readonly serviceAccounts: ServiceAccountTokens
  readonly reviewToken: TokenReader
  /** Absent where no kubelet runs Pods. */
  readonly podLogs?: PodLogs | undefined
  /** Absent where no kubelet runs Pods. */
  readonly podStreams?: PodStreams | undefined
  /** Absent where no kubelet runs Pods. */
  readonly connect?: ProxyConnect | undefined
  /** Absent where no kubelet runs in this process. */
  readonly kubelets?: KubeletHandlers | undefined
}

/**
 * Everything that is special about one native kind. A kind's folder exports one, and `kinds.ts` lists
 * it. For what a record leaves out, `KindStrategy` documents the default.
 */
export interface NativeKind extends KindStrategy {
  /** The API group; empty for the core group. */
  readonly group: string
  readonly kind: string
  /**
   * The actions of subresources, by name. `status`, `scale` and the subresources of `parts` need none. Which subresources a kind has is
   * in `schema/generated/native-resources.ts`.
   */
  readonly subresources?: Readonly<Record<string, (services: KindServices) => KindAction>>
  /** Answers all requests to a kind whose objects are not stored, for the verbs that discovery lists. */
  readonly answer?: (services: KindServices) => KindAction
}

/** The usage of a container or a node. */
export interface ResourceUsage {
  /** In cores: 0.25 is a quarter of a core. */
  readonly cpu: number
  /** In bytes. */
  readonly memory: number
}

/** The time of a measurement, and the period that it covers. */
interface Measured {
  readonly name: string
  /** In milliseconds since 1970. */
  readonly time: number
  /** In milliseconds. */
  readonly window: number
}

export interface NodeUsage extends Measured {
  readonly usage: ResourceUsage
}

export interface PodUsage extends Measured {
  readonly namespace: string
  readonly containers: readonly { readonly name: string; readonly usage: ResourceUsage }[]
}

/**
 * Measures nodes and Pods, for the API group `metrics.k8s.io`. It leaves out those without a measurement yet. The
 * server calls it for each request.
 */
export interface ResourceMetrics {
  nodes(): readonly NodeUsage[]
  pods(): readonly PodUsage[]
}

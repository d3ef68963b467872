/** What something uses. */
export interface ResourceUsage {
  /** In cores: 0.25 is a quarter of one. */
  readonly cpu: number
  /** In bytes. */
  readonly memory: number
}

/** When something was measured, and over which time. */
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
 * Measures nodes and Pods, for the API group `metrics.k8s.io`. What was not measured yet is left out. The server calls it for
 * each request.
 */
export interface ResourceMetrics {
  nodes(): readonly NodeUsage[]
  pods(): readonly PodUsage[]
}

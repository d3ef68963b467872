/** The questions of the soak to its operator, and the answers. */
export type Question = { readonly ask: 'memory' } | { readonly ask: 'tally' } | { readonly ask: 'stop' }

export type Answer =
  | { readonly type: 'ready' }
  | { readonly type: 'memory'; readonly heap: number; readonly resident: number; readonly cpuSeconds: number }
  | { readonly type: 'tally'; readonly tally: Tally }

/** The work that the operator has done. */
export interface Tally {
  readonly reconciles: number
  readonly failures: number
  /** From write to reconcile, in milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number }
}

/** The server's message once it listens. */
export interface Listening {
  readonly kubeconfig: string
}

/** The server's answer about the resources that it used. */
export interface ServerUsage {
  readonly cpuSeconds: number
}

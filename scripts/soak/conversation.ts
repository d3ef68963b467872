/** What the soak asks of its operator, and what it is answered. */
export type Question = { readonly ask: 'memory' } | { readonly ask: 'tally' } | { readonly ask: 'stop' }

export type Answer =
  | { readonly type: 'ready' }
  | { readonly type: 'memory'; readonly heap: number; readonly resident: number; readonly cpuSeconds: number }
  | { readonly type: 'tally'; readonly tally: Tally }

/** What the operator has done. */
export interface Tally {
  readonly reconciles: number
  readonly failures: number
  /** From write to reconcile, in milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number }
}

/** What the server says once it listens. */
export interface Listening {
  readonly kubeconfig: string
}

/** What the server answers when it is asked what it took. */
export interface ServerUsage {
  readonly cpuSeconds: number
}

/** Which part of a container's output is wanted. */
export interface PodLogRequest {
  readonly namespace: string
  readonly name: string
  readonly container: string
  /** Goes on while the container runs. */
  readonly follow: boolean
  /** Of the container's run before this one. */
  readonly previous: boolean
  /** Whether each line begins with its time. */
  readonly timestamps: boolean
  readonly tailLines?: number | undefined
  readonly sinceSeconds?: number | undefined
  /** In RFC 3339. */
  readonly sinceTime?: string | undefined
  readonly limitBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Gives a container's output: who runs Pods has it. It may throw an `ApiFailure` to answer with a Status. */
export type PodLogs = (request: PodLogRequest) => Promise<Uint8Array | AsyncIterable<Uint8Array>>

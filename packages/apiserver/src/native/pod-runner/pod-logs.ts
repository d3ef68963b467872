/** The part of a container's output that the client asks for. */
export interface PodLogRequest {
  readonly namespace: string
  readonly name: string
  readonly container: string
  /** Whether to keep sending output while the container runs. */
  readonly follow: boolean
  /** Whether to send the output of the container's previous run. */
  readonly previous: boolean
  /** Whether each line begins with its time. */
  readonly timestamps: boolean
  readonly tailLines?: number | undefined
  readonly sinceSeconds?: number | undefined
  /** The time to start from, in RFC 3339. */
  readonly sinceTime?: string | undefined
  readonly limitBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Returns a container's output, which the component that runs Pods provides. It may throw an `ApiFailure` to answer
 * with a Status.
 */
export type PodLogs = (request: PodLogRequest) => Promise<Uint8Array | AsyncIterable<Uint8Array>>

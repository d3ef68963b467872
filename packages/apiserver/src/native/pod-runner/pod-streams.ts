import type { AttachRequest, ConnectPort, PortForwardRequest, StreamedCommand } from '../../http/index.ts'

/** A command to run in a container, besides the processes that already run there. */
export interface PodExecRequest extends AttachRequest {
  readonly command: readonly string[]
}

/**
 * Serves `kubectl exec`, `attach` and `port-forward`, for the component that runs Pods. Each call only checks whether
 * the request can be met, before the connection is upgraded: it rejects with an `ApiFailure` to answer with a Status
 * instead. Otherwise it resolves to a function, which the server calls at most once, when the streams are open.
 */
export interface PodStreams {
  exec(request: PodExecRequest): Promise<StreamedCommand>
  attach(request: AttachRequest): Promise<StreamedCommand>
  portForward(request: PortForwardRequest): Promise<ConnectPort>
}

import type { AttachRequest, ConnectPort, PortForwardRequest, StreamedCommand } from '../../http/index.ts'

/** A command to run in a container, besides the processes that already run there. */
export interface PodExecRequest extends AttachRequest {
  readonly command: readonly string[]
}

/**
 * The part of the program that runs Pods which serves `kubectl exec`, `attach` and `port-forward`. Each call only
 * checks whether the request can be met, before the connection is upgraded: it rejects with an `ApiFailure` to answer
 * with a Status instead. The server calls the function that it resolves to at most once, when the streams are open.
 */
export interface PodStreams {
  exec(request: PodExecRequest): Promise<StreamedCommand>
  attach(request: AttachRequest): Promise<StreamedCommand>
  portForward(request: PortForwardRequest): Promise<ConnectPort>
}

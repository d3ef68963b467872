import type { AttachRequest, ConnectPort, PortForwardRequest, StreamedCommand } from '../../http/index.ts'

/** A command that is to run in a container beside what runs there. */
export interface PodExecRequest extends AttachRequest {
  readonly command: readonly string[]
}

/**
 * What the program that runs Pods does for `kubectl exec`, `attach` and `port-forward`. Each call only looks whether the request
 * can be met, before the connection is upgraded: it rejects with an `ApiFailure` to answer with a Status instead. What it
 * resolves to is called once the streams are there, or never.
 */
export interface PodStreams {
  exec(request: PodExecRequest): Promise<StreamedCommand>
  attach(request: AttachRequest): Promise<StreamedCommand>
  portForward(request: PortForwardRequest): Promise<ConnectPort>
}

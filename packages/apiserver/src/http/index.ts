/**
 * The API as a function from a request to an answer. `handler.ts` is the list of steps that every request takes.
 * `request/` reads what a request says, `actions/` has one function for each verb, `answer/` encodes what it returns, and
 * `paths/` serves what is not a resource. `streams/` serves connections that leave HTTP: exec, attach, port-forward. An
 * answer is a value too: its body is bytes, or a stream that ends when the client aborts.
 */
export type { KindAction, KindActions } from './actions/kind-actions.ts'
export { acceptedBy, documentAnswer, statusAnswer, textAnswer } from './answer/answer.ts'
export { isPassedAnswer, type PassedAnswer } from './answer/passed-answer.ts'
export { ListStream } from './answer/list-stream.ts'
export { OwnedBytes } from './answer/owned-bytes.ts'
export { WatchStream } from './answer/watch-stream.ts'
export { createHandler, type Serve, type WriteRecord } from './handler.ts'
export { attributesOf } from './request/attributes.ts'
export { auditIds } from './request/audit-ids.ts'
export { targetOf, type Call } from './request/call.ts'
export { isPortRequest, rawQueryOf, type PortRequest } from './request/port-request.ts'
export { isProxyPath } from './request/route.ts'
export { checkNameInPath } from './request/path-names.ts'
export { objectBody } from './request/sent-body.ts'
export { integer, isTrue, writeOptions } from './request/request-options.ts'
export { admittedOptions, connectAdmission } from './request/write-options.ts'
export { loadAllParts } from './steps/load-modules.ts'
export { withSocketToken } from './streams/socket-token.ts'
export type {
  AttachRequest,
  CommandStreams,
  ConnectPort,
  PortConnection,
  PortForwardRequest,
  StreamedCommand,
  StreamSession,
  TerminalSize,
} from './streams/stream-session.ts'
export { isUpgrade, type UpgradeAnswer } from './streams/upgrade-answer.ts'

import { failure, type ApiRequest, type ApiResponse } from '@homeostat/api'
import { act } from './actions/lazy-actions.ts'
import { statusAnswer } from './answer/answer.ts'
import type { Call } from './request/call.ts'
import { exchangeOf, type Exchange, type Sender } from './request/exchange.ts'
import { authenticateUser, authorizeUser, impersonateUser } from './steps/access.ts'
import { auditLogin, auditRequest } from './steps/audit.ts'
import { addAuditId } from './steps/audit-id.ts'
import { checkNames, checkScope, checkVerb } from './steps/check-path.ts'
import { addDeprecation } from './steps/deprecation.ts'
import { encodeAccepted } from './steps/encode-accepted.ts'
import { answerErrors } from './steps/errors.ts'
import { addFailureWarnings } from './steps/failure-warnings.ts'
import { findCall } from './steps/find-resource.ts'
import { serveExtensions } from './steps/serve-extensions.ts'
import { serveSubresource, serveVirtualResource } from './steps/serve-by-kind.ts'
import { limitFlow } from './steps/limit-flow.ts'
import { countPath, measureCall } from './steps/measure.ts'
import { loadModules } from './steps/load-modules.ts'
import { refuseUndecodablePath, refuseWhenClosed } from './steps/refuse.ts'
import { reportWrite } from './steps/report-write.ts'
import { holdClock } from './steps/hold-clock.ts'
import { serveOtherPaths } from './steps/other-paths.ts'
import { chain, type HandlerParts, type Step } from './steps/step.ts'
import { waitUntilSaved } from './steps/when-saved.ts'

export type { WriteRecord } from './steps/step.ts'

/** Answers a request. */
export type Serve = (request: ApiRequest, sender?: Sender) => Promise<ApiResponse>

/** The steps of every request, from top to bottom. The answer comes back from bottom to top. */
const REQUEST_STEPS: readonly Step<Exchange>[] = [
  holdClock, // stops simulated time until the request is answered
  refuseUndecodablePath, // 400
  addAuditId, // names the request in the answer
  encodeAccepted, // encodes Status answers and documents as the client accepts them: YAML, protobuf
  answerErrors, // makes every error a Status
  loadModules, // loads parts of the server on the first request that needs them
  refuseWhenClosed, // 503
  auditLogin, // writes down that a login failed
  authenticateUser, // 401: certificate, token, or anonymous
  auditRequest, // writes down the request and its answer, where there is an audit log
  impersonateUser, // 403: takes over the user that the sender acts as
  limitFlow, // 429: lets requests wait for their turn, by priority and fairness
  authorizeUser, // 403
  waitUntilSaved, // delays the answer until the store has saved what it shows
  serveExtensions, // passes requests on to other API servers
  countPath, // counts requests for health and OpenAPI
  serveOtherPaths, // health, OpenID, metrics, discovery, OpenAPI; 404
]

/** The steps of a request for a resource, after those above. */
const RESOURCE_STEPS: readonly Step<Call>[] = [
  checkNames, // 400: names that cannot be part of a key
  reportWrite, // calls `onWrite` with each write and its answer
  addDeprecation, // warns about a deprecated version
  addFailureWarnings, // warns also where the request fails
  checkScope, // 404: a namespace in the path of a cluster-scoped resource
  serveSubresource, // scale, exec, eviction, …; `status` continues below, as a part of its object
  checkVerb, // 404 or 405: a verb that the path does not support
  measureCall, // counts and times what is served from here on; subresources are counted where they are served
  serveVirtualResource, // reviews and bindings, which are not stored
]

/**
 * The server as a function. It rejects only when the request's signal has aborted. Every other problem is answered,
 * nearly always with a Status.
 */
export function createHandler(server: HandlerParts): Serve {
  const serveCall = chain(
    RESOURCE_STEPS,
    server,
    (call) => act(call) ?? statusAnswer(failure.methodNotAllowed()),
  )
  const serve = chain(REQUEST_STEPS, server, (exchange) => {
    const call = findCall(exchange, server)
    return 'status' in call ? call : serveCall(call)
  })
  return async (request, sender = {}) => serve(exchangeOf(request, sender))
}

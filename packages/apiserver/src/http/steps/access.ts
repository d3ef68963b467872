import type { ApiRequest, ApiResponse } from '@homeostat/api'
import { authenticate, escapeHtml, forbidden, type ActingUser, type Decision } from '../../auth/index.ts'
import type { ServerMetrics } from '../../metrics/index.ts'
import { quote } from '../../schema/index.ts'
import { textAnswer } from '../answer/answer.ts'
import type { Exchange } from '../request/exchange.ts'
import type { Next, Step } from './step.ts'

const COUNTED_USERS = new Set([
  'admin',
  'client',
  'kube_proxy',
  'kubelet',
  'system:serviceaccount:kube-system:default',
])

/** Finds the user who sends the request: by certificate, by token, or as a caller in this process says. */
export const authenticateUser: Step<Exchange> = async (
  exchange,
  next,
  { readToken, allowsAnonymous, metrics },
) => {
  const { request, sender } = exchange
  exchange.received = metrics.seconds()
  try {
    if (sender.user) exchange.user = sender.user
    else {
      const { user, warning, annotations } = await authenticate(
        request.headers,
        readToken,
        sender.certificate,
        allowsAnonymous?.(request.path),
      )
      exchange.user = user
      exchange.loginWarning = warning
      exchange.loginAnnotations = annotations
    }
  } catch (error) {
    metrics.authentication.of('error').count++
    throw error
  }
  metrics.loggedIn.count++
  metrics.users.of(countedName(exchange.user.name)).count++
  return next(exchange)
}

/** The name under which a user's requests are counted. There are few such names, however many users there are. */
function countedName(name: string): string {
  if (COUNTED_USERS.has(name)) return name
  return name.includes('@') ? 'email_id' : 'other'
}

/** Replaces the user by the impersonated one, if the headers of the request name one. */
export const impersonateUser: Step<Exchange> = (exchange, next, { impersonation }) => {
  const { user, request, attributes } = exchange
  const act = (acting: ActingUser): ReturnType<typeof next> => {
    exchange.user = acting.user
    if (acting.user !== user) exchange.audit?.impersonate(acting.user, acting.constraint)
    return next(exchange)
  }
  const acting = impersonation.userOf(user, request.headers, attributes)
  return acting instanceof Promise ? acting.then(act) : act(acting)
}

/** Fails with `Forbidden` where the user does not have the right. */
export const authorizeUser: Step<Exchange> = (exchange, next, { authorizer, metrics }) => {
  const decision = authorizer(exchange.user, exchange.attributes)
  if (!(decision instanceof Promise)) return follow(decision, exchange, next, metrics)
  return decision.then((made) => follow(made, exchange, next, metrics))
}

/** Passes an allowed request on. An authorizer that failed does not refuse what another one allows. */
function follow(
  { allowed, denied, reason, error }: Decision,
  exchange: Exchange,
  next: Next<Exchange>,
  metrics: ServerMetrics,
): ApiResponse | Promise<ApiResponse> {
  const { user, attributes, audit, request } = exchange
  if (!allowed && error !== undefined) {
    audit?.annotate('authorization.k8s.io/reason', 'internal error')
    metrics.authorization.of('error').count++
    return textAnswer(500, `${escapeHtml(`Internal Server Error: ${quote(targetOf(request))}: ${error}`)}\n`)
  }
  audit?.annotate('authorization.k8s.io/decision', allowed ? 'allow' : 'forbid')
  audit?.annotate('authorization.k8s.io/reason', reason)
  if (!allowed) {
    metrics.authorization.of(denied ? 'denied' : 'no-opinion').count++
    throw forbidden(user, attributes, reason)
  }
  metrics.allowed.count++
  return next(exchange)
}

function targetOf({ path, query }: ApiRequest): string {
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

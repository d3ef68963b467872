import { authenticate, authorize } from '../../auth/index.ts'
import type { Exchange } from '../request/exchange.ts'
import type { Step } from './step.ts'

/** Finds the user who sends the request: by certificate, by token, or as told by a caller in this process. */
export const authenticateUser: Step<Exchange> = async (exchange, next, { readToken }) => {
  const { request, sender } = exchange
  exchange.user = sender.user ?? (await authenticate(request.headers, readToken, sender.certificate))
  return next(exchange)
}

/** Replaces the user by the one whom they act as, if the headers of the request name one. */
export const impersonateUser: Step<Exchange> = (exchange, next, { impersonation }) => {
  exchange.user = impersonation.userOf(exchange.user, exchange.request.headers, exchange.attributes)
  return next(exchange)
}

/** Fails with `Forbidden` where the user may not do what the request wants. */
export const authorizeUser: Step<Exchange> = (exchange, next, { authorizer }) => {
  authorize(authorizer, exchange.user, exchange.attributes)
  return next(exchange)
}

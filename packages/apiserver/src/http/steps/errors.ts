import { failure, type ApiResponse } from '@homeostat/api'
import { AccessDenied } from '../../auth/index.ts'
import { Failure } from '../../registry/index.ts'
import { isStoreFailure } from '../../storage/index.ts'
import { failureAnswer, statusAnswer, warningHeader } from '../answer/answer.ts'
import type { Exchange } from '../request/exchange.ts'
import type { Next, Step } from './step.ts'
import { storeFailure } from './when-saved.ts'

/** Answers every error with a Status. Rejects only where the client has aborted the request. */
export const answerErrors: Step<Exchange> = async (exchange, next) => {
  const answer = await answerOrFailure(exchange, next)
  return exchange.loginWarning === undefined ? answer : withWarning(answer, exchange.loginWarning)
}

/** A warning about the credentials comes before those about the request. */
function withWarning(answer: ApiResponse, text: string): ApiResponse {
  const { warning } = warningHeader([text])
  const { warning: others } = answer.headers
  const all = [warning, others].filter((one) => one !== undefined).join(', ')
  return { ...answer, headers: { ...answer.headers, warning: all } }
}

async function answerOrFailure(exchange: Exchange, next: Next<Exchange>): Promise<ApiResponse> {
  try {
    return await next(exchange)
  } catch (error) {
    if (error instanceof AccessDenied) return withoutSniffing(statusAnswer(error.status))
    if (error instanceof Failure) return failureAnswer(error)
    exchange.request.signal?.throwIfAborted()
    if (isStoreFailure(error)) return statusAnswer(storeFailure(error))
    return statusAnswer(failure.internalError(error instanceof Error ? error.message : String(error)))
  }
}

/** The message of a denied request contains text of the client: no browser may interpret it as anything but JSON. */
function withoutSniffing(response: ApiResponse): ApiResponse {
  return { ...response, headers: { ...response.headers, 'x-content-type-options': 'nosniff' } }
}

import { failure, type ApiResponse, type Status } from '@homeostat/api'
import { AccessDenied } from '../../auth/index.ts'
import { Failure } from '../../registry/index.ts'
import { isStoreFailure } from '../../storage/index.ts'
import { failureAnswer, statusAnswer } from '../answer/answer.ts'
import { isHealthPath } from '../paths/health.ts'
import type { Exchange } from '../request/exchange.ts'
import type { Step } from './step.ts'

/**
 * Delays an answer until the store has saved all changes that it may show, so that a client can rely on what it has
 * seen. Where saving fails, the answer is a 500 instead; as after a timeout, the change may have been made or not.
 * The health checks report the state of the store themselves.
 */
export const waitUntilSaved: Step<Exchange> = async (exchange, next, { registry }) => {
  if (isHealthPath(exchange.request.path)) return next(exchange)
  let response: ApiResponse
  try {
    response = await next(exchange)
  } catch (error) {
    // A refusal also reveals stored state, such as that an object exists.
    if (!(error instanceof Failure) || error instanceof AccessDenied) throw error
    response = failureAnswer(error)
  }
  const saving = registry.store.saved()
  return saving ? held(saving, response) : response
}

async function held(saving: Promise<void>, response: ApiResponse): Promise<ApiResponse> {
  try {
    await saving
    return response
  } catch (error) {
    const { body } = response
    if (!(body instanceof Uint8Array)) await body[Symbol.asyncIterator]().return?.()
    return statusAnswer(storeFailure(error as Error))
  }
}

/** The Status for a store that cannot write. A full one is reported as kube-apiserver reports a full etcd. */
export function storeFailure(error: Error): Status {
  if (!isStoreFailure(error) || error.code !== 'STORE_FULL') return failure.internalError(error.message)
  const { kind, apiVersion, metadata, status } = failure.internalError('')
  const words = 'etcdserver: mvcc: database space exceeded'
  const message = error.message.startsWith(words) ? error.message : `${words}: ${error.message}`
  return { kind, apiVersion, metadata, status, message, code: 500 }
}

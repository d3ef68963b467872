import { failure, type ApiResponse, type Status } from '@homeostat/api'
import { isStoreFailure, type Store } from '../../storage/index.ts'
import { statusAnswer } from '../answer/answer.ts'

/**
 * Holds an answer back until all that it may show is safe in the store: a client that has seen a change can rely on it.
 * Where that fails the answer is a 500 instead; whether the change is made is open then, as after a timeout.
 */
export function whenSaved(store: Store, response: ApiResponse): ApiResponse | Promise<ApiResponse> {
  const saving = store.saved()
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

/**
 * The answer to a client when the store cannot write. For a full disk it is kube-apiserver's answer for a full etcd.
 */
export function storeFailure(error: Error): Status {
  if (!isStoreFailure(error) || error.code !== 'STORE_FULL') return failure.internalError(error.message)
  const { kind, apiVersion, metadata, status } = failure.internalError('')
  const words = 'etcdserver: mvcc: database space exceeded'
  const message = error.message.startsWith(words) ? error.message : `${words}: ${error.message}`
  return { kind, apiVersion, metadata, status, message, code: 500 }
}

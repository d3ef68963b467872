import { failure, HomeostatError, type Status } from '@homeostat/api'

/** A request that fails with a Status. Any part of the server may throw it; the handler answers with its Status. */
export class Failure extends HomeostatError {
  override readonly name = 'Failure'
  readonly status: Status
  /**
   * Whether the answer is sent whole, however long it is. Otherwise it is cut to the length of the longest allowed
   * request, so that a client cannot cause a very long answer by a request with many mistakes.
   */
  readonly isSentWhole: boolean

  constructor(status: Status, { isSentWhole = false }: { readonly isSentWhole?: boolean } = {}) {
    super(`API_${status.reason ?? 'FAILURE'}`, status.message ?? status.reason ?? 'failure')
    this.status = status
    this.isSentWhole = isSentWhole
  }
}

/** A failure with code 500, for which Kubernetes gives a message and no reason. */
export function failureWithoutReason(message: string): Failure {
  return new Failure(failure.withoutReason(message))
}

import { HomeostatError, type Status } from '@homeostat/api'

/** A request that fails with a Status. Any part of the server may throw it; the handler answers with its Status. */
export class Failure extends HomeostatError {
  override readonly name = 'Failure'
  readonly status: Status

  constructor(status: Status) {
    super(`API_${status.reason ?? 'FAILURE'}`, status.message ?? status.reason ?? 'failure')
    this.status = status
  }
}

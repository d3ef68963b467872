import { HomeostatError, type Status } from '@homeostat/api'

/** A request that fails with a Status. Whatever part of the server finds out throws it; the handler answers with it. */
export class Failure extends HomeostatError {
  override readonly name = 'Failure'
  readonly status: Status

  constructor(status: Status) {
    super(`API_${status.reason ?? 'FAILURE'}`, status.message ?? status.reason ?? 'failure')
    this.status = status
  }
}

import { failureWithoutReason, type Failure } from '../resource/failure.ts'

/** A conversion that failed, in the words of a Kubernetes API server. It gives no reason. */
export function conversionFailure(message: string): Failure {
  return failureWithoutReason(message)
}

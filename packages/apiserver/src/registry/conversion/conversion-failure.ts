import { failureWithoutReason, type Failure } from '../resource/failure.ts'

/** A failed conversion, with a Kubernetes API server's message and no reason. */
export function conversionFailure(message: string): Failure {
  return failureWithoutReason(message)
}

import { Failure } from '../resource/failure.ts'

/** A conversion that failed, in the words of a Kubernetes API server. It gives no reason. */
export function conversionFailure(message: string): Failure {
  return new Failure({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    code: 500,
  })
}

import { HomeostatError } from '@homeostat/api'

/** The kind of an error of an expression. */
export type CelErrorCode = 'CEL_COMPILE' | 'CEL_VALUE' | 'CEL_EVALUATION' | 'CEL_COST_LIMIT'

/**
 * An expression that cannot be compiled or evaluated. For `CEL_COMPILE`, `CEL_EVALUATION` and `CEL_COST_LIMIT` the message is the one of
 * a Kubernetes API server. `CEL_VALUE` is a variable that the caller gave with another type than declared.
 */
export class CelError extends HomeostatError {
  override readonly name = 'CelError'
  override readonly code: CelErrorCode

  constructor(code: CelErrorCode, message: string) {
    super(code, message)
    this.code = code
  }
}

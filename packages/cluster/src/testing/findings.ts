import { firstCodePlace, HomeostatError } from '@homeostat/api'
import type { LogFields, Logger, LogMethod, ReconcileReport } from 'homeostat'

/**
 * Something that is expensive or wrong on a cluster, although it does not fail a test. Examples are a copy of all
 * Secrets in memory, and a reconcile that failed with a `TypeError` and was retried.
 */
export interface Finding {
  /** The type of the finding, such as `INFORMER_STARTED_BY_READ`. */
  readonly code: string
  /** The problem, as a sentence. */
  readonly message: string
}

/** The errors that JavaScript throws for mistakes in code. */
const MISTAKES = [TypeError, ReferenceError, RangeError, SyntaxError]

/** The warnings of a manager that have a code, and mistakes in the code of reconciles. Each is kept once, however often it happens. */
export class Findings {
  readonly #found = new Map<string, Finding>()

  get all(): readonly Finding[] {
    return [...this.#found.values()]
  }

  /** A logger that notes findings, and passes each line on to another. */
  logger(inner: Logger): Logger {
    const warn: LogMethod = (first: string | LogFields, second?: string): void => {
      const [fields, message] = typeof first === 'string' ? [{}, first] : [first, second ?? '']
      const code = 'finding' in fields ? fields['finding'] : undefined
      if (typeof code === 'string') this.#note(code, message)
      inner.warn(fields, message)
    }
    return { ...inner, warn, child: (fields) => this.logger(inner.child(fields)) }
  }

  /** Notes a mistake in the code of a reconcile, which a retry may hide. */
  reconciled({ controller, error }: Pick<ReconcileReport, 'controller' | 'error'>): void {
    const mistake = mistakeIn(error)
    if (!mistake) return
    const place = firstCodePlace(mistake.stack)
    this.#note(
      'MISTAKE_IN_RECONCILE',
      `a reconcile of the controller ${controller} failed by a mistake in its code, and is retried: ${String(error)}${place === undefined ? '' : ` (${place})`}`,
    )
  }

  #note(code: string, message: string): void {
    this.#found.set(`${code} ${message}`, { code, message })
  }
}

/** The error that JavaScript threw. Those of the platform have a code or a cause: a `fetch` that finds no server throws a `TypeError`. */
function mistakeIn(error: unknown): Error | undefined {
  const thrown = error instanceof HomeostatError && error.code === 'OBJECT_FROZEN' ? error.cause : error
  if (!(thrown instanceof Error) || thrown.cause !== undefined || 'code' in thrown) return undefined
  return MISTAKES.some((mistake) => thrown instanceof mistake) ? thrown : undefined
}

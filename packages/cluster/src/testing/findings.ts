import type { LogFields, Logger, LogMethod } from 'homeostat'

/** Something that does not fail a test, but is expensive on a cluster: a copy of all Secrets in memory, for example. */
export interface Finding {
  /** The type of the finding, such as `INFORMER_STARTED_BY_READ`. */
  readonly code: string
  /** The manager's warning. */
  readonly message: string
}

/** The warnings of a manager that have a code. Each is kept once, however often it is logged. */
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
      if (typeof code === 'string') this.#found.set(`${code} ${message}`, { code, message })
      inner.warn(fields, message)
    }
    return { ...inner, warn, child: (fields) => this.logger(inner.child(fields)) }
  }
}

import { errorChain, formatKey, HomeostatError } from '@homeostat/api'
import { ApiError, wrapTransport, type CallbackFailure, type Transport } from 'homeostat'

/** How many failures a message lists. */
const TOLD = 10

/**
 * The mappings, predicates, index functions and transforms of an operator that threw. A manager continues after each of
 * them, so without this class a test would pass, or fail for a reason that is hard to see.
 */
export class FailedCallbacks {
  readonly #onFailure: () => void
  readonly #failures = new Map<string, CallbackFailure>()
  /** The errors of failed requests of the operator. */
  readonly #requestErrors = new WeakSet<Error>()

  /** `onFailure` is called when a function threw. */
  constructor(onFailure: () => void) {
    this.#onFailure = onFailure
  }

  /** The transport, whose failed requests are recorded: an error that a mapping throws because of one is not its own. */
  wrap(inner: Transport): Transport {
    return wrapTransport(inner, async (request) => {
      try {
        return await inner.send(request)
      } catch (error) {
        if (error instanceof Error) this.#requestErrors.add(error)
        throw error
      }
    })
  }

  add(failure: CallbackFailure): void {
    if (errorChain(failure.error).some((error) => this.#isOfRequest(error))) return
    const text = describe(failure)
    if (!this.#failures.has(text)) this.#failures.set(text, failure)
    this.#onFailure()
  }

  /** The report for a test about the failures since the last call. */
  take(): HomeostatError | undefined {
    const lines = [...this.#failures.keys()]
    const [first] = this.#failures.values()
    this.#failures.clear()
    if (!first) return undefined
    const more = lines.length > TOLD ? [`  … and ${lines.length - TOLD} more`] : []
    return new HomeostatError(
      'CALLBACK_FAILED',
      [
        'functions of the operator threw:',
        ...lines.slice(0, TOLD).map((line) => `  ${line}`),
        ...more,
        'A manager logs the error and continues. If a mapping throws, it maps the event again later. If a predicate throws, it handles the event as if it had passed. If an index function throws, the object is not in that index.',
      ].join('\n'),
      { cause: first.error },
    )
  }

  /** Whether a request failed because the connection broke or the server was overloaded: that is tried again. */
  #isOfRequest(error: Error): boolean {
    if (this.#requestErrors.has(error)) return true
    const code = error instanceof ApiError ? (error.status.code ?? 0) : 0
    return code >= 500 || code === 429
  }
}

function describe(failure: CallbackFailure): string {
  const { callback, controller, error, index, kind, object, source } = failure
  const where = controller === undefined ? '' : `the controller ${controller}: `
  const what = callback === 'index' ? `index ${index ?? ''}` : callback
  const relation = callback === 'predicate' ? 'for' : 'of'
  const about = object ? `the ${kind} ${formatKey(object)}` : `an event of ${source ?? 'a source'}`
  return `${where}the ${what} ${relation} ${about} threw ${String(error)}`
}

import { formatKey, type Controller, type ReconcileContext } from 'homeostat'

/** In milliseconds. */
const DAY = 86_400_000

/** Holds reconciles back while it is closed. `open` lets all waiting reconciles run, `step` one of them. */
export class Gate {
  readonly #onHeld: (what: string) => void
  readonly #waiting: (() => void)[] = []
  #isClosed: boolean

  constructor(options: { readonly isClosed: boolean; readonly onHeld: (what: string) => void }) {
    this.#isClosed = options.isClosed
    this.#onHeld = options.onHeld
  }

  close(): void {
    this.#isClosed = true
  }

  open(): void {
    this.#isClosed = false
    for (const go of this.#waiting.splice(0)) go()
  }

  /** Lets one waiting reconcile run. Returns whether there was one. */
  step(): boolean {
    const go = this.#waiting.shift()
    go?.()
    return go !== undefined
  }

  /** The same controller, but its reconciles wait at the gate. A reconcile that is aborted while it waits does not run. */
  guard(controller: Controller): Controller {
    return {
      ...controller,
      reconcile: async (request, context) => {
        if (this.#isClosed) await this.#wait(`${controller.name} ${formatKey(request)}`, context)
        context.signal.throwIfAborted()
        return controller.reconcile(request, context)
      },
    }
  }

  /** Sleeps by the clock of the reconcile, so that simulated time advances meanwhile. */
  async #wait(what: string, { clock, signal }: ReconcileContext): Promise<void> {
    const opened = new AbortController()
    this.#waiting.push(() => opened.abort())
    this.#onHeld(what)
    const ended = AbortSignal.any([opened.signal, signal])
    while (!ended.aborted) await clock.sleep(DAY, { signal: ended }).catch(() => undefined)
  }
}

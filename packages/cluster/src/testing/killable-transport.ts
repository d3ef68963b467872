import { turnOfTheEventLoop, HomeostatError } from '@homeostat/api'
import { wrapTransport, type Transport } from 'homeostat'

/** How many requests of a killed process are refused. After that, code that keeps sending gets no answer. */
const MOST_REFUSALS = 100

/** A transport that ends when its process is killed. */
export interface KillableTransport {
  readonly transport: Transport
  /** From now on no request is sent, and open requests fail. */
  kill(): void
}

export function killableTransport(inner: Transport): KillableTransport {
  let dead = false
  let refused = 0
  let died: HomeostatError | undefined
  const refuse = async (): Promise<never> => {
    if (++refused > MOST_REFUSALS) return new Promise<never>(() => {})
    await turnOfTheEventLoop()
    throw (died ??= killed())
  }
  return {
    kill: () => void (dead = true),
    transport: wrapTransport(inner, async (request) => {
      if (dead) return refuse()
      const response = await inner.send(request)
      if (!dead) return response
      // The request has had its effect: only the answer is lost.
      if (!(response.body instanceof Uint8Array)) await response.body[Symbol.asyncIterator]().return?.()
      throw (died ??= killed())
    }),
  }
}

function killed(): HomeostatError {
  return new HomeostatError('OPERATOR_KILLED', 'the operator was killed')
}

import type { Container } from '../images/index.ts'

/** Does nothing until it is stopped. */
export function pause({ signal }: Container): Promise<number> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(0)
    else signal.addEventListener('abort', () => resolve(0), { once: true })
  })
}

import type { Clock } from '@homeostat/api'
import type { Background } from '../registry/index.ts'
import type { Release } from '../version/index.ts'

/**
 * Runs long computations of the server in a separate thread, which is started on first use. Undefined where there are
 * no threads: then the server computes everything in place.
 */
export function openBackground(clock: Clock, release: Release): Background | undefined {
  if (typeof process === 'undefined' || !process.versions?.node) return undefined
  let opening: Promise<Background> | undefined
  let closed = false
  return {
    async run(task, input) {
      // Imported late, so that a server without large objects needs no modules of Node.
      opening ??= import('./thread.ts').then(({ BackgroundThread }) => new BackgroundThread(clock, release))
      const background = await opening
      if (closed) background.close()
      return background.run(task, input)
    },
    close() {
      closed = true
      void opening?.then((background) => background.close())
    },
  }
}

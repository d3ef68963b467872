import type { Clock } from '@homeostat/api'
import type { Background } from '../registry/index.ts'

/**
 * Where the server computes what takes long: in a thread of its own, which is started when it is first needed.
 * Undefined where there are no threads: then everything is computed in place.
 */
export function openBackground(clock: Clock): Background | undefined {
  if (typeof process === 'undefined' || !process.versions?.node) return undefined
  let opening: Promise<Background> | undefined
  let closed = false
  return {
    async run(task, input) {
      // Only here, so that a server that is never asked for much needs nothing of Node.
      opening ??= import('./thread.ts').then(({ BackgroundThread }) => new BackgroundThread(clock))
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

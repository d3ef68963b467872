import { open } from 'node:fs/promises'
import type { Clock } from '@homeostat/api'
import type { ClusterHome } from './cluster-home.ts'

/** How often the log is read, in milliseconds. */
const INTERVAL = 200

/** Prints the log of a cluster, and what the cluster adds to it until its process ends. */
export async function followLog(
  home: Pick<ClusterHome, 'log' | 'state'>,
  clock: Pick<Clock, 'sleep'>,
  print: (text: string) => void,
): Promise<void> {
  const file = await open(home.log, 'r')
  const decoder = new TextDecoder()
  try {
    for (let position = 0; ; await clock.sleep(INTERVAL)) {
      // Checked before the log is read, so that the last lines of a process that ends in between are printed.
      const { running } = home.state()
      const { size } = await file.stat()
      // A cluster that was started again begins a new log in the same file.
      if (size < position) position = 0
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(size - position), position })
      position += bytesRead
      if (bytesRead > 0) print(decoder.decode(buffer.subarray(0, bytesRead), { stream: true }))
      if (!running) return
    }
  } finally {
    await file.close()
  }
}

/** Sends lists over many connections until its parent ends it, as a process of its own, so that it does not delay who measures. */
import { SystemClock } from '@homeostat/api'
import { httpsHandler } from '../../test/conformance/https-handler.ts'

export interface FloodOptions {
  readonly url: string
  readonly token: string
  readonly ca: string
  readonly user: string
  readonly connections: number
}

export interface FloodReport {
  readonly answered: number
  readonly refused: number
  readonly seconds: number
}

const clock = new SystemClock()
let [answered, refused, begun] = [0, 0, 0]
const over = new AbortController()

async function flood({ user, connections, ...access }: FloodOptions): Promise<void> {
  const { send, close } = httpsHandler(access)
  const list = async (): Promise<void> => {
    const response = await send({
      method: 'GET',
      path: `/api/v1/namespaces/${user}/configmaps`,
      query: new URLSearchParams(),
      headers: { accept: 'application/json', 'impersonate-user': user },
    })
    if (!(response.body instanceof Uint8Array)) for await (const _ of response.body) continue
    if (response.status === 429) refused++
    else answered++
  }
  const connection = async (): Promise<void> => {
    while (!over.signal.aborted) await list()
  }
  await Promise.all(Array.from({ length: connections }, list))
  ;[answered, refused, begun] = [0, 0, clock.monotonic()]
  process.send?.('begun')
  await Promise.all(Array.from({ length: connections }, connection))
  close()
  process.disconnect()
}

process.on('message', (message: FloodOptions | 'end') => {
  if (message !== 'end') {
    void flood(message)
    return
  }
  over.abort()
  const report: FloodReport = { answered, refused, seconds: (clock.monotonic() - begun) / 1000 }
  process.send?.(report)
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SystemClock } from '@homeostat/api'
import { expect, it } from 'vitest'
import { Recorder } from '../recording/index.ts'
import { PageHandler } from './page-handler.ts'
import type { Access, Viewer } from './viewer.ts'

const clock = new SystemClock()
const viewer: Viewer = {
  canWrite: false,
  isAllowed: async () => true,
  withClient: () => Promise.reject(new Error('nothing is changed here')),
}
const access: Access = {
  hasPublicFiles: false,
  refuseForeign: () => undefined,
  enter: async () => false,
  viewerOf: async () => viewer,
}

it('tells once that a viewer has gone, and for open streams at its own end', async () => {
  const recorder = new Recorder({ clock })
  let [opened, closed] = [0, 0]
  const source = {
    opened: () => {
      opened++
      return recorder
    },
    closed: () => void closed++,
  }
  const handler = new PageHandler({ clock, source, access })
  const server = createServer(handler.answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const end = async (): Promise<void> => {
    const ended = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await ended
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/stream`
  const leaving = new AbortController()
  const first = await fetch(url, { signal: leaving.signal })
  const second = await fetch(url)
  expect(first.headers.get('content-type')).toBe('text/event-stream')
  expect(opened).toBe(2)
  leaving.abort()
  await expect.poll(() => closed).toBe(1)
  handler[Symbol.dispose]()
  // At once: what is shown ends with the page, and must not wait for a connection.
  expect(closed).toBe(2)
  expect(await second.text()).toContain('event: recording')
  await end()
  expect(closed).toBe(2)
})

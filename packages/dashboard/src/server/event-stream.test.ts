import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SimulatedClock } from '@homeostat/api'
import { expect, it } from 'vitest'
import { ReadableRecording, Recorder } from '../recording/index.ts'
import { EventStream } from './event-stream.ts'
import type { Viewer } from './viewer.ts'

const kind = { apiVersion: 'v1', kind: 'ConfigMap' }

/** A stream for a viewer whose rights change. */
async function openStream() {
  await using cleanUp = new AsyncDisposableStack()
  const clock = new SimulatedClock()
  const recorder = new Recorder({ clock })
  const rights = { page: true, list: true, server: true }
  const readable = new ReadableRecording({
    kinds: [kind],
    kindOf: () => kind,
    mayList: async () => {
      if (!rights.server) throw new Error('the API server does not answer')
      return rights.list
    },
  })
  const signOut = new AbortController()
  const viewer: Viewer = {
    canWrite: false,
    readable,
    signedOut: signOut.signal,
    isAllowed: async () => rights.page,
    withClient: () => Promise.reject(new Error('nothing is changed here')),
  }
  const server = createServer((request, response) => {
    void new EventStream(request, response, { recorder, clock, viewer })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp.defer(async () => {
    const ended = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await ended
  })
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const owned = cleanUp.move()
  return {
    rights,
    signOut: () => signOut.abort(),
    /** A ConfigMap changes, and enough time passes to ask for the rights again. */
    async change(name: string): Promise<void> {
      const metadata = { name, uid: name, namespace: 'a', resourceVersion: '1', creationTimestamp: '' }
      recorder.add({ type: 'object', object: { ...kind, metadata } })
      await clock.advance(2000)
    },
    /** All that came until a text did. */
    async until(wanted: string): Promise<string> {
      while (!text.includes(wanted)) {
        const { done, value } = await reader.read()
        if (done) throw new Error(`the stream ended before it said ${wanted}`)
        text += value
      }
      return text
    },
    /** All that came until the stream ended, or was cut. */
    async rest(): Promise<string> {
      try {
        for (;;) {
          const { done, value } = await reader.read()
          if (done) return text
          text += value
        }
      } catch {
        return text
      }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

it('ends where the viewer may no longer use the page, and sends nothing more', async () => {
  await using stream = await openStream()
  await stream.change('first')
  await stream.until('first')
  stream.rights.page = false
  await stream.change('second')
  expect(await stream.rest()).not.toContain('second')
})

it('leaves out what the viewer may no longer list, and sends it again once they may', async () => {
  await using stream = await openStream()
  await stream.change('first')
  await stream.until('first')
  stream.rights.list = false
  await stream.change('second')
  stream.rights.list = true
  await stream.change('third')
  expect(await stream.until('third')).not.toContain('second')
})

it('ends where the rights of the viewer cannot be asked for', async () => {
  await using stream = await openStream()
  stream.rights.server = false
  await stream.change('first')
  expect(await stream.rest()).not.toContain('first')
})

it('ends when the viewer signs out, also where nothing happens', async () => {
  await using stream = await openStream()
  await stream.until('event: recording')
  stream.signOut()
  expect(await stream.rest()).toContain('event: viewer')
})

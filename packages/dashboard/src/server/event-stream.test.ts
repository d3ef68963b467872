import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SimulatedClock } from '@homeostat/api'
import { expect, it } from 'vitest'
import { ReadableRecording, Recorder } from '../recording/index.ts'
import { EventStream } from './event-stream.ts'
import type { Viewer } from './viewer.ts'

const kind = { apiVersion: 'v1', kind: 'ConfigMap' }

/** A stream for a viewer whose rights change. */
async function openStream({ isSignedOut = false } = {}) {
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
  if (isSignedOut) signOut.abort()
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
    clock,
    /** A ConfigMap changes, and enough time passes to ask for the rights again. */
    async change(name: string): Promise<void> {
      const metadata = { name, uid: name, namespace: 'a', resourceVersion: '1', creationTimestamp: '' }
      recorder.add({ type: 'object', object: { ...kind, metadata } })
      await clock.advance(2000)
    },
    /** All that came until a text did, this many times. */
    async until(wanted: string, times = 1): Promise<string> {
      while (text.split(wanted).length <= times) {
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

it('ends ten seconds after the viewer may no longer use the page, also where nothing happens', async () => {
  await using stream = await openStream()
  await stream.until('event: recording')
  await stream.clock.advance(60_000)
  await stream.change('first')
  await stream.until('first')
  stream.rights.page = false
  await stream.clock.advance(10_000)
  expect(await stream.rest()).toContain('first')
})

it('ends at once for a viewer who signed out while the stream was opened', async () => {
  await expect(openStream({ isSignedOut: true })).rejects.toThrow('fetch failed')
})

it('leaves out what the viewer may no longer list, and sends the whole recording again when that has changed', async () => {
  await using stream = await openStream()
  await stream.change('first')
  await stream.until('first')
  stream.rights.list = false
  await stream.change('second')
  const hidden = await stream.until('event: recording', 2)
  expect(hidden).not.toContain('second')
  expect(hidden.slice(hidden.lastIndexOf('event: recording'))).not.toContain('first')
  stream.rights.list = true
  await stream.change('third')
  // What happened while the right was missing is part of the new recording.
  expect((await stream.until('third')).slice(hidden.length)).toMatch(
    /event: recording.*first.*second.*third/s,
  )
  await stream.change('fourth')
  expect((await stream.until('fourth')).match(/event: recording/g)).toHaveLength(3)
})

it('asks for no rights once the viewer has gone', async () => {
  const asked = await openStream()
  await asked.until('event: recording')
  await asked[Symbol.asyncDispose]()
  await expect.poll(() => asked.clock.nextDue()).toBeUndefined()
})

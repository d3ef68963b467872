import { SimulatedClock } from '@homeostat/api'
import { ConfigMap } from '@homeostat/api/kinds'
import { describe, expect, test } from 'vitest'
import type { Client } from '../client/client.ts'
import { createOrUpdate } from './create-or-update.ts'
import { UpdateLoops, type UpdateLoop } from './update-loops.ts'

const key = { namespace: 'default', name: 'x' }

/** A server that always has the object as it was at first: whatever is set is put back. */
function setUp() {
  const clock = new SimulatedClock()
  const loops: UpdateLoop[] = []
  const watching = new UpdateLoops(clock, (loop) => loops.push(loop))
  const stored = { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data: { mode: 'theirs', secret: 's' } }
  const client = watching.watch({
    get: () => Promise.resolve(stored),
    update: () => Promise.resolve(stored),
  } as unknown as Client)
  const set = (data: Record<string, string>) =>
    createOrUpdate(client, ConfigMap, key, (draft) => {
      draft.data = { ...stored.data, ...data }
    })
  return { clock, loops, client, set }
}

describe('a field that is put back each time', () => {
  test('is reported by its name, once, after it was set to the same value several times', async () => {
    const { clock, loops, set } = setUp()
    for (let time = 0; time < 20; time++) {
      await set({ mode: 'ours' })
      await clock.advance('1s')
    }
    expect(loops).toEqual([{ kind: 'ConfigMap', object: key, field: 'data.mode', times: 5 }])
  })

  test('is reported where the value goes to and fro between two of our own', async () => {
    const { clock, loops, set } = setUp()
    for (let time = 0; time < 8; time++) {
      await set({ mode: time % 2 === 0 ? 'one' : 'two' })
      await clock.advance('1s')
    }
    expect(loops).toMatchObject([{ field: 'data.mode' }])
  })

  test('is reported again after ten minutes of it', async () => {
    const { clock, loops, set } = setUp()
    for (let time = 0; time < 130; time++) {
      await set({ mode: 'ours' })
      await clock.advance('5s')
    }
    expect(loops).toHaveLength(2)
  })
})

describe('no loop is', () => {
  test('a field that goes on to new values, however fast', async () => {
    const { loops, set } = setUp()
    for (let time = 0; time < 100; time++) await set({ mode: `${time}` })
    expect(loops).toEqual([])
  })

  test('a field that is set to the same value now and then', async () => {
    const { clock, loops, set } = setUp()
    for (let time = 0; time < 20; time++) {
      await set({ mode: 'ours' })
      await clock.advance('20s')
    }
    expect(loops).toEqual([])
  })

  test('looked for with a client that nobody watches', async () => {
    const { client, loops } = setUp()
    for (let time = 0; time < 20; time++) {
      await createOrUpdate({ ...client }, ConfigMap, key, (draft) => void (draft.data = { mode: 'ours' }))
    }
    expect(loops).toEqual([])
  })
})

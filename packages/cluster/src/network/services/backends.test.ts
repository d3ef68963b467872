import { SimulatedClock } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import { Backends } from './backends.ts'

const target = (last: number) => ({ address: `10.244.0.${last}`, port: 80 })
const three = [target(1), target(2), target(3)]

describe('the backends of a port', () => {
  it('take turns, each with the others behind it', () => {
    const backends = new Backends(new SimulatedClock())
    backends.use(three, undefined)
    expect(backends.order('a')).toEqual(three)
    expect(backends.order('a')).toEqual([target(2), target(3), target(1)])
    expect([backends.order('b')[0], backends.order('b')[0]]).toEqual([target(3), target(1)])
  })

  it('are none where there is no endpoint', () => {
    const backends = new Backends(new SimulatedClock())
    expect(backends.order('a')).toEqual([])
  })

  it('keep a client with its endpoint for the configured time, while the endpoint exists', async () => {
    const clock = new SimulatedClock()
    const backends = new Backends(clock)
    backends.use(three, 60)
    const connect = (client: string) => {
      const [first] = backends.order(client)
      if (first) backends.connected(client, first)
      return first
    }
    expect([connect('a'), connect('a'), connect('b'), connect('a')]).toEqual([
      target(1),
      target(1),
      target(2),
      target(1),
    ])
    backends.use([target(2), target(3)], 60)
    const next = connect('a')
    expect(next).not.toEqual(target(1))
    expect(connect('a')).toEqual(next)
    await clock.advance('61s')
    expect(connect('a')).not.toEqual(next)
  })
})

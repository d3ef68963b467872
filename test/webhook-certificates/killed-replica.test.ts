import { TestEnvironment } from '@homeostat/apiserver/testing'
import { HomeostatError, type Transport } from 'homeostat'
import { expect, it } from 'vitest'
import { applyManifests, distrust, OPTIONS, readState, Replica } from './replica.ts'

const options = { ...OPTIONS, certificates: { validity: '10h' } } as const
const MOMENTS = ['before it was sent', 'before its answer came'] as const

/** When the process that renews dies: at a call that it sends, counted from the moment at which the certificate is due. */
interface Death {
  readonly call: number
  readonly moment: (typeof MOMENTS)[number]
}

/** Lets two processes run while a certificate is renewed, and one of them die. Resolves with the calls of that one. */
async function play(death?: Death): Promise<string[]> {
  await using environment = await TestEnvironment.start()
  await applyManifests(environment)
  const calls: string[] = []
  let isCounting = false
  let isDead = false
  const killed = new HomeostatError('KILLED', 'the process was killed')
  const mortal = (transport: Transport): Transport => ({
    ...transport,
    async send(request) {
      if (isDead) throw killed
      const isCounted = isCounting && !request.path.includes('/leases')
      if (isCounted) calls.push(`${request.method} ${request.path}`)
      if (!isCounted || calls.length !== death?.call) return transport.send(request)
      isDead = true
      if (death.moment === 'before its answer came') await transport.send(request)
      throw killed
    },
  })
  const leader = new Replica(environment, 'leader', options, mortal)
  await environment.advance('1m')
  const survivor = new Replica(environment, 'survivor', options)
  await environment.advance('1m')
  const alive = (): Replica[] => (isDead ? [survivor] : [leader, survivor])
  const check = async (when: string): Promise<void> => {
    const state = await readState(environment)
    for (const { certificate } of alive())
      expect(distrust(certificate!, state, environment.clock.now()), when).toEqual([])
  }
  await environment.advance('4h')
  isCounting = true
  for (let hour = 1; hour <= 10; hour++) {
    await environment.advance('1h')
    await check(`${hour} hours later`)
    if (hour === 2) isCounting = false
  }
  // A third process starts with what the dead one has left.
  const third = new Replica(environment, 'third', options)
  await environment.advance('1m')
  expect(distrust(third.certificate!, await readState(environment), environment.clock.now())).toEqual([])
  for (const replica of [leader, survivor, third]) await replica.stop().catch(() => {})
  return calls
}

it('a process that is killed at any call of a renewal leaves certificates that API servers trust', async () => {
  const calls = await play()
  expect(calls.filter((call) => call.startsWith('PATCH')).length).toBeGreaterThanOrEqual(4)
  let kills = 0
  for (let call = 1; call <= calls.length; call++) {
    for (const moment of MOMENTS) {
      await play({ call, moment })
      kills++
    }
  }
  expect(kills).toBe(2 * calls.length)
}, 300_000)

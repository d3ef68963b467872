import { Pod, ResourceQuota, Secret } from '@homeostat/api/kinds'
import { isForbidden } from 'homeostat'
import { expect, test } from 'vitest'
import { ControllerBench } from '../../../test/controller-bench.ts'
import { quotaController } from './quota-controller.ts'

const namespace = 'default'
const WRITERS = 32
/** `HOMEOSTAT_QUOTA_CREATES=10000` asks for a longer run. */
const CREATES = Number(process.env['HOMEOSTAT_QUOTA_CREATES'] ?? 500)
const HARD = { secrets: '40', pods: '20', 'requests.cpu': '5' }

test(
  `a quota is never exceeded and leaks nothing under 32 parallel writers, ${CREATES} creates and deletes`,
  { timeout: Math.max(60_000, CREATES * 120) },
  async () => {
    await using bench = await ControllerBench.start((kinds) => [quotaController(kinds)])
    const { client, clock } = bench
    const key = { namespace, name: 'q' }
    await client.create(ResourceQuota, { metadata: key, spec: { hard: HARD } })
    await bench.settle()
    let [created, refused, most] = [0, 0, 0]

    const create = async (name: string, isPod: boolean): Promise<void> => {
      if (!isPod) return void (await client.create(Secret, { metadata: { namespace, name } }))
      const resources = { requests: { cpu: '250m' } }
      await client.create(Pod, {
        metadata: { namespace, name },
        spec: { containers: [{ name: 'c', image: 'i', resources }] },
      })
    }
    /** The objects that are there, and whether any quota is exceeded. */
    const check = async (isPod: boolean): Promise<void> => {
      const { length } = await client.live.list(isPod ? Pod : Secret, { namespace })
      expect(length).toBeLessThanOrEqual(isPod ? 20 : 40)
      most = Math.max(most, length / (isPod ? 20 : 40))
    }
    /** Holds up to three objects at a time, so that all writers together want more than the quota allows. */
    const write = async (writer: number): Promise<void> => {
      const isPod = writer % 2 === 0
      const held: string[] = []
      const remove = async (): Promise<void> => {
        const name = held.shift()
        if (name !== undefined) await client.delete(isPod ? Pod : Secret, { namespace, name })
      }
      for (let index = 0; created < CREATES; index++) {
        const name = `w${writer}-${index}`
        try {
          created++
          await create(name, isPod)
          held.push(name)
          if (index % 4 === 0) await check(isPod)
          if (held.length === 3) await remove()
          // Writers meet in different orders.
          await clock.sleep(1 + ((writer + index) % 7))
        } catch (error) {
          if (!isForbidden(error)) throw error
          created--
          refused++
          await remove()
          // Other writers use the whole quota, or the controller has not yet counted what they deleted.
          await clock.sleep(20)
        }
      }
      while (held.length > 0) await remove()
    }

    const over = new AbortController()
    const writers = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer))).finally(() =>
      over.abort(),
    )
    while (!over.signal.aborted) await bench.advance('100ms')
    await writers
    await bench.settle()
    expect(created).toBe(CREATES)
    expect(refused).toBeGreaterThan(0)
    expect(most).toBe(1)
    const { status } = await client.getOrThrow(ResourceQuota, key)
    expect(status).toEqual({ hard: HARD, used: { secrets: '0', pods: '0', 'requests.cpu': '0' } })
    // The whole quota can be used again, and no more.
    for (let index = 0; index < 20; index++) await create(`last-${index}`, true)
    await expect(create('one-more', true)).rejects.toThrow('exceeded quota: q')
  },
)

import { SimulatedClock } from '@homeostat/api'
import { Event, Pod } from '@homeostat/api/kinds'
import { expect, test } from 'vitest'
import { Cluster } from './cluster.ts'
import { mariadbImage } from './stand-ins/mariadb.ts'

test('on a machine without mariadbd a Pod of mariadb reports it, with the remedy', async () => {
  const clock = new SimulatedClock()
  const images = { mariadb: mariadbImage(() => undefined) }
  await using cluster = await Cluster.start({ clock, port: false, images })
  const key = { namespace: 'default', name: 'db' }
  const containers = [{ name: 'db', image: 'mariadb:11' }]
  await cluster.client.create(Pod, { metadata: key, spec: { containers } })
  await clock.settle()
  const { status } = await cluster.client.getOrThrow(Pod, key)
  expect(status?.containerStatuses?.[0]?.state?.waiting).toEqual({
    reason: 'ErrImagePull',
    message: expect.stringMatching(
      /^failed to pull image "mariadb:11": this image runs the mariadbd of this machine, which is missing: install MariaDB/,
    ) as string,
  })
  const events = await cluster.client.list(Event, { namespace: 'default' })
  expect(events.map(({ note }) => note)).toContainEqual(expect.stringContaining('install MariaDB'))
})

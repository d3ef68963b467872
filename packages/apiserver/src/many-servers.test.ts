import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { ApiServer } from './server.ts'
import { callJson, watchJson } from './testing/index.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

/** The resources that keep a process alive, by kind. */
function handles(): string[] {
  return process.getActiveResourcesInfo().filter((kind) => kind !== 'Immediate')
}

/** Bytes that are still in use after everything that can be freed was freed. */
async function heap(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  await new Promise((resolve) => setImmediate(resolve))
  collect()
  return process.memoryUsage().heapUsed
}

/** The life of one server: every second has a port, and each has an object, a watch that is left open and a timer. */
async function live(index: number): Promise<void> {
  const server = await ApiServer.start()
  if (index % 2 === 0) await server.listen()
  const { code } = await callJson(server.handler, 'POST', CONFIG_MAPS, { body: { metadata: { name: 'a' } } })
  expect(code).toBe(201)
  await watchJson(server.handler, `${CONFIG_MAPS}?watch=true&allowWatchBookmarks=true`)
  await server.close()
}

test('200 servers one after the other leave nothing behind', { timeout: 60_000 }, async () => {
  for (let index = 0; index < 50; index++) await live(index)
  const [heapBefore, handlesBefore] = [await heap(), handles()]
  for (let index = 50; index < 200; index++) await live(index)
  const [heapAfter, handlesAfter] = [await heap(), handles()]
  expect(handlesAfter).toEqual(handlesBefore)
  // If they were not freed, 150 of them would hold more than that.
  expect(heapAfter - heapBefore).toBeLessThan(3_000_000)
})

import { turnOfTheEventLoop } from '@homeostat/api'
import { expect, test } from 'vitest'
import { TestEnvironment } from '../../testing/index.ts'
import { OPEN_KIND } from '../../../test/open-kind.ts'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
/** Long enough that the server creates it in several turns of the event loop. */
const LARGE = 'x'.repeat(400_000)
/** How many turns the creation has had when its namespace or definition is removed. */
const TURNS = [0, 8, 10]

test.each(TURNS)(
  'a large object is not created in a namespace that is gone, after %i turns',
  async (turns) => {
    await using env = await TestEnvironment.start()
    await env.call('POST', '/api/v1/namespaces', { body: { metadata: { name: 'gone' } } })
    const body = { metadata: { name: 'a' }, data: { text: LARGE } }
    const creating = watched(env.call('POST', '/api/v1/namespaces/gone/configmaps', { body }))
    for (let turn = 0; turn < turns; turn++) await turnOfTheEventLoop()
    await env.call('DELETE', '/api/v1/namespaces/gone')
    const { body: namespace } = await env.call('GET', '/api/v1/namespaces/gone')
    const finalized = { ...namespace, spec: { finalizers: [] } }
    await env.call('PUT', '/api/v1/namespaces/gone/finalize', { body: finalized })
    expect((await env.call('GET', '/api/v1/namespaces/gone')).code).toBe(404)
    // An object that was there before the namespace ended is left to the controller that empties namespaces.
    if (creating.settled) return
    expect([403, 404]).toContain((await creating.promise).code)
    expect((await env.call('GET', '/api/v1/namespaces/gone/configmaps')).body.items).toEqual([])
  },
)

test.each(TURNS)(
  'a large custom object is not created once its definition is gone, after %i turns',
  async (turns) => {
    await using env = await TestEnvironment.start()
    await env.call('POST', DEFINITIONS, { body: OPEN_KIND })
    await env.settle()
    const body = { apiVersion: 'test.dev/v1', kind: 'Open', metadata: { name: 'a' }, spec: { text: LARGE } }
    const creating = env.call('POST', '/apis/test.dev/v1/opens', { body })
    for (let turn = 0; turn < turns; turn++) await turnOfTheEventLoop()
    await env.call('DELETE', `${DEFINITIONS}/opens.test.dev`)
    expect((await env.call('GET', `${DEFINITIONS}/opens.test.dev`)).code).toBe(404)
    await creating
    await env.call('POST', DEFINITIONS, { body: OPEN_KIND })
    await env.settle()
    expect((await env.call('GET', '/apis/test.dev/v1/opens')).body.items).toEqual([])
  },
)

function watched<T>(promise: Promise<T>): { readonly promise: Promise<T>; settled: boolean } {
  const state = { promise, settled: false }
  void promise.then(() => (state.settled = true))
  return state
}

import { isDeepStrictEqual as equals } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { fieldSamples } from './field-samples.ts'
import { nativeCollections } from './native-collections.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.call('POST', at('/api/v1/~/serviceaccounts'), { body: { metadata: { name: 'robot' } } })
})
afterAll(async () => {
  for (const { path, objects } of fieldSamples.filter(({ path }) => !path.includes('~'))) {
    for (const name of Object.keys(objects)) await server.call('DELETE', `${path}/${named(name)}`)
  }
  await server?.close()
})

const at = (path: string): string => path.replace('/~', `/namespaces/${server.namespace}`)
/** Cluster-wide objects need names that no other test has. */
const named = (name: string): string => `${server.namespace}-${name}`
const selecting = (path: string, selector: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}fieldSelector=${encodeURIComponent(selector)}`
const inNamespace = (text: string): string => text.replaceAll('~', server.namespace)

const recorded = (name: string): string => new URL(`recorded/${name}.json`, import.meta.url).pathname
const lines = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`

/** Every field label that some kind of any version supports or once supported, and some that no kind has. */
const LABELS = [
  ...new Set([
    'metadata.name',
    'metadata.namespace',
    'metadata.uid',
    'name',
    'spec.leaseName',
    'spec.podName',
    'spec.replicas',
    'status.succeeded',
    'constructor',
    '__proto__',
    ...fieldSamples.flatMap(({ labels }) => Object.keys(labels)),
  ]),
].sort()

/** Writes what a test needs. */
async function written(method: 'POST' | 'PATCH', path: string, body: object): Promise<void> {
  const answer = await server.call(method, path, { body })
  if (answer.status > 201) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.message}`)
}

/** A refusal without the label that it speaks of. */
function withoutLabel(message: string, label: string): string {
  const text = message.replace(JSON.stringify(label), '"<label>"')
  return text.endsWith(`: ${label}`) ? `${text.slice(0, -label.length)}<label>` : text
}

describe('the field labels of every native kind', () => {
  test('are those of Kubernetes, and another is refused in its words', async () => {
    const found: Record<string, unknown> = {}
    for (const { path } of await nativeCollections(server)) {
      const supported: string[] = []
      const refused = new Set<string>()
      for (const label of LABELS) {
        const { status, body } = await server.call('GET', selecting(path, `${label}=no-such-value`))
        if (status === 200) supported.push(label)
        else refused.add(`${status} ${body.reason}: ${withoutLabel(body.message, label)}`)
      }
      found[path] = { supported, refused: [...refused] }
    }
    await expect(lines(found)).toMatchFileSnapshot(recorded('field-labels'))
  })

  test('are refused alike by a list, a watch and the deletion of a collection', async () => {
    const found: Record<string, unknown> = {}
    for (const { path, namespaced, verbs } of await nativeCollections(server)) {
      const collection = namespaced ? path.replace(/\/([^/]+)$/, `/namespaces/${server.namespace}/$1`) : path
      const ask = async (method: 'GET' | 'DELETE', query: string): Promise<string> => {
        const { status, body } = await server.call(method, selecting(`${collection}${query}`, 'spec.none=a'))
        return `${status} ${body.message}`
      }
      found[path] = {
        list: await ask('GET', ''),
        ...(verbs.includes('watch') && { watch: await ask('GET', '?watch=true') }),
        ...(verbs.includes('deletecollection') && { deletion: await ask('DELETE', '?dryRun=All') }),
      }
    }
    await expect(lines(found)).toMatchFileSnapshot(recorded('field-labels-refused'))
  })
})

describe.each(fieldSamples)('objects of $path', ({ path, objects, labels, controlled }) => {
  const title = path.replace(/^\/apis?\//, '').replaceAll(/[/~]+/g, '-')

  beforeAll(async () => {
    for (const [name, { object, status }] of Object.entries(objects)) {
      const body = JSON.parse(inNamespace(JSON.stringify({ ...object, metadata: { name: named(name) } })))
      await written('POST', at(path), body)
      if (!status) continue
      if (!controlled || !server.controllers) {
        await written('PATCH', `${at(path)}/${named(name)}/status`, { status })
      }
      await server.until(`the status of ${name}`, async () => {
        const { body: now } = await server.call('GET', `${at(path)}/${named(name)}`)
        return Object.keys(status).every((field) => equals(now.status[field], status[field]))
      })
    }
  })

  /** The names of the objects of this test that a selector takes. */
  async function selected(selector: string): Promise<string[]> {
    const { status, body } = await server.call('GET', selecting(at(path), inNamespace(selector)))
    expect([selector, status]).toEqual([selector, 200])
    const names = body.items.map(({ metadata }: any) => metadata.name)
    return Object.keys(objects).filter((name) => names.includes(named(name)))
  }

  test('are selected by what they have, and by what an unset field counts as', async () => {
    const found: Record<string, unknown> = {}
    for (const [label, values] of Object.entries({ ...labels, 'metadata.name': [named('set')] })) {
      for (const value of ['', ...values]) {
        for (const operator of ['=', '==', '!=']) {
          const selector = `${label}${operator}${value}`
          found[selector.replaceAll(named(''), '')] = await selected(selector)
        }
      }
    }
    await expect(lines(found)).toMatchFileSnapshot(recorded(`selected-${title}`))
  })

  test('are removed as a collection by what they have', async () => {
    const [[label, [value]]] = Object.entries(labels) as [[string, readonly string[]]]
    const selector = inNamespace(`${label}=${value}`)
    const dryRun = await server.call('DELETE', selecting(`${at(path)}?dryRun=All`, selector))
    const names = (dryRun.body.items ?? []).map(({ metadata }: any) => metadata.name)
    const mine = (await selected(selector)).map(named)
    if (path === '/api/v1/namespaces') expect(dryRun.status).toBe(405)
    else
      expect(
        Object.keys(objects)
          .map(named)
          .filter((name) => names.includes(name)),
      ).toEqual(mine)
  })
})

import { expect, test } from 'vitest'
import { requestOf, requestText } from './request-text.ts'

test.each([
  [{ namespace: 'default', name: 'a' }, 'default/a'],
  [{ name: 'a' }, 'a'],
  [{ namespace: 'default', name: 'a', cluster: 'edge' }, 'default/a?cluster=edge'],
  [{ name: 'a', zone: 'b&c=d', cluster: 'ü/?' }, 'a?cluster=%C3%BC%2F%3F&zone=b%26c%3Dd'],
])('%j is %s in the queue, and comes back', (request, text) => {
  expect(requestText(request)).toBe(text)
  expect(requestOf(text)).toEqual(request)
})

test('the order of fields, and fields that are undefined, make no difference', () => {
  const [a, b] = [
    { cluster: 'edge', name: 'a', namespace: 'x' },
    { namespace: 'x', name: 'a', cluster: 'edge', shard: undefined },
  ]
  expect(requestText(a)).toBe(requestText(b))
})

test.each([[undefined], [{}], [{ name: '' }], [{ name: 1 }], [{ name: 'a', shard: 3 }]])(
  '%j is refused, with the form of a request',
  (request) => {
    expect(() => requestText(request as never)).toThrow(/give \{ name \} or \{ namespace, name \}/)
  },
)

test.each([
  [{ namespace: 'default', name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: 't' }, 'metadata'],
  [{ name: 'a', uid: 'u', resourceVersion: '1', labels: {} }, 'metadata'],
  [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }, 'an object'],
])('%j is refused as metadata or an object, although its fields may be text', (request, what) => {
  expect(() => requestText(request as never)).toThrow(
    new RegExp(`that is .*${what}. Give its namespace and name alone, as keyOf`),
  )
})

test('an error about another value does not show its fields, which may be secret', () => {
  const annotations = {
    'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"password":"hunter2"}}',
  }
  const metadata = { namespace: 'default', name: 'a', uid: 'hunter2', annotations }
  let message = ''
  try {
    requestText(metadata)
  } catch (error) {
    message = String(error)
  }
  expect(message).toContain(
    'a handler gave { namespace: "default", name: "a", uid, annotations } as a request',
  )
  expect(message).not.toContain('hunter2')
})

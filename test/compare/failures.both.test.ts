import { defineKind, schema as s } from 'homeostat'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { transcript, type Step } from './transcript.ts'

const Widget = defineKind({
  group: 'failures.example.com',
  version: 'v1',
  kind: 'Widget',
  spec: s.object({
    size: s.integer().min(1).max(10).default(1),
    color: s.enum('red', 'green').optional(),
    parts: s.map(s.string()).minProperties(1),
  }),
  status: s.object({ phase: s.string().optional() }),
})

const configMap = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: '~' },
  ...more,
})
const widget = (name: string, spec: object) => ({
  apiVersion: 'failures.example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: '~' },
  spec,
})
const maps = '/api/v1/~/configmaps'
const widgets = '/apis/failures.example.com/v1/~/widgets'

const conversations: Record<string, Step[]> = {
  'what-is-not-there': [
    { say: 'an object', method: 'GET', path: `${maps}/none` },
    { say: 'an object to delete', method: 'DELETE', path: `${maps}/none` },
    { say: 'an object to patch', method: 'PATCH', path: `${maps}/none`, body: { data: {} } },
    { say: 'an object to replace', method: 'PUT', path: `${maps}/none`, body: configMap('none') },
    { say: 'a custom object', method: 'GET', path: `${widgets}/none` },
    {
      say: 'a custom object to replace',
      method: 'PUT',
      path: `${widgets}/none`,
      body: widget('none', { parts: { a: 'b' } }),
    },
    { say: 'a resource', method: 'GET', path: '/api/v1/~/nothings' },
    { say: 'a group', reasonOnly: true, method: 'GET', path: '/apis/none.example.com/v1/things/x' },
    { say: 'a version', method: 'GET', path: '/apis/apps/v9/~/deployments' },
    { say: 'a subresource', method: 'GET', path: `${maps}/none/status` },
    {
      say: 'a namespace to create in',
      method: 'POST',
      path: '/api/v1/namespaces/nowhere-at-all/configmaps',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
    },
  ],
  'requests-that-make-no-sense': [
    { say: 'no JSON', reasonOnly: true, method: 'POST', path: maps, body: '{"kind":' },
    { say: 'an empty body', reasonOnly: true, method: 'POST', path: maps, body: '' },
    {
      say: 'an unknown media type',
      reasonOnly: true,
      method: 'POST',
      path: maps,
      body: '<a/>',
      contentType: 'text/xml',
    },
    {
      say: 'an unknown kind of patch',
      reasonOnly: true,
      method: 'PATCH',
      path: `${maps}/x`,
      body: '{}',
      contentType: 'text/plain',
    },
    { say: 'an answer that cannot be', reasonOnly: true, method: 'GET', path: maps, accept: 'text/html' },
    {
      say: 'another kind',
      reasonOnly: true,
      method: 'POST',
      path: maps,
      body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } },
    },
    {
      say: 'another version',
      reasonOnly: true,
      method: 'POST',
      path: maps,
      body: { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'a' } },
    },
    {
      say: 'another namespace',
      method: 'POST',
      path: maps,
      body: configMap('a', { metadata: { name: 'a', namespace: 'b' } }),
    },
    { say: 'another name', method: 'PUT', path: `${maps}/a`, body: configMap('b') },
    {
      say: 'no name',
      method: 'POST',
      path: maps,
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} },
    },
    { say: 'a bad name', method: 'POST', path: maps, body: configMap('No_Name') },
    {
      say: 'a bad label',
      method: 'POST',
      path: maps,
      body: configMap('a', { metadata: { name: 'a', labels: { 'a b': 'c!' } } }),
    },
    {
      say: 'a version that is set',
      method: 'POST',
      path: maps,
      body: configMap('a', { metadata: { name: 'a', resourceVersion: '1' } }),
    },
    { say: 'a bad label selector', method: 'GET', path: `${maps}?labelSelector=a%20in` },
    { say: 'a bad field selector', method: 'GET', path: `${maps}?fieldSelector=spec.none%3Da` },
    { say: 'a bad version to list at', method: 'GET', path: `${maps}?resourceVersion=abc` },
    { say: 'a match without a version', method: 'GET', path: `${maps}?resourceVersionMatch=Exact` },
    { say: 'a bad limit', reasonOnly: true, method: 'GET', path: `${maps}?limit=many` },
    { say: 'a bad continue token', reasonOnly: true, method: 'GET', path: `${maps}?limit=1&continue=abc` },
    { say: 'a method that a collection has not', method: 'PUT', path: maps, body: configMap('a') },
    { say: 'a method that an object has not', method: 'POST', path: `${maps}/a`, body: configMap('a') },
    { say: 'a bad dry run', method: 'POST', path: `${maps}?dryRun=Some`, body: configMap('a') },
    {
      say: 'a bad field validation',
      method: 'POST',
      path: `${maps}?fieldValidation=Perhaps`,
      body: configMap('a'),
    },
  ],
  'writes-that-lose': [
    { say: 'the first is created', method: 'POST', path: maps, body: configMap('taken') },
    { say: 'the second is not', method: 'POST', path: maps, body: configMap('taken') },
    {
      say: 'a stale version',
      method: 'PUT',
      path: `${maps}/taken`,
      body: configMap('taken', { metadata: { name: 'taken', namespace: '~', resourceVersion: '1' } }),
    },
    {
      say: 'a stale version in a patch',
      method: 'PATCH',
      path: `${maps}/taken`,
      body: { metadata: { resourceVersion: '1' }, data: { a: 'b' } },
    },
    {
      say: 'another uid in an update',
      reasonOnly: true,
      method: 'PUT',
      path: `${maps}/taken`,
      body: configMap('taken', {
        metadata: { name: 'taken', namespace: '~', uid: '11111111-2222-3333-4444-555555555555' },
      }),
    },
    {
      say: 'another uid in a deletion',
      method: 'DELETE',
      path: `${maps}/taken`,
      body: {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        preconditions: { uid: '11111111-2222-3333-4444-555555555555' },
      },
    },
    {
      say: 'a JSON patch whose test fails',
      // Ours also says which operation failed, and why.
      reasonOnly: true,
      method: 'PATCH',
      path: `${maps}/taken`,
      body: [{ op: 'test', path: '/metadata/name', value: 'free' }],
      contentType: 'application/json-patch+json',
    },
    {
      say: 'a JSON patch that leads nowhere',
      // Ours also says which operation failed, and why.
      reasonOnly: true,
      method: 'PATCH',
      path: `${maps}/taken`,
      body: [{ op: 'remove', path: '/data/none' }],
      contentType: 'application/json-patch+json',
    },
    { say: 'a custom object', method: 'POST', path: widgets, body: widget('taken', { parts: { a: 'b' } }) },
    {
      say: 'a custom object without a version',
      method: 'PUT',
      path: `${widgets}/taken`,
      body: widget('taken', { parts: { a: 'c' } }),
    },
    {
      say: 'a strategic patch of a custom object',
      method: 'PATCH',
      path: `${widgets}/taken`,
      body: {},
      contentType: 'application/strategic-merge-patch+json',
    },
    {
      say: 'an immutable map',
      method: 'POST',
      path: maps,
      body: configMap('fixed', { immutable: true, data: { a: '1' } }),
    },
    { say: 'a change of it', method: 'PATCH', path: `${maps}/fixed`, body: { data: { a: '2' } } },
    { say: 'the deletion', method: 'DELETE', path: `${maps}/taken` },
  ],
  'custom-objects-that-are-invalid': [
    { say: 'a required field is missing', method: 'POST', path: widgets, body: widget('a', {}) },
    {
      say: 'a number is too large',
      method: 'POST',
      path: widgets,
      body: widget('a', { size: 11, parts: { a: 'b' } }),
    },
    {
      say: 'a number is text',
      method: 'POST',
      path: widgets,
      body: widget('a', { size: 'big', parts: { a: 'b' } }),
    },
    {
      say: 'several things at once',
      method: 'POST',
      path: widgets,
      body: widget('a', { size: 0, color: 'blue', parts: {} }),
    },
    {
      say: 'an unknown field is warned of',
      method: 'POST',
      path: `${widgets}?fieldValidation=Warn`,
      body: widget('a', { parts: { a: 'b' }, shape: 'round' }),
    },
    {
      say: 'an unknown field is refused',
      method: 'POST',
      path: `${widgets}?fieldValidation=Strict`,
      body: widget('b', { parts: { a: 'b' }, shape: 'round' }),
    },
    {
      say: 'a field that comes twice is refused',
      method: 'POST',
      path: `${widgets}?fieldValidation=Strict`,
      body: '{"apiVersion":"failures.example.com/v1","kind":"Widget","metadata":{"name":"c"},"spec":{"size":1,"size":2,"parts":{"a":"b"}}}',
    },
    {
      say: 'an unknown field is dropped in silence',
      method: 'POST',
      path: `${widgets}?fieldValidation=Ignore`,
      body: widget('d', { parts: { a: 'b' }, shape: 'round' }),
    },
    { say: 'a patch makes it invalid', method: 'PATCH', path: `${widgets}/a`, body: { spec: { size: 99 } } },
  ],
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ kinds: [Widget] })
})
afterAll(() => server?.close())

test.for(Object.entries(conversations))('%s is answered as Kubernetes does', async ([title, steps]) => {
  const file = new URL(`generated/${title}.json`, import.meta.url)
  await expect(await transcript(server, steps)).toMatchFileSnapshot(file.pathname)
})

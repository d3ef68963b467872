/** Bodies of patches. */
import { mergeFrom, type Client } from 'homeostat'
import { ConfigMap, Deployment, Pod } from 'homeostat/kinds'
import { Greeting } from '../greeting.ts'

declare const client: Client
const key = { namespace: 'team', name: 'web' }

// @right: a merge patch of some fields
await client.patch(Deployment, key, { type: 'merge', body: { spec: { replicas: 2 } } })

// @right: a merge patch that removes a field
await client.patch(Deployment, key, { type: 'merge', body: { metadata: { labels: { tier: null } } } })

// @right: a merge patch that removes all finalizers, under a lock
await client.patch(Pod, key, { type: 'merge', body: { metadata: { finalizers: null, resourceVersion: '7' } } })

// @right: the merge patch that mergeFrom computes
{
  const before = await client.getOrThrow(Deployment, key)
  await client.patch(Deployment, key, mergeFrom(before, { ...before, spec: { ...before.spec, replicas: 2 } }))
}

// @right: a merge patch of a custom kind, whose defaults may be left out in lists
await client.patch(Greeting, key, { type: 'merge', body: { spec: { ports: [{ name: 'http' }] } } })

// @right: a merge patch of the status
await client.status.patch(Greeting, key, { type: 'merge', body: { status: { said: 'hello' } } })

// @right: a strategic merge patch of one container
await client.patch(Deployment, key, {
  type: 'strategic',
  body: { spec: { template: { spec: { containers: [{ name: 'web', image: 'nginx:2' }] } } } },
})

// @right: a strategic merge patch with directives
await client.patch(Deployment, key, {
  type: 'strategic',
  body: { spec: { template: { spec: { volumes: [{ $patch: 'delete', name: 'old' }] } }, $retainKeys: ['strategy'] } },
})

// @right: a JSON patch
await client.patch(ConfigMap, key, {
  type: 'json',
  body: [
    { op: 'test', path: '/data/a', value: '1' },
    { op: 'remove', path: '/data/a' },
    { op: 'move', from: '/data/b', path: '/data/c' },
  ],
})

// @right: a patch of an object whose kind is known only at run time
{
  const kind = await client.kinds.find('v1', 'Pod')
  if (kind) await client.patch(kind, key, { type: 'merge', body: { spec: { anything: 1 } } })
}

// @wrong: a merge patch with a misspelt field
await client.patch(Deployment, key, {
  type: 'merge',
  // @expect: Object literal may only specify known properties, but 'replica' does not exist in type 'MergePatchFields<DeploymentSpec>'. Did you mean to write 'replicas'?
  body: { spec: { replica: 2 } },
})

// @wrong: a merge patch with a value of another type
await client.patch(Deployment, key, {
  type: 'merge',
  // @expect: Type 'string' is not assignable to type 'number'.
  body: { spec: { replicas: '2' } },
})

// @wrong: a merge patch with an incomplete item of a list, which would replace the whole list
await client.patch(Pod, key, {
  type: 'merge',
  // @expect: Property 'name' is missing in type '{ image: string; }' but required in type 'InputFields<Container>'.
  body: { spec: { containers: [{ image: 'nginx:2' }] } },
})

// @wrong: a merge patch of a custom kind with a misspelt field
await client.patch(Greeting, key, {
  type: 'merge',
  // @expect: Object literal may only specify known properties, but 'wrods' does not exist in type 'MergePatchFields<{ words: string; mood?: "Happy" | "Sad" | undefined; ports?: { name: string; port?: number | undefined; }[] | undefined; }>'. Did you mean to write 'words'?
  body: { spec: { wrods: 'hello' } },
})

// @wrong: a patch of the status with a misspelt field
await client.status.patch(Greeting, key, {
  type: 'merge',
  // @expect: Object literal may only specify known properties, but 'sad' does not exist in type 'MergePatchFields<{ said?: string | undefined; conditions?: Condition[] | undefined; }>'. Did you mean to write 'said'?
  body: { status: { sad: 'hello' } },
})

// @wrong: a strategic merge patch of a custom kind
await client.patch(Greeting, key, {
  type: 'strategic',
  // @expect: Type '{ spec: { words: string; }; }' is not assignable to type '"A server accepts no strategic merge patch for a custom kind: use merge, json or apply"'.
  body: { spec: { words: 'hello' } },
})

// @wrong: a strategic merge patch with a misspelt field
await client.patch(Deployment, key, {
  type: 'strategic',
  // @expect: Object literal may only specify known properties, but 'imag' does not exist in type 'StrategicPatchFields<Container>'. Did you mean to write 'image'?
  body: { spec: { template: { spec: { containers: [{ name: 'web', imag: 'nginx:2' }] } } } },
})

// @wrong: a JSON patch with an operation that does not exist
await client.patch(ConfigMap, key, {
  type: 'json',
  body: [
    // @expect: Type '"delete"' is not assignable to type '"add" | "copy" | "move" | "remove" | "replace" | "test"'.
    { op: 'delete', path: '/data/a' },
  ],
})

// @wrong: a JSON patch without a value
await client.patch(ConfigMap, key, {
  type: 'json',
  body: [
    // @expect: Type '{ op: "add"; path: "/data/a"; }' is not assignable to type 'JsonPatchOperation'.
    //   Property 'value' is missing in type '{ op: "add"; path: "/data/a"; }' but required in type '{ readonly op: "add" | "replace" | "test"; readonly path: JsonPointer; readonly value: unknown; }'.
    { op: 'add', path: '/data/a' },
  ],
})

// @wrong: a type of patch that does not exist
await client.patch(ConfigMap, key, {
  // @expect: Type '"apply"' is not assignable to type 'PatchType'.
  type: 'apply',
  body: {},
})

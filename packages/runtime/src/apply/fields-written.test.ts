import type { FieldsV1, KubernetesObject, ManagedFieldsEntry } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import { fieldsTaken, ownerOf } from './fields-written.ts'

const entry = (manager: string, fieldsV1: FieldsV1, operation: 'Apply' | 'Update' = 'Update') => ({
  manager,
  operation,
  apiVersion: 'apps/v1',
  fieldsV1,
})

function object(content: object, ...managedFields: ManagedFieldsEntry[]): KubernetesObject {
  const metadata = { name: 'web', namespace: 'default', managedFields }
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, ...content } as unknown as KubernetesObject
}

const container = (fields: FieldsV1) => ({
  'f:spec': { 'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:name': {}, ...fields } } },
})

describe('the fields that an apply takes', () => {
  it('are those that another manager has set otherwise', () => {
    const before = object(
      { spec: { replicas: 5, paused: true } },
      entry('ours', { 'f:spec': { 'f:paused': {} } }, 'Apply'),
      entry('kubectl', { 'f:spec': { 'f:replicas': {} } }),
    )
    const desired = { metadata: { name: 'web' }, spec: { replicas: 2, paused: true } }
    expect(fieldsTaken(before, desired, 'ours')).toEqual([
      { path: 'spec.replicas', value: 2, owner: 'kubectl' },
    ])
  })

  it('are found in elements of lists by their keys, also where the server filled in a key', () => {
    const before = object(
      { spec: { containers: [{ name: 'injected' }, { name: 'web', image: 'web:2' }] } },
      entry('ours', container({}), 'Apply'),
      entry('ci', { 'f:spec': { 'f:containers': { 'k:{"name":"web"}': { 'f:image': {} } } } }),
    )
    const desired = { spec: { containers: [{ name: 'web', image: 'web:1' }] } }
    expect(fieldsTaken(before, desired, 'ours')).toEqual([
      { path: 'spec.containers.web.image', value: 'web:1', owner: 'ci' },
    ])
    const service = object(
      { spec: { ports: [{ port: 80, protocol: 'TCP', targetPort: 81 }] } },
      entry('ours', { 'f:spec': { 'f:type': {} } }, 'Apply'),
      entry('ci', {
        'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { 'f:targetPort': {} } } },
      }),
    )
    expect(fieldsTaken(service, { spec: { ports: [{ port: 80, targetPort: 80 }] } }, 'ours')).toEqual([
      { path: 'spec.ports.80/TCP.targetPort', value: 80, owner: 'ci' },
    ])
  })

  it('are whole values where one manager owns them whole', () => {
    const before = object(
      { spec: { selector: { app: 'a' }, args: ['a'] } },
      entry('ours', { 'f:spec': { 'f:paused': {} } }, 'Apply'),
      entry('ci', { 'f:spec': { 'f:selector': {}, 'f:args': {} } }),
    )
    const desired = { spec: { selector: { app: 'b' }, args: ['b'] } }
    expect(fieldsTaken(before, desired, 'ours')).toEqual([
      { path: 'spec.selector', value: { app: 'b' }, owner: 'ci' },
      { path: 'spec.args', value: ['b'], owner: 'ci' },
    ])
  })

  it('are found in a map of which the manager holds no member any more', () => {
    const before = object(
      { data: { mode: 'theirs' } },
      entry('ours', { 'f:data': {} }, 'Apply'),
      entry('ci', { 'f:data': { 'f:mode': {} } }),
    )
    expect(fieldsTaken(before, { data: { mode: 'ours' } }, 'ours')).toEqual([
      { path: 'data.mode', value: 'ours', owner: 'ci' },
    ])
    expect(ownerOf(before, ['data', 'mode'], 'ours')).toBe('ci')
  })

  it('are those that were removed, without an owner', () => {
    const before = object({ spec: {} }, entry('ours', { 'f:spec': { 'f:paused': {} } }, 'Apply'))
    expect(fieldsTaken(before, { spec: { replicas: 2 } }, 'ours')).toEqual([
      { path: 'spec.replicas', value: 2, owner: undefined },
    ])
  })

  it.each<[string, object, ...ManagedFieldsEntry[]]>([
    [
      'that another manager has set to the same',
      { replicas: 2 },
      entry('ci', { 'f:spec': { 'f:replicas': {} } }),
    ],
    [
      'that this manager holds itself, alone or with another',
      { replicas: 5 },
      entry('ours', { 'f:spec': { 'f:replicas': {} } }, 'Apply'),
      entry('ci', { 'f:spec': { 'f:replicas': {} } }, 'Apply'),
    ],
    ['of an object that no manager has written', { replicas: 5 }],
  ])('are none %s', (_, spec, ...managed: ManagedFieldsEntry[]) => {
    expect(fieldsTaken(object({ spec }, ...managed), { spec: { replicas: 2 } }, 'ours')).toEqual([])
  })

  it('do not reach the prototype of an object', () => {
    const before = object({ data: {} }, entry('ours', { 'f:data': { 'f:a': {} } }, 'Apply'))
    const desired = JSON.parse('{"data":{"__proto__":"x","constructor":"y"}}') as object
    expect(fieldsTaken(before, desired, 'ours').map(({ path }) => path)).toEqual([
      'data.__proto__',
      'data.constructor',
    ])
  })
})

describe('the owner of a field', () => {
  const before = object(
    { spec: { replicas: 5, containers: [{ name: 'web', image: 'web:2', ports: [{ containerPort: 80 }] }] } },
    entry('ours', { 'f:spec': { 'f:paused': {} } }),
    entry('ci', container({ 'f:image': {}, 'f:ports': { 'k:{"containerPort":80}': { 'f:hostPort': {} } } })),
    entry('autoscaler', { 'f:spec': { 'f:replicas': {} } }),
  )

  it.each([
    [['spec', 'replicas'], 'autoscaler'],
    [['spec', 'containers', 'web', 'image'], 'ci'],
    [['spec', 'containers', 'web', 'ports', '0', 'hostPort'], 'ci'],
    [['spec', 'containers', 'web', 'args'], undefined],
    [['spec', 'containers'], undefined],
    [['spec', 'paused'], undefined],
  ])('at %j is %s', (path, owner) => {
    expect(ownerOf(before, path, 'ours')).toBe(owner)
  })
})

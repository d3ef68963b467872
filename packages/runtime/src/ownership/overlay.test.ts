import type { AnyKind } from '@homeostat/api'
import { Deployment, Service } from '@homeostat/api/kinds'
import { describe, expect, test } from 'vitest'
import { chosenKeysAt } from './chosen-keys.ts'
import { copyToDraft } from './draft.ts'
import { overlay } from './overlay.ts'

/** Returns the overlay of a draft after a change of it. */
function laid(before: object, mutate: (draft: any) => void, kind: AnyKind = Deployment) {
  const { draft, origins } = copyToDraft(before)
  mutate(draft)
  const { value, changes } = overlay(before, draft, {
    origins,
    mapAt: (fields) => chosenKeysAt(kind, fields),
  })
  return { value: value as any, changes }
}

describe('items of a list that have the same name', () => {
  const first = { name: 'store', mountPath: '/a', subPath: 'a', readOnly: true }
  const second = { name: 'store', mountPath: '/b' }
  const other = { name: 'tmp', mountPath: '/tmp' }
  const before = { volumeMounts: [first, second] }

  test('stay as they are where another item is added', () => {
    const { value } = laid(before, (draft) => draft.volumeMounts.push({ ...other }))
    expect(value.volumeMounts).toEqual([first, second, other])
  })

  test('stay as they are where the same list is assigned with another item', () => {
    const { value } = laid(before, (draft) => {
      draft.volumeMounts = [{ ...first }, { ...second }, { ...other }]
    })
    expect(value.volumeMounts).toEqual([first, second, other])
  })

  test('take nothing from one that was removed', () => {
    const { value } = laid(before, (draft) => {
      draft.volumeMounts = [{ ...second }]
    })
    expect(value.volumeMounts).toEqual([second])
  })

  test('take nothing from each other where one is changed in place', () => {
    const { value } = laid(before, (draft) => {
      draft.volumeMounts[1].mountPath = '/c'
    })
    expect(value.volumeMounts).toEqual([first, { ...second, mountPath: '/c' }])
  })

  test('take nothing from each other where they change places', () => {
    const { value } = laid(before, (draft) => draft.volumeMounts.reverse())
    expect(value.volumeMounts).toEqual([second, first])
  })

  test('keep what a server filled in, each for itself', () => {
    const [a, b] = [1, 2].map((port) => ({ name: 'store', size: port, filled: `by the server for ${port}` }))
    const { value, changes } = laid({ items: [a, b] }, (draft) => {
      draft.items = [
        { name: 'store', size: 1 },
        { name: 'store', size: 2 },
      ]
    })
    expect(value.items).toEqual([a, b])
    expect(changes).toEqual([])
  })
})

describe('the name of an item does not make it a map', () => {
  test.each(['data', 'selector', 'limits', 'labels', 'strategy', 'volumes'])('container %s', (name) => {
    const containers = [{ name, image: 'i', imagePullPolicy: 'Always', resources: {} }]
    const before = { spec: { template: { spec: { containers } } } }
    const { value, changes } = laid(before, (draft) => {
      draft.spec.template.spec.containers = [{ name, image: 'i' }]
    })
    expect(changes).toEqual([])
    expect(value).toEqual(before)
  })

  test.each(['data', 'parameters'])('port %s of a Service', (name) => {
    const ports = [{ name, port: 80, protocol: 'TCP', targetPort: 80, nodePort: 30001 }]
    const { changes } = laid(
      { spec: { ports } },
      (draft) => {
        draft.spec.ports = [{ name, port: 80 }]
      },
      Service,
    )
    expect(changes).toEqual([])
  })

  test('but stands in the paths of what changed', () => {
    const { changes } = laid({ spec: { containers: [{ name: 'data', image: 'i' }] } }, (draft) => {
      draft.spec.containers = [{ name: 'data', image: 'j' }]
    })
    expect(changes).toEqual(['spec.containers.data.image'])
  })
})

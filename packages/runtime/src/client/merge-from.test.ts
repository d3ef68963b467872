import { describe, expect, it } from 'vitest'
import { configMap } from '../../test/scripted-api.ts'
import { mergeFrom } from './merge-from.ts'

describe('mergeFrom', () => {
  const before = configMap('a', '5', { data: { x: '1', y: '2' } })

  it('contains only the differences', () => {
    expect(mergeFrom(before, { ...before, data: { x: '1', z: '3' } })).toEqual({
      type: 'merge',
      body: { data: { y: null, z: '3' } },
    })
  })

  it('names the resourceVersion with optimisticLock', () => {
    expect(mergeFrom(before, { ...before, data: { x: '1', y: '3' } }, { optimisticLock: true })).toEqual({
      type: 'merge',
      body: { data: { y: '3' }, metadata: { resourceVersion: '5' } },
    })
  })
})

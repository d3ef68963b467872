import { expect, it } from 'vitest'
import { clusterNodes } from './cluster-nodes.ts'

it('there is one node unless more are wanted', () => {
  expect(clusterNodes()).toEqual([{ name: 'homeostat' }])
  expect(clusterNodes(2)).toEqual([{ name: 'homeostat-1' }, { name: 'homeostat-2' }])
  expect(clusterNodes(['a', { name: 'b', labels: { disk: 'ssd' } }])).toEqual([
    { name: 'a' },
    { name: 'b', labels: { disk: 'ssd' } },
  ])
})

it.each([
  [0, '0 is not a number of nodes'],
  [1.5, '1.5 is not a number of nodes'],
  [33, '33 nodes are too many'],
  [[], 'a cluster needs at least one node'],
  [['a', 'a'], 'the node a is listed twice'],
  [['../a'], '"../a" is not a valid name for a node'],
])('%j is refused', (nodes, message) => {
  expect(() => clusterNodes(nodes)).toThrow(message)
})

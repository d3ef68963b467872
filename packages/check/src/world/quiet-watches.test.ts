import { controller, operator, sample } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import type { Step, Story } from '../stories/index.ts'
import { checkedOperator } from './checked-operator.ts'
import { World } from './world.ts'

const ten: Story = Array.from({ length: 10 }, (): Step => ({ step: 'rest' }))

test('no watch is opened again in a world that has rested for hours, where a planned fault would hit it', async () => {
  const idle = controller('idle')
    .for(ConfigMap)
    .reconcile(() => {})
  const samples = [sample(ConfigMap, { metadata: { name: 'one', namespace: 'default' } })]
  const checked = await checkedOperator(operator('idle', { controllers: [idle], samples }))
  await using world = await World.open(checked)
  const { requests } = await world.play(ten)
  expect(requests).toEqual([])
})

import { expect, test } from 'vitest'
import { ourStage } from '../workloads/stage.ts'
import { checkPolicies } from './checked-policies.ts'
import recorded from './recorded/warnings.json' with { type: 'json' }

test('our controllers warn about types as those of Kubernetes do', async () => {
  await using stage = await ourStage()
  const checked = await checkPolicies(stage.send, async (what, holds) => {
    await stage.pass(1_000)
    expect(await holds(), what).toBe(true)
  })
  expect(checked).toEqual(recorded)
})

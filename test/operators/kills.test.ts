import { killAtEachCall, type OperatorTest } from '@homeostat/cluster/testing'
import { HomeostatError, type AnyKind } from '@homeostat/api'
import { expect, it } from 'vitest'
import { KINDS, operators } from './operators.ts'
import { reach, remove, type Stage } from './stage.ts'

it.each(operators.map((operator) => [operator.name, operator] as const))(
  '%s ends in the same state, whichever of its API calls it is killed at',
  { timeout: 300_000 },
  async (_, operator) => {
    const options = { kinds: [operator.kind], controllers: [operator.controller] }
    const kinds = KINDS.filter((kind) => kind.schema === undefined || kind === operator.kind)
    const { calls, kills, state } = await killAtEachCall(options, async (test) => {
      const stage = stageOf(test)
      const key = await operator.create(stage)
      await reach(stage, operator, key)
      const alive = await stateOf(test, kinds)
      await remove(stage, operator, key)
      return { alive, gone: await stateOf(test, kinds) }
    })
    expect(state.alive.length).toBeGreaterThan(state.gone.length)
    expect(kills).toBe(2 * calls)
  },
)

function stageOf(test: OperatorTest): Stage {
  return {
    client: test.client,
    clock: test.clock,
    namespace: 'default',
    controllers: false,
    async until(what, check) {
      for (let tries = 0; tries < 240; tries++) {
        await test.settle()
        const found = await check()
        if (found !== undefined && found !== false) {
          await test.settle()
          return found
        }
        await test.advance('500ms')
      }
      throw new HomeostatError('TEST_TIMEOUT', `${what} did not happen in two simulated minutes`)
    },
  }
}

/** The fields that may differ from one run to the next: times, counts of writes, and random values. */
const INCIDENTAL =
  /^(?:uid|resourceVersion|generation|(?:creation|deletion)Timestamp|time|lastTransitionTime|clusterIPs?|nodePort|password)$/
/** The owner's uid stands in the paths of managed fields, too. */
const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** All objects as they are, with their managed fields, but for what is incidental. */
async function stateOf(test: OperatorTest, kinds: readonly AnyKind[]): Promise<readonly unknown[]> {
  const lists = await Promise.all(kinds.map((kind) => test.client.list(kind)))
  return lists.flat().map((object) => {
    const text = JSON.stringify(object).replace(UID, '…')
    return JSON.parse(text, (key, value: unknown) => (INCIDENTAL.test(key) ? '…' : value)) as unknown
  })
}

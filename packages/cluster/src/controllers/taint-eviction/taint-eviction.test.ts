import { findCondition, type CreateOf } from '@homeostat/api'
import { Node, Pod, type CoreV1 } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ControllerBench } from '../../../test/controller-bench.ts'
import { taintEviction } from './taint-eviction.ts'

const namespace = 'default'
let bench: ControllerBench

beforeEach(async () => {
  bench = await ControllerBench.start(() => [taintEviction()])
  await bench.client.create(Node, { metadata: { name: 'n' } })
})
afterEach(() => bench[Symbol.asyncDispose]())

async function pod(name: string, ...tolerations: CoreV1.Toleration[]): Promise<void> {
  const wanted: CreateOf<typeof Pod> = {
    metadata: { namespace, name },
    spec: { nodeName: 'n', tolerations, containers: [{ name: 'c', image: 'pause' }] },
  }
  await bench.client.create(Pod, wanted)
  await bench.settle()
}
async function taint(...taints: CoreV1.Taint[]): Promise<void> {
  const node = await bench.client.getOrThrow(Node, { name: 'n' })
  await bench.client.update(Node, { ...node, spec: { ...node.spec, taints } })
  await bench.settle()
}
const isDeleted = async (name: string): Promise<boolean> => {
  const found = await bench.client.get(Pod, { namespace, name })
  return !found || found.metadata.deletionTimestamp !== undefined
}
const forSeconds = (tolerationSeconds?: number): CoreV1.Toleration => ({
  key: 'k',
  operator: 'Exists',
  effect: 'NoExecute',
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
})
const NO_EXECUTE: CoreV1.Taint = { key: 'k', effect: 'NoExecute' }

describe('a NoExecute taint', () => {
  it('evicts Pods that do not tolerate it, at once or when they no longer do', async () => {
    await pod('at-once')
    await pod('later', forSeconds(60))
    await pod('never', forSeconds())
    await taint(NO_EXECUTE)
    expect(await isDeleted('at-once')).toBe(true)
    expect(await bench.events('at-once')).toEqual([
      'TaintManagerEviction: Marking for deletion Pod default/at-once',
    ])
    await bench.advance('59s')
    expect(await isDeleted('later')).toBe(false)
    await bench.advance('1s')
    expect(await isDeleted('later')).toBe(true)
    await bench.advance('24h')
    expect(await isDeleted('never')).toBe(false)
  })

  it('is recorded in the Pod before its deletion', async () => {
    await pod('told')
    await taint(NO_EXECUTE)
    const { status } = await bench.client.getOrThrow(Pod, { namespace, name: 'told' })
    expect(findCondition(status.conditions, 'DisruptionTarget')).toMatchObject({
      status: 'True',
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
    })
  })

  it('that is removed in time evicts nothing', async () => {
    await pod('stays', forSeconds(60))
    await taint(NO_EXECUTE)
    await bench.advance('30s')
    await taint()
    await bench.advance('5m')
    expect(await isDeleted('stays')).toBe(false)
    expect(await bench.events('stays')).toEqual([
      'TaintManagerEviction: Cancelling deletion of Pod default/stays',
    ])
  })

  it('evicts a Pod that comes later', async () => {
    await taint(NO_EXECUTE)
    await pod('late')
    expect(await isDeleted('late')).toBe(true)
  })

  it('is the only effect that evicts', async () => {
    await pod('stays')
    await taint({ key: 'k', effect: 'NoSchedule' })
    expect(await isDeleted('stays')).toBe(false)
  })
})

import { SimulatedClock, type KubernetesObject } from '@homeostat/api'
import { ConfigMap } from '@homeostat/api/kinds'
import { describe, expect, test } from 'vitest'
import { ContestedFields } from './contested-fields.ts'

const key = { namespace: 'default', name: 'x' }
const before = { apiVersion: 'v1', kind: 'ConfigMap', metadata: key } as unknown as KubernetesObject

function setUp() {
  const clock = new SimulatedClock()
  const contested = new ContestedFields(clock)
  const set = (value: unknown, owner?: string, path = 'data.mode') =>
    contested.written({ kind: ConfigMap, key, before, manager: 'ours', fields: [{ path, value, owner }] })
  /** Sets the field this often, with this time between, and returns how many reports are due. */
  const reports = async (times: number, every: string, write: (time: number) => ReturnType<typeof set>) => {
    let due = 0
    for (let time = 0; time < times; time++) {
      due += write(time).filter((contest) => contest.due).length
      await clock.advance(every as '1s')
    }
    return due
  }
  return { clock, contested, set, reports }
}

describe('a field that another manager takes', () => {
  test('is contested when it was taken back for the fourth time', () => {
    const { set } = setUp()
    for (let time = 0; time < 3; time++) expect(set('a', 'theirs')).toEqual([])
    expect(set('a', 'theirs')).toEqual([
      { manager: 'theirs', fields: ['data.mode'], times: 4, delay: 1000, due: true },
    ])
    expect(set('a', 'theirs')).toEqual([
      { manager: 'theirs', fields: ['data.mode'], times: 5, delay: 2000, due: false },
    ])
  })

  test('is contested whatever values are taken back, and however slowly an autoscaler works', async () => {
    const { reports, set } = setUp()
    expect(await reports(20, '15s', (time) => set(time, 'autoscaler'))).toBe(1)
  })

  test('is reported every five minutes while it lasts', async () => {
    const { reports, set } = setUp()
    expect(await reports(60, '1m', () => set('a', 'theirs'))).toBe(12)
  })

  test('is not contested where single edits are half an hour apart, or come from four managers', async () => {
    const { reports, set } = setUp()
    expect(await reports(20, '30m', () => set('a', 'kubectl'))).toBe(0)
    expect(await reports(6, '1s', (time) => set('b', ['kubectl-edit', 'argo'][time % 2]))).toBe(0)
  })

  test('is one contest together with the others that the same manager takes', () => {
    const { contested } = setUp()
    const fields = [
      { path: 'data.a', value: '1', owner: 'theirs' },
      { path: 'data.b', value: '1', owner: 'theirs' },
    ]
    const write = { kind: ConfigMap, key, before, manager: 'ours', fields }
    for (let time = 0; time < 3; time++) contested.written(write)
    expect(contested.written(write)).toMatchObject([{ manager: 'theirs', fields: ['data.a', 'data.b'] }])
  })
})

describe('a field that an unknown writer changes back', () => {
  test('is contested when it was set to the same value five times more within a minute', () => {
    const { set } = setUp()
    for (let time = 0; time < 5; time++) expect(set('ours')).toEqual([])
    expect(set('ours')).toEqual([
      { manager: undefined, fields: ['data.mode'], times: 5, delay: 1000, due: true },
    ])
  })

  test('stays so when the controller has become slower', async () => {
    const { reports, set } = setUp()
    await reports(6, '1s', () => set('ours'))
    expect(set('ours')).toHaveLength(1)
    expect(await reports(12, '1m', () => set('ours'))).toBe(2)
  })

  test('is contested where the controller itself alternates between two values', async () => {
    const { reports, set } = setUp()
    expect(await reports(8, '1s', (time) => set(time % 2))).toBe(1)
  })

  test('is not contested where it goes on to new values, however fast', async () => {
    const { reports, set } = setUp()
    expect(await reports(100, '1ms', (time) => set(time))).toBe(0)
  })

  test('is not contested where it is set to the same value now and then', async () => {
    const { reports, set } = setUp()
    expect(await reports(20, '20s', () => set('ours'))).toBe(0)
  })
})

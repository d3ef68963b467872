import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ServerObject } from '../../registry/resource/server-object.ts'
import { convertAutoscaler, normalizeAutoscaler } from './autoscaler-conversion.ts'

/** Autoscalers as a real API server shows them in both versions. */
const golden = JSON.parse(
  readFileSync(new URL('recorded/versions/autoscaler-versions.json', import.meta.url), 'utf8'),
) as Record<'v1' | 'v2' | 'plainV1' | 'plainV2', ServerObject>

const V1 = { group: 'autoscaling', version: 'v1' }
const V2 = { group: 'autoscaling', version: 'v2' }

test.for(['', 'plain'] as const)('%s an autoscaler is the same in both versions', (which) => {
  const [v1, v2] = which === '' ? [golden.v1, golden.v2] : [golden.plainV1, golden.plainV2]
  expect(convertAutoscaler(v2, V1)).toEqual(v1)
  const back = convertAutoscaler(v1, V2)
  // v1 has the CPU in a field of its own, and thus keeps only the order of the other metrics.
  const metrics = (object: any): unknown[] => [...object.spec.metrics].sort(byType)
  expect({ ...back, spec: undefined }).toEqual({ ...v2, spec: undefined })
  expect(metrics(back)).toEqual(metrics(v2))
  expect((back as any).spec.behavior).toEqual((v2 as any).spec.behavior)
})

test('an autoscaler without metrics has a target of 80 % of the CPU', () => {
  const { targetCPUUtilizationPercentage: _, ...spec } = (golden.plainV1 as any).spec
  const object = { ...golden.plainV1, spec }
  normalizeAutoscaler(object)
  expect(object).toEqual(golden.plainV1)
})

test('an annotation that cannot be read is ignored', () => {
  const metadata = {
    ...golden.plainV1.metadata,
    annotations: { 'autoscaling.alpha.kubernetes.io/metrics': '{' },
  }
  expect(convertAutoscaler({ ...golden.plainV1, metadata }, V2)).toEqual(golden.plainV2)
})

function byType(a: any, b: any): number {
  return a.type < b.type ? -1 : 1
}

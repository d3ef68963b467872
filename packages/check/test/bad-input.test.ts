import {
  controller,
  controllerReference,
  defineKind,
  operator,
  sample,
  schema as s,
  type SampleObject,
} from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { check } from '../src/index.ts'
import { Widget } from './widget.ts'

const metadata = { name: 'w', namespace: 'default' }
const idle = controller('widgets')
  .for(Widget)
  .reconcile(async () => {})

function operatorWith(...samples: SampleObject[]) {
  return operator('widgets', { controllers: [idle], samples })
}

test('an operator without samples is told to give one of its own kinds', async () => {
  await expect(check(operatorWith())).rejects.toMatchObject({
    code: 'CHECK_NO_SAMPLES',
    message:
      'the operator widgets has no sample of Widget: give operator() at least one, as samples: [sample(Kind, object)]',
  })
})

test('a sample without a name is refused with its kind', async () => {
  const nameless = sample(Widget, { metadata: { generateName: 'w-' }, spec: { color: 'red' } } as never)
  await expect(check(operatorWith(nameless))).rejects.toMatchObject({
    code: 'CHECK_SAMPLE_INVALID',
    message: 'a sample of Widget has no metadata.name: give it one',
  })
})

test('RU4: a sample that the schema refuses is reported with the answer of the server', async () => {
  const { findings, runs } = await check(
    operatorWith(sample(Widget, { metadata, spec: { color: 'red', size: 0 } })),
  )
  expect(runs).toBe(1)
  expect(findings).toMatchObject([
    {
      class: 'check-failed',
      summary: expect.stringMatching(
        /^the server refuses the sample Widget default\/w: .*spec\.size: Invalid value: 0: .*greater than or equal to 1/,
      ),
    },
  ])
})

test('an operator whose kind has no schema for its spec is checked as it is', async () => {
  const Empty = defineKind({ group: 'check.example.com', version: 'v1', kind: 'Empty', spec: s.object({}) })
  const empties = controller('empties')
    .for(Empty)
    .reconcile(async () => {})
  const samples = [sample(Empty, { metadata, spec: {} })]
  const { findings } = await check(operator('empties', { controllers: [empties], samples }))
  expect(findings).toEqual([])
})

test('an operator whose Pods need an image that is nowhere is checked with simulated Pods', async () => {
  const labels = { app: 'w' }
  const waiting = controller('waiting')
    .for(Widget)
    .owns(Deployment)
    .writes(Deployment, 'apply')
    .writes(Widget, 'status.apply')
    .reconcile(async (request, { client }) => {
      const widget = await client.get(Widget, request)
      if (!widget || widget.metadata.deletionTimestamp) return
      const containers = [{ name: 'c', image: `registry.example.com/nowhere/${widget.spec.color}:1` }]
      const { status } = await client.apply(Deployment, {
        metadata: { ...request, ownerReferences: [controllerReference(widget)] },
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
      })
      const phase = status?.readyReplicas ? 'Ready' : 'Waiting'
      await client.status.apply(Widget, request, { phase })
    })
  const samples = [sample(Widget, { metadata, spec: { color: 'red', size: 1 } })]
  const report = await check(operator('waiting', { controllers: [waiting], samples }))
  expect(report.findings).toEqual([])
  expect(report.runs).toBeGreaterThan(100)
})

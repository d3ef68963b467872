import { expect, test } from 'vitest'
import { historyTrials, type Subject } from './index.ts'

const sample = { apiVersion: 'x.example/v1', kind: 'X', metadata: { name: 'x' }, spec: { value: 0 } }
const mutations = Array.from({ length: 9 }, (_, index) => ({ ...sample, spec: { value: index + 1 } }))

test('HIS-1: each change of the spec is also made while the operator is down', () => {
  const trials = [...historyTrials({ sample, needs: [], mutations } as unknown as Subject)]
  const whileDown = trials.filter((trial) => trial.class === 'downtime').map(({ story }) => story)
  const changed = whileDown.map((story) => story.find((step) => step.step === 'change'))
  expect(changed).toEqual(mutations.map((object) => ({ step: 'change', object })))
  expect(whileDown[0]?.map(({ step }) => step)).toEqual(['create', 'rest', 'stop', 'change', 'start', 'rest'])
})

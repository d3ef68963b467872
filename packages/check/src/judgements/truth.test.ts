import { describe, expect, test } from 'vitest'
import type { Outcome } from '../world/index.ts'
import type { Trial } from './trial.ts'
import { judgeReadiness } from './truth.ts'

const object = { apiVersion: 'x.example/v1', kind: 'App', namespace: 'default', name: 'shop' }
const expects = { type: 'not ready', object } as const
const trial: Trial = { class: 'status-untrue', story: [], reference: [], expects }

function outcomeOf(observedGeneration: number, readyReplicas: number): Outcome {
  const app = {
    kind: 'App',
    metadata: { namespace: 'default', name: 'shop', generation: 2 },
    status: { observedGeneration, conditions: [{ type: 'Ready', status: 'True' }] },
  }
  const deployment = {
    kind: 'Deployment',
    metadata: { namespace: 'default', name: 'shop', generation: 2 },
    spec: { replicas: 2 },
    status: { observedGeneration: 2, updatedReplicas: 2, readyReplicas },
  }
  return { objects: [app, deployment] } as unknown as Outcome
}

describe('readiness', () => {
  test('J25: said while Pods are not ready is untrue', () => {
    expect(judgeReadiness(trial, outcomeOf(2, 1), expects)?.summary).toBe(
      'the App default/shop has the condition Ready although the Pods of the Deployment default/shop are not ready',
    )
  })

  test('J25: said while all Pods are ready is true', () => {
    expect(judgeReadiness(trial, outcomeOf(2, 2), expects)).toBeUndefined()
  })

  test('J25: of an earlier generation says nothing about the present one', () => {
    expect(judgeReadiness(trial, outcomeOf(1, 1), { ...expects, ifCurrent: true })).toBeUndefined()
    expect(judgeReadiness(trial, outcomeOf(2, 1), { ...expects, ifCurrent: true })).toBeDefined()
  })
})

import type { ApiHandler } from '@homeostat/api'
import { callJson } from '@homeostat/apiserver/testing'
import { expect } from 'vitest'
import { definition, policies, type TypedPolicy } from './policies.ts'

const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** The warnings in the status of each policy, by its title. */
export type CheckedPolicies = Record<string, unknown>

/** Creates all policies, waits until a controller has checked them, and removes them. */
export async function checkPolicies(
  send: ApiHandler,
  until: (what: string, holds: () => Promise<boolean>) => Promise<void>,
): Promise<CheckedPolicies> {
  const run = crypto.randomUUID().slice(0, 8)
  const name = (policy: TypedPolicy): string => `types-${run}-${policies.indexOf(policy)}`
  const read = async (path: string): Promise<any> => (await callJson(send, 'GET', path)).body
  expect((await callJson(send, 'POST', DEFINITIONS, { body: definition })).code).toBe(201)
  try {
    await until('the definition is served', async () => {
      const answer = await callJson(send, 'GET', `/openapi/v3/apis/${definition.spec.group}/v1`)
      return answer.code === 200 && JSON.stringify(answer.body).includes('Widget')
    })
    for (const policy of policies) {
      const body = {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: name(policy) },
        spec: policy.spec,
      }
      expect(await callJson(send, 'POST', POLICIES, { body }), policy.title).toMatchObject({ code: 201 })
    }
    const checked: CheckedPolicies = {}
    for (const policy of policies) {
      await until(`"${policy.title}" is checked`, async () => {
        const { status } = await read(`${POLICIES}/${name(policy)}`)
        if (status?.observedGeneration !== 1) return false
        checked[policy.title] = withoutNumbers(status)
        return true
      })
    }
    return checked
  } finally {
    for (const policy of policies) await callJson(send, 'DELETE', `${POLICIES}/${name(policy)}`)
    await callJson(send, 'DELETE', `${DEFINITIONS}/${definition.metadata.name}`)
  }
}

/** Kubernetes tells the types of two checks apart by the nanosecond: `Deployment734509921.spec`. */
function withoutNumbers(status: unknown): unknown {
  return JSON.parse(JSON.stringify(status).replaceAll(/\b([A-Z][A-Za-z]+)\d{2,}/g, '$1'))
}

import type { FuzzCase } from '../fuzz-case.ts'
import { create, found } from './found-case.ts'

/** Admission policies with empty texts where one of a few is needed. */
export function policies(): FuzzCase[] {
  const group = '/apis/admissionregistration.k8s.io/v1'
  const matchConstraints = {
    resourceRules: [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
    ],
  }
  const validating = { validations: [{ expression: 'true' }] }
  const mutation = {
    patchType: 'JSONPatch',
    jsonPatch: { expression: '[JSONPatch{op: "test", path: "/a", value: 1}]' },
  }
  const mutating = { reinvocationPolicy: 'Never', mutations: [mutation] }
  const kinds = { Validating: validating, Mutating: mutating }
  return Object.entries(kinds).flatMap(([name, rules]) => [
    found(
      `admissionregistration.k8s.io/v1 ${name}AdmissionPolicy`,
      'empty texts',
      ...[
        { failurePolicy: '' },
        { failurePolicy: 'Other' },
        { matchConstraints: { ...matchConstraints, matchPolicy: '' } },
        { reinvocationPolicy: '' },
        { mutations: [{ ...mutation, patchType: '' }] },
      ].map((wrong) =>
        create(`${group}/${name.toLowerCase()}admissionpolicies`, {
          metadata: { name: 'empty-texts' },
          spec: { matchConstraints, ...rules, ...wrong },
        }),
      ),
      create(`${group}/${name.toLowerCase()}admissionpolicies`, { metadata: { name: 'empty-texts' } }),
      create(`${group}/${name.toLowerCase()}admissionpolicies`, {
        metadata: { name: 'empty-texts' },
        spec: {},
      }),
    ),
    found(
      `admissionregistration.k8s.io/v1 ${name}AdmissionPolicyBinding`,
      'empty texts',
      ...[
        { policyName: '' },
        { matchResources: { matchPolicy: '' } },
        { paramRef: { name: 'p', parameterNotFoundAction: '' } },
        { validationActions: [''] },
      ].map((wrong) =>
        create(`${group}/${name.toLowerCase()}admissionpolicybindings`, {
          metadata: { name: 'empty-texts' },
          spec: { policyName: 'p', ...(name === 'Validating' && { validationActions: ['Deny'] }), ...wrong },
        }),
      ),
    ),
  ])
}

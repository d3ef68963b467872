import type { FuzzCase } from '../fuzz-case.ts'
import { APPLY, create, DEFINITIONS, found, labels, STRATEGIC } from './found-case.ts'

/** Objects that configure the server. */
export function configuration(): FuzzCase[] {
  return [...definitionsAndRoles(), ...configurationWrites(), webhookUrls(), kindsOfParameters()]
}

/** Versions of the parameters of a policy that are none. */
function kindsOfParameters(): FuzzCase {
  const versions = [
    '',
    '/',
    'a/',
    '/v1',
    'A/v1',
    'a/b/c',
    'V',
    '1',
    `${'a'.repeat(63)}.b`,
    `${'a'.repeat(254)}./V`,
  ]
  return found(
    'admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy',
    'versions of parameters that are none',
    ...versions.map((apiVersion) =>
      create('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies', {
        metadata: { name: 'versions' },
        spec: { paramKind: { apiVersion, kind: 'A' }, validations: [{ expression: 'true' }] },
      }),
    ),
  )
}

/** URLs of webhooks that are none, or have parts that they cannot have. */
function webhookUrls(): FuzzCase {
  const urls = [
    '',
    '%',
    '100%',
    'https://',
    'https://a%',
    'https://a b/',
    'https://a/%zz?x#y',
    'https://[::1',
    'https://[::1]:x',
    'https://a:x/',
    'https://u:p@h/?a=b#c',
    'https://h#%zz',
    'HTTPS://h',
    '2001:db8::/64',
    'fe80::1',
    ':a',
    '\n',
  ]
  return found(
    'admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration',
    'URLs that are none',
    ...urls.map((url) =>
      create('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
        metadata: { name: 'urls' },
        webhooks: [
          { name: 'a.b.c', sideEffects: 'None', admissionReviewVersions: ['v1'], clientConfig: { url } },
        ],
      }),
    ),
  )
}

function definitionsAndRoles(): FuzzCase[] {
  const mixed = { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true }
  const properties = { a: mixed, b: { ...mixed, 'x-kubernetes-embedded-resource': true } }
  const schema = { openAPIV3Schema: { type: 'object', properties } }
  const either = { 'x-kubernetes-int-or-string': true }
  const defaulted = [
    ...[false, 1, 'a', {}, [], 1.5].map((value) => ({ ...either, default: value })),
    { ...either, anyOf: [{ type: 'integer' }, { type: 'string' }], default: false },
    { ...either, pattern: '^a', default: 'b' },
    { ...either, minimum: 2, default: 1 },
    { type: 'object', properties: { a: either }, default: { a: true } },
    { type: 'array', items: either, default: [true] },
    { type: 'object', additionalProperties: either, default: { a: true } },
    { type: 'object', properties: { a: either }, default: { a: 1 } },
  ]
  return [
    found(
      'apiextensions.k8s.io/v1 CustomResourceDefinition',
      'defaults of a number or a text',
      ...defaulted.map((value) =>
        create(DEFINITIONS, {
          metadata: { name: 'defaulted.fuzz.example.com' },
          spec: {
            group: 'fuzz.example.com',
            names: { plural: 'defaulted', kind: 'Defaulted' },
            scope: 'Namespaced',
            versions: [
              {
                name: 'v1',
                served: true,
                storage: true,
                schema: { openAPIV3Schema: { type: 'object', properties: { value } } },
              },
            ],
          },
        }),
      ),
    ),
    found(
      'apiextensions.k8s.io/v1 CustomResourceDefinition',
      'a number or a text with unknown fields',
      create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        metadata: { name: 'mixed.fuzz.example.com' },
        spec: {
          group: 'fuzz.example.com',
          names: { plural: 'mixed', kind: 'Mixed' },
          scope: 'Namespaced',
          versions: [{ name: 'v1', served: true, storage: true, schema }],
        },
      }),
    ),
    found('rbac.authorization.k8s.io/v1 Role', 'managed fields that are null in an apply', {
      method: 'PATCH',
      path: '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles/r?fieldManager=m&dryRun=All',
      type: APPLY,
      body: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'r', managedFields: null },
      },
    }),
  ]
}

/** Writes of definitions, hooks, policies and roles. */
function configurationWrites(): FuzzCase[] {
  const levels = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations'
  const level = {
    metadata: { name: 'found' },
    spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
  }
  return [
    found(
      'flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration',
      'a status with a condition that has no type',
      { method: 'POST', path: levels, body: level },
      {
        method: 'PUT',
        path: `${levels}/found/status?dryRun=All`,
        body: { ...level, status: { conditions: [{ status: 'True' }, { type: 'a' }, { type: 'a' }] } },
      },
    ),
    found(
      'admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration',
      'a path that begins with a character of several bytes',
      create('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
        metadata: { name: 'w' },
        webhooks: [
          {
            name: 'a.example.com',
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
            clientConfig: { service: { name: 's', namespace: 'n', path: 'é' } },
          },
        ],
      }),
    ),
    found(
      'flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration',
      'metadata in a write of the status',
      { method: 'POST', path: levels, body: { ...level, metadata: { name: 'kept' } } },
      {
        method: 'PUT',
        path: `${levels}/kept/status?dryRun=All`,
        body: { ...level, metadata: { name: 'kept', labels, ownerReferences: [{}] } },
      },
    ),
    found(
      'apiextensions.k8s.io/v1 CustomResourceDefinition',
      'a schema that names its own schema',
      create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        metadata: { name: 'things.found.example.com' },
        spec: {
          group: 'found.example.com',
          names: { plural: 'things', kind: 'Thing' },
          scope: 'Namespaced',
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', properties: { spec: { $schema: 'a' } } } },
            },
          ],
        },
      }),
    ),
    found(
      'rbac.authorization.k8s.io/v1 ClusterRole',
      'an unknown field whose name is a line break, in a strict strategic merge patch',
      {
        method: 'PATCH',
        path: '/apis/rbac.authorization.k8s.io/v1/clusterroles/edit?dryRun=All&fieldValidation=Strict',
        type: STRATEGIC,
        body: { aggregationRule: { '\n': [] } },
      },
    ),
    ...['Strict', 'Warn', 'Ignore'].map((validation) =>
      found(
        'apiextensions.k8s.io/v1 CustomResourceDefinition',
        `a status subresource with a field, fieldValidation=${validation}`,
        create(
          '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
          {
            metadata: { name: 'things.found.example.com' },
            spec: {
              group: 'found.example.com',
              names: { plural: 'things', kind: 'Thing' },
              scope: 'Namespaced',
              versions: [
                {
                  name: 'v1',
                  served: true,
                  storage: true,
                  subresources: { status: { a: { b: 1 } } },
                  schema: { openAPIV3Schema: { type: 'object' } },
                },
              ],
            },
          },
          `dryRun=All&fieldValidation=${validation}`,
        ),
      ),
    ),
  ]
}

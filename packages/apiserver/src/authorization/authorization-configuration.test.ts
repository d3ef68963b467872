import { expect, test } from 'vitest'
import { readConfiguration } from './authorization-configuration.ts'

const CONFIGURATION = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration' }
const WEBHOOK = {
  timeout: '3s',
  subjectAccessReviewVersion: 'v1',
  failurePolicy: 'Deny',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/w/kubeconfig' },
}

const read = (...authorizers: readonly object[]) => readConfiguration({ ...CONFIGURATION, authorizers })
const webhook = (change: object) => ({ type: 'Webhook', name: 'w', webhook: { ...WEBHOOK, ...change } })

test('a webhook has the defaults of kube-apiserver', () => {
  expect(read(webhook({}), { type: 'RBAC', name: 'rbac' })).toEqual([
    {
      type: 'Webhook',
      name: 'w',
      kubeconfig: '/w/kubeconfig',
      timeout: 3_000,
      version: 'v1',
      authorizedLifetime: 300_000,
      unauthorizedLifetime: 30_000,
      deniesOnFailure: true,
      conditions: [],
    },
    { type: 'RBAC', name: 'rbac' },
  ])
})

test('answers are kept as long as the webhook says', () => {
  expect(read(webhook({ authorizedTTL: '10s', cacheUnauthorizedRequests: false }))).toMatchObject([
    { authorizedLifetime: 10_000, unauthorizedLifetime: 0 },
  ])
})

test.each([
  [[], 'authorizers: Required value: at least one authorization mode must be defined'],
  [[{ name: 'a' }], 'authorizers[0].type: Required value'],
  [[{ type: 'Magic', name: 'a' }], 'authorizers[0].type: Unsupported value: "Magic"'],
  [[{ type: 'Node', name: 'a' }], 'authorizers[0].type: Invalid value: "Node": this server has no such'],
  [[{ type: 'RBAC' }], 'authorizers[0].name: Required value'],
  [[{ type: 'RBAC', name: 'A' }], 'authorizers[0].name: Invalid value: "A": authorizer name is invalid'],
  [
    [
      { type: 'RBAC', name: 'a' },
      { type: 'RBAC', name: 'b' },
    ],
    'authorizers[1].type: Duplicate value: "RBAC"',
  ],
  [[webhook({}), webhook({})], 'authorizers[1].name: Duplicate value: "w"'],
  [[{ type: 'Webhook', name: 'w' }], 'authorizers[0].webhook: Required value: required when type=Webhook'],
  [[{ type: 'RBAC', name: 'r' }], 'expected name rbac for authorizer RBAC instead of r'],
  [
    [
      { type: 'RBAC', name: 'r' },
      { type: 'AlwaysDeny', name: 'd' },
    ],
    '[expected name rbac for authorizer RBAC instead of r, expected name alwaysdeny for authorizer AlwaysDeny instead of d]',
  ],
  [[{ type: 'RBAC', name: 'r', webhook: {} }], 'may only be specified when type=Webhook'],
  [[webhook({ timeout: undefined })], 'authorizers[0].timeout: Required value'],
  [[webhook({ timeout: '31s' })], 'authorizers[0].timeout: Invalid value: "31s": must be > 0s and <= 30s'],
  [[webhook({ timeout: 'soon' })], 'authorizers[0].webhook.timeout: soon is not a duration: write 10s'],
  [[webhook({ authorizedTTL: '-1s' })], 'authorizers[0].authorizedTTL: Invalid value: "-1s": must be > 0s'],
  [[webhook({ subjectAccessReviewVersion: 'v2' })], 'subjectAccessReviewVersion: Unsupported value: "v2"'],
  [[webhook({ failurePolicy: undefined })], 'authorizers[0].failurePolicy: Required value'],
  [[webhook({ failurePolicy: 'Allow' })], 'failurePolicy: Unsupported value: "Allow"'],
  [[webhook({ connectionInfo: {} })], 'authorizers[0].connectionInfo.type: Required value'],
  [[webhook({ connectionInfo: { type: 'InClusterConfig' } })], 'use a KubeConfigFile'],
  [
    [webhook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'x' } })],
    'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "x": must be an absolute path',
  ],
  [
    [webhook({ matchConditions: [{ expression: 'true' }] })],
    'authorizers[0].matchConditionSubjectAccessReviewVersion: Required value: required if match conditions are specified',
  ],
  [
    [webhook({ matchConditionSubjectAccessReviewVersion: 'v1', matchConditions: [{ expression: "'a'" }] })],
    'authorizers[0].matchConditions[0].expression: Invalid value: "\'a\'": must evaluate to bool but got string',
  ],
  [
    [
      webhook({
        matchConditionSubjectAccessReviewVersion: 'v1',
        matchConditions: [{ expression: 'request.x' }],
      }),
    ],
    "undefined field 'x'",
  ],
  [[webhook({ other: 1 })], 'strict decoding error: unknown field "authorizers[0].webhook.other"'],
])('%j is refused', (authorizers, message) => {
  expect(() => read(...authorizers)).toThrow(message)
  expect(() => read(...authorizers)).toThrow(
    expect.objectContaining({ code: 'AUTHORIZATION_CONFIGURATION_INVALID' }),
  )
})

test.each([undefined, [], { ...CONFIGURATION, apiVersion: 'v9' }])('%j is not a configuration', (value) => {
  expect(() => readConfiguration(value)).toThrow('the AuthorizationConfiguration is invalid: it ')
})

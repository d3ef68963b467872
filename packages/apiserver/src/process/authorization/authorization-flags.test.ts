import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { authorizationOptions } from './authorization-flags.ts'

const warnings: string[] = []
const optionsOf = (flags: Readonly<Record<string, string>>) =>
  authorizationOptions(
    (name) => flags[name],
    (warning) => void warnings.push(warning),
  )
const WEBHOOK = { 'authorization-mode': 'Webhook', 'authorization-webhook-config-file': '/w/kubeconfig' }

test.each([
  [{}, {}],
  [{ 'authorization-mode': 'RBAC' }, {}],
  [{ 'authorization-mode': 'Node,RBAC' }, {}],
  [{ 'authorization-mode': 'RBAC,AlwaysAllow' }, { alwaysAllow: true }],
])('%j needs no configuration', async (flags, options) => {
  expect(await optionsOf(flags)).toEqual(options)
})

test('a mode without an effect is named', async () => {
  warnings.splice(0)
  await optionsOf({ 'authorization-mode': 'Node,ABAC,RBAC' })
  expect(warnings).toEqual([
    '--authorization-mode: Node has no effect: this server has RBAC, Webhook, AlwaysAllow and AlwaysDeny',
    '--authorization-mode: ABAC has no effect: this server has RBAC, Webhook, AlwaysAllow and AlwaysDeny',
  ])
})

test('modes are asked in their order', async () => {
  const flags = { ...WEBHOOK, 'authorization-mode': 'AlwaysDeny,Webhook,RBAC' }
  expect(await optionsOf(flags)).toEqual({
    authorization: {
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AuthorizationConfiguration',
      authorizers: [
        { type: 'AlwaysDeny', name: 'alwaysdeny' },
        {
          type: 'Webhook',
          name: 'default',
          webhook: {
            timeout: '30s',
            failurePolicy: 'NoOpinion',
            subjectAccessReviewVersion: 'v1beta1',
            authorizedTTL: '5m',
            cacheAuthorizedRequests: true,
            unauthorizedTTL: '30s',
            cacheUnauthorizedRequests: true,
            connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/w/kubeconfig' },
          },
        },
        { type: 'RBAC', name: 'rbac' },
      ],
    },
  })
})

test('a time of zero keeps no answers', async () => {
  const options = await optionsOf({ ...WEBHOOK, 'authorization-webhook-cache-authorized-ttl': '0s' })
  expect(options).toMatchObject({
    authorization: {
      authorizers: [{ webhook: { cacheAuthorizedRequests: false, cacheUnauthorizedRequests: true } }],
    },
  })
})

test.each([
  [{ 'authorization-mode': 'Magic' }, 'authorization-mode "Magic" is not a valid mode'],
  [
    { 'authorization-mode': 'RBAC,RBAC' },
    'authorization-mode ["RBAC" "RBAC"] has mode specified more than once',
  ],
  [{ 'authorization-mode': 'Webhook' }, 'give --authorization-webhook-config-file'],
  [
    { 'authorization-webhook-config-file': 'x' },
    'cannot specify --authorization-webhook-config-file without mode Webhook',
  ],
  [
    { ...WEBHOOK, 'authorization-config': 'x' },
    '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
  ],
  [{ 'authorization-config': '/none' }, '--authorization-config: cannot read /none'],
])('%j is refused', async (flags, message) => {
  await expect(optionsOf(flags)).rejects.toThrow(message)
})

test('a file holds the configuration', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-flags-'))
  try {
    const file = join(folder, 'config.yaml')
    writeFileSync(file, 'kind: AuthorizationConfiguration\nauthorizers: [{ type: RBAC, name: r }]\n')
    expect(await optionsOf({ 'authorization-config': file })).toMatchObject({
      authorization: {
        text: 'kind: AuthorizationConfiguration\nauthorizers: [{ type: RBAC, name: r }]\n',
        value: { kind: 'AuthorizationConfiguration', authorizers: [{ type: 'RBAC', name: 'r' }] },
      },
    })
    writeFileSync(file, 'a: [')
    await expect(optionsOf({ 'authorization-config': file })).rejects.toThrow(`${file} is not YAML`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

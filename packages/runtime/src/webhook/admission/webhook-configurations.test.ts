import { defineKind, schema as s } from '@homeostat/api'
import { expect, it } from 'vitest'
import { admission, webhookConfigurations } from './index.ts'

const Thing = defineKind({ group: 'a.example.com', version: 'v1', kind: 'Thing', spec: s.object({}) })

it('makes both configurations from the webhooks, and leaves out options that are not given', () => {
  const webhook = admission(Thing)
    .options({ failurePolicy: 'Ignore', objectSelector: { matchLabels: { a: 'b' } } })
    .defaults(() => undefined, { reinvocationPolicy: 'IfNeeded' })
    .validates({ create: () => [] }, { timeoutSeconds: 3, sideEffects: 'NoneOnDryRun' })
  const service = { name: 'operator', namespace: 'system', port: 9443 }
  const options = { name: 'things', clientConfig: { service, caBundle: 'Q0E=' } }
  expect(webhookConfigurations([webhook], options)).toEqual({
    mutating: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'things' },
      webhooks: [
        {
          name: 'mutate.things.a.example.com',
          admissionReviewVersions: ['v1'],
          clientConfig: { service: { ...service, path: '/mutate-a-example-com-v1-thing' }, caBundle: 'Q0E=' },
          rules: [
            {
              apiGroups: ['a.example.com'],
              apiVersions: ['v1'],
              resources: ['things'],
              operations: ['CREATE', 'UPDATE'],
            },
          ],
          sideEffects: 'None',
          failurePolicy: 'Ignore',
          objectSelector: { matchLabels: { a: 'b' } },
          reinvocationPolicy: 'IfNeeded',
        },
      ],
    },
    validating: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'things' },
      webhooks: [
        expect.objectContaining({
          name: 'validate.things.a.example.com',
          sideEffects: 'NoneOnDryRun',
          timeoutSeconds: 3,
          failurePolicy: 'Ignore',
        }),
      ],
    },
  })
})

it('puts the path after a URL, and makes no configuration without webhooks', () => {
  const webhook = admission(Thing).validates({ create: () => [] }, { path: '/check' })
  const { mutating, validating } = webhookConfigurations([webhook], {
    name: 'things',
    clientConfig: { url: 'https://127.0.0.1:9443/' },
  })
  expect(mutating).toBeUndefined()
  expect(validating?.webhooks[0]?.clientConfig).toEqual({ url: 'https://127.0.0.1:9443/check' })
})

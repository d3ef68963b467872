import { describe, expect, it } from 'vitest'
import { decodeJson } from '../wire/decode-json.ts'
import { decodeProblem } from './decode.ts'
import { definitions } from './generated/native-resources.ts'
import type { TypeSchema } from './types/type-schema.ts'

function problem(definition: string, object: object): string | undefined {
  const kind = definition.slice(definition.lastIndexOf('.') + 1)
  return decodeProblem({ root: definitions[definition]!, definitions }, object, kind)
}

const container = (fields: object): { spec: object } => ({
  spec: { template: { spec: { containers: [{ name: 'c', ...fields }] } } },
})
const DEPLOYMENT = 'io.k8s.api.apps.v1.Deployment'
const into = (what: string, field: string, type: string): string =>
  `json: cannot unmarshal ${what} into Go struct field ${field} of type ${type}`

describe('a native object that cannot be read', () => {
  it.each([
    [{ spec: { replicas: 'x' } }, into('string', 'DeploymentSpec.spec.replicas', 'int32')],
    [{ spec: { replicas: 1.5 } }, into('number 1.5', 'DeploymentSpec.spec.replicas', 'int32')],
    [
      { spec: { replicas: 99_999_999_999 } },
      into('number 99999999999', 'DeploymentSpec.spec.replicas', 'int32'),
    ],
    [{ spec: { paused: 1 } }, into('number', 'DeploymentSpec.spec.paused', 'bool')],
    [{ spec: { selector: [] } }, into('array', 'DeploymentSpec.spec.selector', 'v1.LabelSelector')],
    [{ spec: 'x' }, into('string', 'Deployment.spec', 'v1.DeploymentSpec')],
    [{ metadata: { labels: 'a' } }, into('string', 'ObjectMeta.metadata.labels', 'map[string]string')],
    [{ metadata: { labels: { a: 1 } } }, into('number', 'ObjectMeta.metadata.labels', 'string')],
    [container({ args: 'x' }), into('string', 'Container.spec.template.spec.containers.args', '[]string')],
    [container({ args: [1] }), into('number', 'Container.spec.template.spec.containers.args', 'string')],
    [
      container({ ports: [{ containerPort: 'x' }] }),
      into('string', 'ContainerPort.spec.template.spec.containers.ports.containerPort', 'int32'),
    ],
    [
      container({ resources: { limits: { cpu: '1x' } } }),
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      { metadata: { creationTimestamp: 'x' } },
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
    [
      { spec: { replicas: 'x', paused: 1 }, metadata: { creationTimestamp: 'x' } },
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
    [
      { spec: { replicas: 'x', ...container({ resources: { limits: { cpu: '1x' } } }).spec } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      container({ args: 1, livenessProbe: { httpGet: { port: true } } }),
      into(
        'bool',
        'HTTPGetAction.spec.template.spec.containers.livenessProbe.ProbeHandler.httpGet.port',
        'int32',
      ),
    ],
    [{ spec: { replicas: 'x', paused: 1 } }, into('string', 'DeploymentSpec.spec.replicas', 'int32')],
  ])('%j', (object, message) => {
    expect(problem(DEPLOYMENT, object)).toBe(message)
  })

  it('names the type of a field of the object itself', () => {
    expect(problem('io.k8s.api.core.v1.Secret', { type: 1 })).toBe(
      into('number', 'Secret.type', 'v1.SecretType'),
    )
  })

  it('may have bytes that are not base64', () => {
    expect(problem('io.k8s.api.core.v1.Secret', { data: { a: '%%' } })).toBe(
      'illegal base64 data at input byte 0',
    )
  })

  it('may have a time without microseconds', () => {
    expect(problem('io.k8s.api.coordination.v1.Lease', { spec: { renewTime: '2024-01-01T00:00:00Z' } })).toBe(
      'parsing time "2024-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    )
  })
})

describe('a native object that can be read', () => {
  it('may have missing, null and unknown fields', () => {
    expect(
      problem(DEPLOYMENT, { spec: { replicas: null, unknown: { a: 1 }, template: { spec: {} } } }),
    ).toBeUndefined()
  })

  it('accepts numbers and texts where both are allowed, and quantities as numbers', () => {
    const fields = {
      livenessProbe: { httpGet: { port: 'http' } },
      resources: { limits: { cpu: 0.5, memory: '1Gi' } },
    }
    expect(problem(DEPLOYMENT, container(fields))).toBeUndefined()
  })
})

describe('a custom resource that cannot be read', () => {
  const schema: TypeSchema = {
    root: {
      type: 'object',
      properties: { pod: { type: 'object', 'x-kubernetes-embedded-resource': true } },
    },
    definitions: {},
  }

  it.each([
    [{ metadata: { labels: { a: 1 } } }, into('number', 'ObjectMeta.labels', 'string')],
    [{ metadata: { name: {}, labels: { b: [], a: 1 } } }, into('number', 'ObjectMeta.labels', 'string')],
    [{ metadata: { finalizers: 'x' } }, into('string', 'ObjectMeta.finalizers', '[]string')],
    [{ metadata: { generation: 'x' } }, into('string', 'ObjectMeta.generation', 'int64')],
    [
      { metadata: { generation: decodeJson(new TextEncoder().encode('1.5e300')).value } },
      into('number 1.5e+300', 'ObjectMeta.generation', 'int64'),
    ],
    [{ metadata: 'x' }, 'json: cannot unmarshal string into Go value of type v1.ObjectMeta'],
    [
      { pod: { metadata: { labels: { a: 1 } } } },
      `pod.metadata: Invalid value: {"labels":{"a":1}}: ${into('number', 'ObjectMeta.labels', 'string')}`,
    ],
  ])('%j', (object, message) => {
    expect(decodeProblem(schema, object, 'Example')).toBe(message)
  })
})

import { expect, test } from 'vitest'
import { TestEnvironment } from '../../testing/index.ts'

const selector = { matchLabels: { a: 'b' } }
const MISMATCH = '`selector` does not match template `labels`'

// kube-apiserver 1.36.3 answers with the same messages.
test.each([
  ['apps/v1', 'deployments', { selector }],
  ['apps/v1', 'daemonsets', { selector }],
  ['apps/v1', 'replicasets', { selector }],
  ['apps/v1', 'statefulsets', { selector, serviceName: 's' }],
  ['batch/v1', 'jobs', { selector, manualSelector: true }],
  ['v1', 'replicationcontrollers', { selector: selector.matchLabels }],
])(
  'refuses %s %s whose template has no labels, and shows whether they were sent',
  async (version, plural, spec) => {
    await using env = await TestEnvironment.start()
    const root = version === 'v1' ? '/api/v1' : `/apis/${version}`
    const messageFor = async (metadata: object): Promise<string | undefined> => {
      const restartPolicy = plural === 'jobs' ? 'Never' : 'Always'
      const template = { metadata, spec: { restartPolicy, containers: [{ name: 'c', image: 'i' }] } }
      const body = { metadata: { name: 'q' }, spec: { ...spec, template } }
      const answer = await env.call('POST', `${root}/namespaces/default/${plural}`, { body })
      return answer.body.details?.causes?.[0]?.message
    }
    expect(await messageFor({})).toBe(`Invalid value: null: ${MISMATCH}`)
    expect(await messageFor({ labels: {} })).toBe(`Invalid value: {}: ${MISMATCH}`)
  },
)

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cluster } from '@homeostat/cluster'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { PeerUnavailable } from '../../benchmarks/runtime/builds.ts'
import { prepareArgoRollouts, prepareCertManager } from './controllers.ts'
import { Kubectl, runPods, underController } from './run-controller.ts'

const MINUTES = 60_000

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-controllers-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe(
  'controllers of other projects do the same on our cluster as on the real servers',
  { timeout: 30 * MINUTES },
  () => {
    test.for([
      ['cert-manager', prepareCertManager, certificates],
      ['Argo Rollouts', prepareArgoRollouts, canary],
    ] as const)('%s', async ([, prepare, scenario], { skip }) => {
      if (process.env['HOMEOSTAT_BUILD_CLIENTS'] !== '1') skip('`npm test clients` runs it')
      const controller = await prepare(AbortSignal.timeout(30 * MINUTES)).catch((error: unknown) => {
        if (error instanceof PeerUnavailable) skip(error.message)
        throw error
      })
      await using cluster = await Cluster.start({
        images: {
          app: {
            module: ({ signal }) =>
              new Promise((resolve) => signal.addEventListener('abort', () => resolve(0))),
          },
        },
      })
      const kubeconfig = join(folder, 'kubeconfig')
      writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
      const ours = await underController(controller, new Kubectl(kubeconfig, 'ours'), scenario)
      await expect(`${JSON.stringify(ours, undefined, 2)}\n`).toMatchFileSnapshot(
        `recorded/${controller.name}.json`,
      )
      expect(
        await underController(controller, new Kubectl(inject('kubernetes').kubeconfig, 'real'), scenario),
      ).toEqual(ours)
    })
  },
)

/** A certificate that signs itself, and one that it signs. */
async function certificates(kubectl: Kubectl): Promise<unknown> {
  const apiVersion = 'cert-manager.io/v1'
  const issuerRef = (name: string) => ({ group: 'cert-manager.io', kind: 'Issuer', name })
  await kubectl.apply(
    { apiVersion, kind: 'Issuer', metadata: { name: 'self' }, spec: { selfSigned: {} } },
    {
      apiVersion,
      kind: 'Certificate',
      metadata: { name: 'authority' },
      spec: { isCA: true, commonName: 'authority', secretName: 'authority', issuerRef: issuerRef('self') },
    },
    {
      apiVersion,
      kind: 'Issuer',
      metadata: { name: 'authority' },
      spec: { ca: { secretName: 'authority' } },
    },
    {
      apiVersion,
      kind: 'Certificate',
      metadata: { name: 'leaf' },
      spec: { dnsNames: ['leaf.example.com'], secretName: 'leaf', issuerRef: issuerRef('authority') },
    },
  )
  for (const name of ['authority', 'leaf']) {
    await kubectl.run('wait', `certificate/${name}`, '--for=condition=Ready', '--timeout=180s')
  }
  // A new name makes a new request, and so a second revision.
  await kubectl.run(
    'patch',
    'certificate',
    'leaf',
    '--type=merge',
    '--patch',
    '{"spec":{"dnsNames":["new.example.com"]}}',
  )
  await kubectl.until('certificate/leaf', '.status.revision', '2')
  await kubectl.run('wait', 'certificate/leaf', '--for=condition=Ready', '--timeout=180s')
  const secret = await kubectl.get<{
    type: string
    data: Record<string, string>
    metadata: { annotations: object }
  }>('secret', 'leaf')
  const { items: requests } = await kubectl.get<{
    items: {
      metadata: { name: string; annotations: Record<string, string> }
      status: { conditions: { type: string; status: string; reason: string }[] }
    }[]
  }>('certificaterequests')
  const { items: issuers } = await kubectl.get<{
    items: {
      metadata: { name: string }
      status: { conditions: { type: string; status: string; reason: string }[] }
    }[]
  }>('issuers')
  return {
    secret: {
      type: secret.type,
      keys: Object.keys(secret.data).sort(),
      annotations: secret.metadata.annotations,
    },
    requests: requests.map(({ metadata, status }) => ({
      name: metadata.name,
      revision: metadata.annotations['cert-manager.io/certificate-revision'],
      conditions: status.conditions.map(({ type, status: is, reason }) => `${type}=${is}: ${reason}`).sort(),
    })),
    issuers: issuers.map(({ metadata, status }) => ({
      name: metadata.name,
      conditions: status.conditions.map(({ type, status: is, reason }) => `${type}=${is}: ${reason}`),
    })),
    table: (await kubectl.run('get', 'certificates', '--output', 'wide'))
      .replaceAll(/\d+s\b/g, 'AGE')
      .replaceAll(/ +/g, ' '),
  }
}

/** A rollout in two steps: half of the Pods, then, after it was promoted, all. */
async function canary(kubectl: Kubectl): Promise<unknown> {
  await using _pods = runPods(kubectl)
  const labels = { app: 'web' }
  await kubectl.apply({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      strategy: { canary: { steps: [{ setWeight: 50 }, { pause: {} }] } },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'app' }] } },
    },
  })
  const story: unknown[] = []
  const tell = async (): Promise<void> => void story.push(await rolloutStory(kubectl))
  await kubectl.until('rollout/web', '.status.phase', 'Healthy')
  await tell()
  const patch = { spec: { template: { metadata: { annotations: { version: 'two' } } } } }
  await kubectl.run('patch', 'rollout', 'web', '--type=merge', '--patch', JSON.stringify(patch))
  await kubectl.until('rollout/web', '.status.phase', 'Paused')
  await kubectl.until('rollout/web', '.status.availableReplicas', '2')
  await tell()
  // As `kubectl argo rollouts promote` does.
  await kubectl.run(
    'patch',
    'rollout',
    'web',
    '--subresource=status',
    '--type=merge',
    '--patch',
    '{"status":{"pauseConditions":null}}',
  )
  await kubectl.until('rollout/web', '.status.phase', 'Healthy')
  await tell()
  return story
}

interface Rollout {
  status: {
    phase: string
    currentStepIndex?: number
    replicas: number
    updatedReplicas: number
    conditions: { type: string; status: string; reason: string }[]
  }
}

async function rolloutStory(kubectl: Kubectl): Promise<unknown> {
  const { status } = await kubectl.get<Rollout>('rollout', 'web')
  const { items } = await kubectl.get<{
    items: { metadata: { annotations: Record<string, string> }; spec: { replicas: number } }[]
  }>('replicasets')
  return {
    phase: status.phase,
    step: status.currentStepIndex,
    updated: status.updatedReplicas,
    replicaSets: items
      .map(({ metadata, spec }) => ({
        revision: metadata.annotations['rollout.argoproj.io/revision'],
        replicas: spec.replicas,
      }))
      .sort((a, b) => Number(a.revision) - Number(b.revision)),
  }
}

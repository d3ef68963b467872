import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Cluster, type ImageMap } from '@homeostat/cluster'
import { visitorsImages } from '@homeostat/example-visitors/images'
import {
  CustomResourceDefinition,
  Deployment,
  Lease,
  MutatingWebhookConfiguration,
  Pod,
  ValidatingWebhookConfiguration,
} from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'
import { hasKubectl } from '../kubectl/has-kubectl.ts'
import { databaseImages } from './database.ts'
import { operators } from './operators.ts'
import { reach, remove, type Stage } from './stage.ts'

const run = promisify(execFile)
const examples = resolve(import.meta.dirname, '../../examples')

/** Each operator's image is Node with its `main.ts`. */
const operatorImages: ImageMap = Object.fromEntries(
  operators.map(({ name }) => {
    const entry = ['--conditions=source', join(examples, name, 'main.ts')]
    return [`homeostat-example-${name}`, { command: process.execPath, entry }]
  }),
)

describe.skipIf(!hasKubectl).each(operators.map((operator) => [operator.name, operator] as const))(
  '%s as a Deployment',
  { timeout: 240_000 },
  (name, operator) => {
    it('works by one of two replicas, and by the other when the leader’s Pod goes', async () => {
      await using stage = await start()
      const { client } = stage
      const namespace = `${name}-system`
      await stage.kubectl('apply', '-f', join(examples, name, 'manifests'))
      const manager = { namespace, name: 'controller-manager' }
      await stage.until('two ready replicas', async () => {
        return (await client.get(Deployment, manager))?.status?.availableReplicas === 2
      })
      const leader = await stage.until('a leader', () => leaderOf(stage, name))
      await stage.until('the webhooks to be trusted', () => areWebhooksTrusted(stage))
      const key = await operator.create(stage)
      await reach(stage, operator, key)
      await webhookEffects[name]?.(stage)
      // The reconcile whose effect was just seen may be about to end.
      await expect
        .poll(() => stage.kubectl('logs', '-n', namespace, leader))
        .toContain(`"message":"successfully reconciled","controller":"${operator.controller.name}"`)

      await client.delete(Pod, { namespace, name: leader })
      await stage.until('another leader', async () => {
        const now = await leaderOf(stage, name)
        return now !== undefined && now !== leader
      })
      await stage.until('two ready replicas again', async () => {
        const pods = await client.list(Pod, { namespace })
        return (
          pods.length === 2 && pods.every(isReady) && pods.every(({ metadata }) => metadata.name !== leader)
        )
      })
      // Either of the two may lead now: the one that stood by, or the one that came for the old leader.
      const logs = ['logs', '-n', namespace, '--all-pods', '-f', 'deployment/controller-manager']
      const following = stage.follow(...logs)
      await remove(stage, operator, key)
      await stage.until('what it left behind to go', () => isFree(stage))
      await reach(stage, operator, await operator.create(stage))
      await following.printed(/"message":"successfully reconciled"/)
      following.end()

      const forward = stage.follow('port-forward', '-n', namespace, 'deployment/controller-manager', ':8080')
      const [, port] = await forward.printed(/127\.0\.0\.1:(\d+) -> 8080/)
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      expect(metrics).toContain('controller_runtime_reconcile_total')
      forward.end()

      for (const { metadata } of await client.list(Pod, { namespace })) {
        expect(await stage.kubectl('logs', '-n', namespace, metadata.name)).not.toContain('forbidden')
      }
    })
  },
)

/** The effects of an operator's webhooks, which the API server reaches in its Pods by a Service. */
const webhookEffects: Readonly<Record<string, (stage: Kubectl) => Promise<void>>> = {
  async markdownview({ kubectl }) {
    const removal = '[{"op":"remove","path":"/spec/markdowns/SUMMARY.md"}]'
    await expect(kubectl('patch', 'markdownview', 'sample', '--type=json', '-p', removal)).rejects.toThrow(
      /The MarkdownView "sample" is invalid: spec\.markdowns\[SUMMARY\.md\]: Required value: it is the table of contents/,
    )
  },
  async at({ kubectl }) {
    const get = (version: string) =>
      kubectl(
        'get',
        `ats.${version}.cnat.programming-kubernetes.info`,
        'sample',
        '-o',
        'jsonpath={.status.phase}',
      )
    expect([await get('v1alpha1'), await get('v1')]).toEqual(['DONE', 'Done'])
  },
}

interface Kubectl {
  readonly kubectl: (...args: string[]) => Promise<string>
}

/** The Pod whose process has the Lease: its identity begins with the Pod's name. */
async function leaderOf({ client }: Stage, name: string): Promise<string | undefined> {
  const lease = await client.get(Lease, { namespace: `${name}-system`, name })
  // Between two leaders it is empty.
  return lease?.spec?.holderIdentity?.split('_')[0] || undefined
}

/** Whether the leader has told the API server whom to trust, which it does after it has begun to lead. */
async function areWebhooksTrusted({ client }: Stage): Promise<boolean> {
  const configurations = [
    ...(await client.list(MutatingWebhookConfiguration)),
    ...(await client.list(ValidatingWebhookConfiguration)),
  ]
  const conversions = (await client.list(CustomResourceDefinition)).flatMap(
    ({ spec }) => spec.conversion?.webhook?.clientConfig ?? [],
  )
  return [
    ...configurations.flatMap(({ webhooks = [] }) => webhooks.map(({ clientConfig }) => clientConfig)),
    ...conversions,
  ].every(({ caBundle }) => caBundle !== undefined)
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
}

/** Whether what the first object left behind is gone, so that another of its name can come. */
async function isFree({ client }: Stage): Promise<boolean> {
  return (await client.list(Pod, { namespace: 'default' })).length === 0
}

/** A cluster in real time, with kubectl pointed at it. */
async function start() {
  await using cleanUp = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-operators-'))
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }))
  const images = { ...operatorImages, ...visitorsImages, ...databaseImages }
  const cluster = cleanUp.use(await Cluster.start({ images }))
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
  const env = { ...process.env, KUBECONFIG: kubeconfig, HOME: folder }
  const end = cleanUp.move()
  return {
    client: cluster.client,
    clock: cluster.clock,
    namespace: 'default',
    controllers: true,
    nodes: true,
    async until<T>(what: string, check: () => Promise<T | undefined | false>): Promise<T> {
      let found: T | undefined | false
      await expect
        .poll(async () => Boolean((found = await check())), { timeout: 90_000, interval: 100, message: what })
        .toBe(true)
      return found as T
    },
    async kubectl(...args: string[]): Promise<string> {
      return (await run('kubectl', args, { env })).stdout
    },
    /** A command of kubectl that goes on, as it prints. */
    follow(...args: string[]) {
      const child = spawn('kubectl', args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
      return {
        async printed(pattern: RegExp): Promise<RegExpExecArray> {
          await expect.poll(() => output, { timeout: 60_000 }).toMatch(pattern)
          return pattern.exec(output)!
        },
        end: () => void child.kill(),
      }
    },
    [Symbol.asyncDispose]: () => end.disposeAsync(),
  }
}

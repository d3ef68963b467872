import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ApiServer } from '@homeostat/apiserver'
import { describe, expect, test } from 'vitest'
import { moduleFolder } from '../crds/module-folder.ts'
import { findBinaries } from '../kubernetes/binaries.ts'
import { startControlPlane } from '../kubernetes/control-plane.ts'
import { goTool } from '../manifests/go-tools.ts'
import { followOutput } from '../program-output.ts'

const run = promisify(execFile)
const OBJECTS = join(import.meta.dirname, 'kube-state-metrics')

/** Every resource that kube-state-metrics knows, also those that it leaves out by default. */
const RESOURCES = `
  certificatesigningrequests clusterrolebindings clusterroles configmaps cronjobs daemonsets deployments
  endpoints endpointslices horizontalpodautoscalers ingressclasses ingresses jobs leases limitranges
  mutatingwebhookconfigurations namespaces networkpolicies nodes persistentvolumeclaims persistentvolumes
  poddisruptionbudgets pods replicasets replicationcontrollers resourcequotas rolebindings roles secrets
  serviceaccounts services statefulsets storageclasses validatingwebhookconfigurations volumeattachments
`
  .trim()
  .split(/\s+/)

/**
 * The objects that an API server makes for itself. The addresses of the Service `kubernetes` and the ConfigMap for
 * extension servers follow from the flags of the real server here. Ours has no ConfigMap that says since when legacy
 * tokens are tracked, and no Lease of its own, which it would have to renew all the time.
 */
const OWN_OBJECTS =
  /"(kubernetes|extension-apiserver-authentication|kube-apiserver-legacy-service-account-token-tracking|apiserver-\w{26})"/

describe('kube-state-metrics', { timeout: 1_800_000 }, () => {
  test('says the same of our API server as of the real one', async ({ skip }) => {
    if (process.env['HOMEOSTAT_BUILD_CLIENTS'] !== '1') skip('`npm test clients` runs it')
    const program = await goTool('kube-state-metrics', skip)
    const samples = join(await moduleFolder('k8s.io/kube-state-metrics/v2@v2.18.0'), 'tests', 'manifests')
    const folder = mkdtempSync(join(tmpdir(), 'homeostat-kube-state-metrics-'))
    try {
      await using server = await ApiServer.start()
      await using port = await server.listen()
      const kubeconfig = join(folder, 'kubeconfig')
      writeFileSync(kubeconfig, port.kubeconfig(), { mode: 0o600 })
      // Without controllers, so that all objects are as they were written.
      await using real = await startControlPlane()
      await real.settled()
      expect(await makeObjects(kubeconfig, samples)).toEqual(await makeObjects(real.kubeconfig, samples))
      await using ours = await Metrics.start(program, kubeconfig)
      await using theirs = await Metrics.start(program, real.kubeconfig)
      // The program learns of the objects of each kind in its own time.
      await expect
        .poll(async () => {
          const [mine, others] = await Promise.all([ours.read(), theirs.read()])
          const isThere = (resource: string): boolean =>
            mine.some((line) => line.startsWith(familyOf(resource)))
          return {
            differences: differences(mine, others),
            withoutMetrics: RESOURCES.filter((resource) => !isThere(resource)),
            isComplete: mine.length > 1_100,
          }
        })
        .toEqual({ differences: [], withoutMetrics: [], isComplete: true })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

/** Makes the samples and our objects, and writes the statuses; gives what kubectl prints. */
async function makeObjects(kubeconfig: string, samples: string): Promise<string[]> {
  const kubectl = async (...args: string[]): Promise<string> => {
    const program = join(findBinaries().directory, 'kubectl')
    const { stdout, stderr } = await run(program, ['--kubeconfig', kubeconfig, ...args])
    return `${stdout}${stderr}`
  }
  const withStatus = join(OBJECTS, 'objects-with-status.yaml')
  return [
    await kubectl('apply', '--filename', samples),
    await kubectl('apply', '--filename', join(OBJECTS, 'objects.yaml')),
    await kubectl('apply', '--filename', withStatus),
    await kubectl('replace', '--subresource=status', '--filename', withStatus),
  ]
}

/** kube-state-metrics as a process, and what it serves. */
class Metrics implements AsyncDisposable {
  readonly #child: ReturnType<typeof spawn>
  readonly #ended: Promise<unknown>
  readonly #address: string

  private constructor(child: ReturnType<typeof spawn>, ended: Promise<unknown>, address: string) {
    this.#child = child
    this.#ended = ended
    this.#address = address
  }

  static async start(program: string, kubeconfig: string): Promise<Metrics> {
    const child = spawn(
      program,
      [
        `--kubeconfig=${kubeconfig}`,
        `--resources=${RESOURCES.join(',')}`,
        '--host=127.0.0.1',
        '--port=0',
        '--telemetry-host=127.0.0.1',
        '--telemetry-port=0',
        '--metric-labels-allowlist=*=[*]',
        '--metric-annotations-allowlist=*=[*]',
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const output = followOutput(child, 'kube-state-metrics')
    // It says where it listens twice; the other address has metrics about the program itself.
    await output.printed(/"Listening on"[^]*"Listening on"/)
    const [, first = '', second = ''] = await output.printed(
      /"Listening on" address="([\d.:]+)"[^]*"Listening on" address="([\d.:]+)"/,
    )
    const isOwn = async (address: string): Promise<boolean> => (await text(address)).includes('go_goroutines')
    return new Metrics(child, output.exited, (await isOwn(first)) ? second : first)
  }

  /** The lines about objects, sorted, without what no two clusters share. */
  async read(): Promise<string[]> {
    return (await text(this.#address))
      .split('\n')
      .filter((line) => line.startsWith('kube_') && !OWN_OBJECTS.test(line))
      .map(comparable)
      .toSorted()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill()
    await this.#ended
  }
}

async function text(address: string): Promise<string> {
  return (await fetch(`http://${address}/metrics`)).text()
}

function comparable(line: string): string {
  return line
    .replaceAll(/uid="[^"]+"/g, 'uid="UID"')
    .replace(/^(\w+_resource_version\{.*) \S+$/, '$1 VERSION')
    .replace(/^(\w+_created\{.*) \S+$/, '$1 TIME')
}

/** Lines that only one of them has, marked as a diff does. */
function differences(ours: readonly string[], theirs: readonly string[]): string[] {
  const [mine, others] = [new Set(ours), new Set(theirs)]
  return [
    ...ours.filter((line) => !others.has(line)).map((line) => `+ ${line}`),
    ...theirs.filter((line) => !mine.has(line)).map((line) => `- ${line}`),
  ]
}

/** How the names of metrics about a resource begin: `kube_ingress_`. */
function familyOf(resource: string): string {
  const short = resource.replace(/policies$/, 'policy').replace(/(sse|esse)s$/, (match) => match.slice(0, -2))
  return `kube_${short.replace(/s$/, '')}`
}

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ApiServer } from '@homeostat/apiserver'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { build, cacheFolder, PeerUnavailable } from '../../benchmarks/runtime/builds.ts'
import { findBinaries } from '../kubernetes/binaries.ts'

const run = promisify(execFile)
const CHART = join(import.meta.dirname, 'helm', 'chart')
const OBJECTS = 'deployments,services,roles,rolebindings,shelves'

/** The steps of a person with a release. `helm` and `kubectl` stand for the programs. */
const STEPS: readonly (readonly [program: 'helm' | 'kubectl', ...args: string[]])[] = [
  ['helm', 'install', 'first', CHART, '--create-namespace'],
  ['helm', 'list', '--output', 'json'],
  ['kubectl', 'get', OBJECTS, '--output', 'name'],
  ['kubectl', 'get', 'configmaps', 'first', 'first-before', '--output', 'jsonpath={.items[*].data}'],
  ['helm', 'upgrade', 'first', CHART, '--set', 'color=blue,replicas=2,extra=true'],
  [
    'kubectl',
    'get',
    'configmaps',
    'first',
    'first-before',
    'first-extra',
    '--output',
    'jsonpath={.items[*].data}',
  ],
  ['kubectl', 'get', 'shelves', 'first', '--output', 'jsonpath={.spec}'],
  ['helm', 'get', 'values', 'first'],
  ['helm', 'get', 'manifest', 'first'],
  ['helm', 'upgrade', 'first', CHART, '--set', 'color=blue', '--dry-run=server'],
  ['helm', 'rollback', 'first', '1'],
  ['kubectl', 'get', 'configmaps', 'first', '--output', 'jsonpath={.data}'],
  ['kubectl', 'get', 'configmaps', 'first-extra', '--output', 'name'],
  ['helm', 'history', 'first', '--output', 'json'],
  ['helm', 'install', 'first', CHART],
  ['helm', 'upgrade', '--install', 'second', CHART],
  ['helm', 'uninstall', 'first'],
  ['helm', 'uninstall', 'second', '--keep-history'],
  ['helm', 'list', '--uninstalled', '--output', 'json'],
  ['kubectl', 'get', OBJECTS, '--output', 'name'],
  ['kubectl', 'delete', 'customresourcedefinitions', 'shelves.helm.example.com'],
]

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-helm-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('Helm does the same on our API server as on the real one', { timeout: 1_800_000 }, () => {
  test.for([
    ['v3', 'v3.22.0'],
    ['v4', 'v4.3.1'],
  ] as const)('in version %s', async ([major, version], { skip }) => {
    const target = cacheFolder(`helm-${version}`)
    const helm = join(target, 'helm')
    if (process.env['HOMEOSTAT_BUILD_CLIENTS'] !== '1') skip('`npm test clients` runs it')
    await buildHelm(target, helm, `helm.sh/helm/${major}/cmd/helm@${version}`).catch((error: unknown) => {
      if (error instanceof PeerUnavailable) skip(error.message)
      throw error
    })
    await using server = await ApiServer.start()
    await using port = await server.listen()
    const kubeconfig = join(folder, `${major}.kubeconfig`)
    writeFileSync(kubeconfig, port.kubeconfig(), { mode: 0o600 })
    // A namespace for each version: the real server takes its time to end one.
    const namespace = `helm-shop-${major}`
    const ours = await transcript(helm, kubeconfig, namespace)
    expect(ours).toEqual(await transcript(helm, inject('kubernetes').kubeconfig, namespace))
    // Both must not fail alike: only what the rollback removed, and a name that is taken.
    const failed = ours
      .filter(({ code }) => code !== 0)
      .map(({ step }) => step.split(' ').slice(0, 3).join(' '))
    expect(failed).toEqual(['kubectl get configmaps', 'helm install first'])
  })
})

async function buildHelm(target: string, helm: string, module: string): Promise<void> {
  await build(
    {
      peer: `helm-${module.split('@')[1]}`,
      toolchain: { program: 'go', from: 'https://go.dev/dl' },
      sources: [],
      result: helm,
      steps: [
        { file: 'env', args: [`GOBIN=${target}`, 'CGO_ENABLED=0', 'go', 'install', module], cwd: target },
      ],
    },
    AbortSignal.timeout(1_800_000),
  )
}

/** The output of the programs at each step, without the parts that differ in each run. */
async function transcript(
  helm: string,
  kubeconfig: string,
  namespace: string,
): Promise<{ step: string; code: number; out: string }[]> {
  const kubectl = join(findBinaries().directory, 'kubectl')
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    KUBECONFIG: kubeconfig,
    HELM_CACHE_HOME: folder,
    HELM_CONFIG_HOME: folder,
    HELM_DATA_HOME: folder,
  }
  const told: { step: string; code: number; out: string }[] = []
  const steps = [...STEPS, ['kubectl', 'delete', 'namespaces', namespace, '--wait=false'] as const]
  for (const [program, ...args] of steps) {
    const place = ['--namespace', namespace]
    const { code, stdout, stderr } = await run(program === 'helm' ? helm : kubectl, [...args, ...place], {
      env,
    }).then(
      (output) => ({ code: 0, ...output }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    )
    told.push({ step: [program, ...args].join(' '), code, out: comparable(`${stdout}${stderr}`) })
  }
  return told
}

function comparable(text: string): string {
  return text
    .replaceAll(/^[IWE]\d{4} .*\n/gm, '')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^",]*/g, 'TIME')
    .replaceAll(/(LAST DEPLOYED: ).*/g, '$1TIME')
}

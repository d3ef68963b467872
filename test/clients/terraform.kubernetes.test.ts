import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Cluster } from '@homeostat/cluster'
import { describe, expect, inject, test } from 'vitest'
import { findBinaries } from '../kubernetes/binaries.ts'
import { goTool } from '../manifests/go-tools.ts'

const run = promisify(execFile)
const NAMESPACE = 'terraform-shop'

describe('Terraform', { timeout: 1_800_000 }, () => {
  test('does the same on our cluster as on the real servers', async ({ skip }) => {
    if (process.env['HOMEOSTAT_BUILD_CLIENTS'] !== '1') skip('`npm test clients` runs it')
    await run('terraform', ['version']).catch(() =>
      skip('terraform was not found on the PATH (https://developer.hashicorp.com/terraform)'),
    )
    const provider = await goTool('terraform-provider-kubectl', skip)
    const folder = mkdtempSync(join(tmpdir(), 'homeostat-terraform-'))
    try {
      // The provider deletes in the foreground, which takes a garbage collector.
      await using cluster = await Cluster.start()
      const kubeconfig = join(folder, 'kubeconfig')
      writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
      const ours = await transcript(join(folder, 'ours'), provider, kubeconfig)
      expect(ours).toEqual(await transcript(join(folder, 'real'), provider, inject('kubernetes').kubeconfig))
      // A plan ends with 2 where there is something to do.
      expect(ours.map(({ step, code }) => `${step}: ${code}`)).toEqual([
        'plan: 2',
        'apply: 0',
        'plan: 0',
        'plan, greener: 2',
        'apply, greener: 0',
        'plan, greener: 0',
        'kubectl patch: 0',
        'plan, greener: 2',
        'apply, greener: 0',
        'kubectl get: 0',
        'destroy: 0',
        'kubectl get: 1',
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

interface Told {
  readonly step: string
  readonly code: number
  readonly out: string
}

/** Makes, changes, corrects and removes objects by Terraform; gives what it says, and what it keeps of them. */
async function transcript(folder: string, provider: string, kubeconfig: string): Promise<Told[]> {
  mkdirSync(folder)
  const config = join(folder, 'terraform.rc')
  writeFileSync(
    config,
    `provider_installation {
  dev_overrides { "gavinbunney/kubectl" = "${dirname(provider)}" }
  direct {}
}`,
  )
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    TF_CLI_CONFIG_FILE: config,
    CHECKPOINT_DISABLE: '1',
    KUBECONFIG: kubeconfig,
  }
  const told: Told[] = []
  const call = async (step: string, program: string, ...args: string[]): Promise<void> => {
    const { code, stdout, stderr } = await run(program, args, { cwd: folder, env, maxBuffer: 2 ** 26 }).then(
      (output) => ({ code: 0, ...output }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    )
    told.push({ step, code, out: comparable(`${stdout}${stderr}`, kubeconfig) })
  }
  const terraform = (step: string, ...args: string[]): Promise<void> =>
    call(step, 'terraform', ...args, '-no-color', '-input=false')
  const apply = ['apply', '-auto-approve', '-parallelism=1']
  const plan = ['plan', '-detailed-exitcode', '-parallelism=1']
  const kubectl = join(findBinaries().directory, 'kubectl')
  const shop = ['--namespace', NAMESPACE, 'configmap/settings']

  const file = join(folder, 'main.tf.json')
  writeFileSync(file, JSON.stringify(program(kubeconfig, 'green')))
  await terraform('plan', ...plan)
  await terraform('apply', ...apply)
  await terraform('plan', ...plan)
  writeFileSync(file, JSON.stringify(program(kubeconfig, 'greener')))
  await terraform('plan, greener', ...plan)
  await terraform('apply, greener', ...apply)
  await terraform('plan, greener', ...plan)
  // Terraform corrects what others change.
  const patch = JSON.stringify({ data: { color: 'red' } })
  await call('kubectl patch', kubectl, 'patch', ...shop, '--type=merge', '--patch', patch)
  await terraform('plan, greener', ...plan)
  await terraform('apply, greener', ...apply)
  await call('kubectl get', kubectl, 'get', ...shop, '--output=jsonpath={.data}')
  await terraform('destroy', 'destroy', '-auto-approve', '-parallelism=1')
  await call('kubectl get', kubectl, 'get', ...shop)
  return told
}

/** A namespace with native and custom objects, each after those that it needs. */
function program(kubeconfig: string, color: string): object {
  const namespace = NAMESPACE
  const labels = { app: 'shop' }
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'shelves.terraform.example.com' },
    spec: {
      group: 'terraform.example.com',
      scope: 'Namespaced',
      names: { plural: 'shelves', singular: 'shelf', kind: 'Shelf', listKind: 'ShelfList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  properties: { color: { type: 'string' }, boards: { type: 'integer', default: 3 } },
                },
              },
            },
          },
        },
      ],
    },
  }
  const objects = {
    namespace: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    settings: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace },
      data: { color },
    },
    secret: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'secret', namespace },
      stringData: { password: color },
    },
    service: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'shop', namespace },
      spec: { selector: labels, ports: [{ port: 80 }] },
    },
    deployment: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'shop', namespace },
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [{ name: 'shop', image: `shop:${color}`, resources: { requests: { cpu: '0.5' } } }],
          },
        },
      },
    },
    definition,
    shelf: {
      apiVersion: 'terraform.example.com/v1',
      kind: 'Shelf',
      metadata: { name: 'shelf', namespace },
      spec: { color },
    },
  }
  const names = Object.keys(objects)
  return {
    terraform: { required_providers: { kubectl: { source: 'gavinbunney/kubectl' } } },
    provider: { kubectl: { config_path: kubeconfig } },
    resource: {
      kubectl_manifest: Object.fromEntries(
        Object.entries(objects).map(([name, object], index) => [
          name,
          {
            yaml_body: JSON.stringify(object),
            wait_for_rollout: false,
            wait: true,
            ...(index > 0 && { depends_on: [`kubectl_manifest.${names[index - 1]}`] }),
          },
        ]),
      ),
    },
  }
}

/** Without times, identities and the place of the server. */
function comparable(text: string, kubeconfig: string): string {
  return text
    .replaceAll(kubeconfig, 'KUBECONFIG')
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'UID')
    .replaceAll(/ after \d+s|\[\d+s elapsed\]|\d+s elapsed/g, '')
    .replaceAll(/^.*Still (creating|destroying|modifying).*\n/gm, '')
}

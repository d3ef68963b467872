import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { HomeostatError, SystemClock } from '@homeostat/api'
import { ApiServer } from '@homeostat/apiserver'
import { olmBundle } from '@homeostat/cli'
import { connect, loadConfig, resolveOperator, type Operator, type OperatorSource } from 'homeostat'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { homeostat } from '../../packages/cli/src/process/homeostat.ts'
import { callJson } from '../json-call.ts'
import { findBinaries } from '../kubernetes/binaries.ts'
import { goTool } from './go-tools.ts'

/**
 * Gives the files that `homeostat manifests` makes of the examples to the programs that read them. `npm test manifests`
 * runs it.
 */
const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const examples = globSync('examples/*/operator.ts', { cwd: root }).map((file) => basename(dirname(file)))

let folder: string
let kubectl: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-manifests-'))
  kubectl = join(findBinaries().directory, 'kubectl')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs `homeostat manifests` for an example, and gives the folder that it wrote, or what it printed. */
async function manifests(example: string, ...options: string[]): Promise<string> {
  const out = join(folder, example, options.join('') || 'plain')
  let output = ''
  const write = (text: string): void => void (output += text)
  const io = { cwd: join(root, 'examples', example), env: {}, isTerminal: false, out: write, err: write }
  const isPrinted = options.includes('--print')
  const args = isPrinted ? options : [...options, `--out=${out}`]
  expect([await homeostat(['manifests', ...args], io), output]).toEqual([0, output])
  return isPrinted ? output : out
}

/** The schemas of Kubernetes' own kinds as kubeconform reads them, from the OpenAPI of the real server. */
async function schemasOf(kubeconfig: string): Promise<string> {
  const schemas = join(folder, 'schemas')
  mkdirSync(schemas)
  const transport = connect(loadConfig({ kubeconfig }), { clock: new SystemClock() })
  const { body } = await callJson((request) => transport.send(request), 'GET', '/openapi/v2')
  await transport.close()
  const { definitions } = body
  const either = { oneOf: [{ type: 'string' }, { type: 'number' }] }
  definitions['io.k8s.apimachinery.pkg.util.intstr.IntOrString'] = either
  definitions['io.k8s.apimachinery.pkg.api.resource.Quantity'] = either
  writeFileSync(join(schemas, 'all.json'), JSON.stringify({ definitions }))
  for (const [name, { 'x-kubernetes-group-version-kind': kinds = [] }] of Object.entries<any>(definitions)) {
    for (const { group, version, kind } of kinds) {
      const file = [kind, ...(group === '' ? [] : [group.split('.')[0]]), version].join('-').toLowerCase()
      writeFileSync(join(schemas, `${file}.json`), JSON.stringify({ $ref: `all.json#/definitions/${name}` }))
    }
  }
  return `${schemas}/{{ .ResourceKind }}{{ .KindSuffix }}.json`
}

/** A bundle of an operator that installs its webhooks itself. OLM cannot install those that convert: the bundle is made without them. */
function bundleOf(operator: Operator): Record<string, string> {
  const options = { version: '1.2.0', channel: 'stable', image: 'example:1.2.0', replicas: 2 }
  try {
    return olmBundle({ ...operator, webhookServer: { ...operator.webhookServer, install: true } }, options)
  } catch (error) {
    if (!(error instanceof HomeostatError && error.message.includes('converts their versions'))) throw error
    return olmBundle({ ...operator, webhooks: [] }, options)
  }
}

describe.skipIf(process.env['HOMEOSTAT_MANIFESTS'] !== '1')('manifests', { timeout: 1_800_000 }, () => {
  it('of all examples are what Helm, kustomize and kubeconform accept', async ({ skip }) => {
    const helm = await goTool('helm', skip)
    const kustomize = await goTool('kustomize', skip)
    const kubeconform = await goTool('kubeconform', skip)
    const location = await schemasOf(inject('kubernetes').kubeconfig)
    const conforms = async (text: string): Promise<number> => {
      const file = join(folder, 'rendered.yaml')
      writeFileSync(file, text)
      const skipped = ['-skip', 'ServiceMonitor,PrometheusRule']
      const { stdout } = await run(kubeconform, [
        '-output',
        'json',
        '-summary',
        '-schema-location',
        location,
        ...skipped,
        file,
      ])
      const { summary } = JSON.parse(stdout) as {
        summary: { valid: number; invalid: number; errors: number }
      }
      expect(summary).toMatchObject({ invalid: 0, errors: 0 })
      return summary.valid
    }
    for (const example of examples) {
      expect(await conforms(await manifests(example, '--print'))).toBeGreaterThan(8)
      const chart = await manifests(example, '--helm')
      await run(helm, ['lint', '--strict', chart])
      const values = ['--set', 'monitoring.enabled=true']
      const { stdout: rendered } = await run(helm, [
        'template',
        'release',
        chart,
        '--namespace',
        'somewhere',
        ...values,
      ])
      expect(await conforms(rendered)).toBeGreaterThan(7)
      const built = await run(kustomize, ['build', await manifests(example, '--kustomize')])
      expect(await conforms(built.stdout)).toBeGreaterThan(8)
    }
    // It would have found a mistake.
    await expect(conforms('apiVersion: v1\nkind: Service\nspec: 3\nmetadata: {name: a}\n')).rejects.toThrow()
  })

  it('of all examples are bundles that the validators of OLM accept', async ({ skip }) => {
    const verify = process.env['OPERATOR_VERIFY'] ?? (await goTool('operator-verify', skip))
    for (const example of examples) {
      const module = (await import(join(root, 'examples', example, 'operator.ts'))) as {
        default: OperatorSource
      }
      const operator = await resolveOperator(module.default)
      const bundle = join(folder, example, 'bundle')
      const files = bundleOf(operator)
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(bundle, path)), { recursive: true })
        writeFileSync(join(bundle, path), text)
      }
      const { stdout, stderr } = await run(verify, ['manifests', bundle])
      expect(`${stdout}${stderr}`).not.toMatch(/level=error|Error:/i)
    }
    const broken = join(folder, 'at', 'bundle/manifests')
    const [version = ''] = globSync('*.clusterserviceversion.yaml', { cwd: broken })
    writeFileSync(
      join(broken, version),
      readFileSync(join(broken, version), 'utf8').replace('kind: At', 'kind: Other'),
    )
    const found = await run(verify, ['manifests', dirname(broken)]).catch((error: unknown) => error)
    expect(JSON.stringify(found)).toMatch(/error|Other/i)
  })

  it('of all examples are applied by kubectl to our server as to the real one', async () => {
    await using server = await ApiServer.start()
    const ours = join(folder, 'ours.kubeconfig')
    writeFileSync(ours, (await server.listen()).kubeconfig(), { mode: 0o600 })
    for (const example of examples) {
      const files = await manifests(example)
      const transcript = async (kubeconfig: string): Promise<string[]> => {
        const call = async (...args: string[]): Promise<string> => {
          const { stdout } = await run(kubectl, [...args, '--kubeconfig', kubeconfig])
          return stdout.split('\n').toSorted().join('\n')
        }
        try {
          const first = await call('apply', '-f', files)
          // A difference is a failure of kubectl diff.
          return [first, await call('apply', '-f', files), await call('diff', '-f', files)]
        } finally {
          await call('delete', '--ignore-not-found', '-f', files)
        }
      }
      const expected = await transcript(inject('kubernetes').kubeconfig)
      expect(await transcript(ours), example).toEqual(expected)
    }
  })
})

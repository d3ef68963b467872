import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ApiServer } from '@homeostat/apiserver'
import { describe, expect, inject, test } from 'vitest'
import { moduleFolder } from '../crds/module-folder.ts'
import { findBinaries } from '../kubernetes/binaries.ts'
import { goTool } from '../manifests/go-tools.ts'
import { goTestResults } from './go-test-results.ts'

const run = promisify(execFile)

describe('Gateway API', { timeout: 1_800_000 }, () => {
  test.for([
    ['standard', 130],
    ['experimental', 150],
  ] as const)(
    'has rules for its %s kinds whose own tests pass on our API server as on the real one',
    async ([channel, least], { skip }) => {
      if (process.env['HOMEOSTAT_BUILD_CLIENTS'] !== '1') skip('`npm test clients` runs it')
      const tests = await goTool(`gateway-api-${channel}`, skip)
      const module = await moduleFolder('sigs.k8s.io/gateway-api@v1.4.1')
      const definitions = join(module, 'config', 'crd', channel)
      const folder = mkdtempSync(join(tmpdir(), 'homeostat-gateway-api-'))
      try {
        await using server = await ApiServer.start()
        await using port = await server.listen()
        const ours = join(folder, 'kubeconfig')
        writeFileSync(ours, port.kubeconfig(), { mode: 0o600 })
        const real = inject('kubernetes').kubeconfig
        const installed = await withDefinitions(ours, definitions, async () => ({
          tests: await goTestResults(tests, ours),
          examples: await examples(ours, module, channel),
        }))
        const expected = await withDefinitions(real, definitions, async () => ({
          tests: await goTestResults(tests, real),
          examples: await examples(real, module, channel),
        }))
        expect(installed).toEqual(expected)
        // A test of the experimental kinds expects words that Kubernetes 1.36 no longer says.
        expect(installed.tests.filter(([, result]) => result !== 'PASS').length).toBeLessThanOrEqual(2)
        expect(installed.tests.length).toBeGreaterThan(least)
        const isInvalid = ({ file }: { file: string }): boolean => file.startsWith('hack/invalid-examples/')
        expect(installed.examples.filter(isInvalid).filter(({ code }) => code === 0)).toEqual([])
        expect(installed.examples.filter((one) => !isInvalid(one) && one.code === 0).length).toBeGreaterThan(
          5,
        )
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  )
})

/** Installs the definitions for the time of a call. */
async function withDefinitions<T>(
  kubeconfig: string,
  definitions: string,
  call: () => Promise<T>,
): Promise<T> {
  const files = globSync('gateway*.yaml', { cwd: definitions }).flatMap((file) => [
    '--filename',
    join(definitions, file),
  ])
  await kubectl(kubeconfig, 'apply', '--server-side', ...files)
  try {
    await kubectl(kubeconfig, 'wait', ...files, '--for=condition=Established', '--timeout=60s')
    return await call()
  } finally {
    await kubectl(kubeconfig, 'delete', ...files)
  }
}

/** The output of kubectl when it applies the project's examples, and those that must be refused. All are deleted afterwards. */
async function examples(
  kubeconfig: string,
  module: string,
  channel: string,
): Promise<{ file: string; code: number; out: string }[]> {
  const files = [`examples/${channel}/**/*.yaml`, `hack/invalid-examples/${channel}/**/*.yaml`]
    .flatMap((pattern) => globSync(pattern, { cwd: module }))
    .toSorted()
  const told: { file: string; code: number; out: string }[] = []
  for (const file of files) {
    const args = ['--kubeconfig', kubeconfig, 'apply', '--dry-run=server', '--filename', join(module, file)]
    const { code, stdout, stderr } = await run(join(findBinaries().directory, 'kubectl'), args).then(
      (output) => ({ code: 0, ...output }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    )
    told.push({ file, code, out: `${stdout}${stderr}` })
  }
  return told
}

async function kubectl(kubeconfig: string, ...args: string[]): Promise<void> {
  await run(join(findBinaries().directory, 'kubectl'), ['--kubeconfig', kubeconfig, ...args])
}

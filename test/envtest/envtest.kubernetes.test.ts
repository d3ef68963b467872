import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

test('the tests of a Go project run on the stand-ins with KUBEBUILDER_ASSETS alone', async () => {
  const program = join(root, 'packages/apiserver/bin/homeostat-apiserver.mjs')
  const { stdout } = await run(process.execPath, [program, '--print-assets'])
  const { KUBECONFIG: _, HOMEOSTAT_TEST_SERVER: __, ...env } = process.env
  const { stdout: report } = await run('go', ['test', '-count=1', '-v', './...'], {
    cwd: join(import.meta.dirname, 'go'),
    env: { ...env, KUBEBUILDER_ASSETS: stdout.trim() },
  })
  expect(report.match(/^--- \w+: \w+/gm)).toEqual([
    '--- PASS: TestObjectsLiveInIt',
    '--- PASS: TestUsersHaveTheRightsOfTheirRoles',
    '--- PASS: TestAManagerReconcilesCustomResources',
  ])
})

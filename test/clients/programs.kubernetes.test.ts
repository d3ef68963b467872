import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiServer } from '@homeostat/apiserver'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { PeerUnavailable } from '../../benchmarks/runtime/builds.ts'
import { CLIENTS } from './programs.ts'
import { reportOf } from './program-report.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-clients-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

// The tools of the programs are fetched only on request: the results of other tests must not depend on the machine.
describe.for(CLIENTS)('$title uses', { timeout: 1_800_000 }, ({ checks, prepare }) => {
  const isWanted = process.env['HOMEOSTAT_BUILD_CLIENTS'] === '1'
  const expected = checks.map((check) => ({ check }))

  async function report(kubeconfig: string, skip: (why: string) => never): Promise<unknown[]> {
    if (!isWanted) skip('`npm test clients` runs it')
    const program = await prepare(AbortSignal.timeout(1_800_000)).catch((error: unknown) => {
      if (error instanceof PeerUnavailable) skip(error.message)
      throw error
    })
    return reportOf(program, kubeconfig)
  }

  test('our API server through its port', async ({ skip }) => {
    await using server = await ApiServer.start()
    await using port = await server.listen()
    const kubeconfig = join(folder, 'kubeconfig')
    writeFileSync(kubeconfig, port.kubeconfig(), { mode: 0o600 })
    expect(await report(kubeconfig, skip)).toEqual(expected)
  })

  test('the real one, so that it is the program that is right', async ({ skip }) => {
    expect(await report(inject('kubernetes').kubeconfig, skip)).toEqual(expected)
  })
})

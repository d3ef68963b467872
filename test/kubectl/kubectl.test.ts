import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiServer } from '@homeostat/apiserver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kubectlVersion, readGolden } from './goldens.ts'
import { knownDifferences } from './known-differences.ts'
import { play, type Stage } from './play.ts'
import { SCRIPTS } from './scripts.ts'

const version = kubectlVersion('kubectl')
const golden = version === undefined ? undefined : readGolden(version)

if (version === undefined && process.env['CI']) throw new Error('CI needs kubectl on the PATH')

describe.skipIf(!golden)('kubectl prints on our server what it prints on a kube-apiserver', () => {
  let stage: Stage
  let stop: () => Promise<void>

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'homeostat-kubectl-'))
    const admin = { name: 'admin', uid: 'admin', groups: ['system:masters'] }
    const server = await ApiServer.start({ users: new Map([['token-of-the-test', admin]]) })
    const kubeconfig = join(folder, 'kubeconfig')
    const port = await server.listen()
    writeFileSync(kubeconfig, port.kubeconfig().replace(port.token, 'token-of-the-test'), { mode: 0o600 })
    stage = { kubectl: 'kubectl', kubeconfig, server: port.url }
    stop = async () => {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  afterAll(() => stop())

  it.for(SCRIPTS)('$name', { timeout: 120_000 }, async (script) => {
    const printed = await play(stage, script)
    const expected = golden![script.name] ?? []
    for (const [index, line] of printed.entries()) {
      const known = knownDifferences[`${script.name} ${index + 1}: ${line.command}`]
      if (known === undefined) expect(line).toEqual(expected[index])
      else
        expect(line, 'it no longer differs: take it out of the known differences').not.toEqual(
          expected[index],
        )
    }
    expect(printed).toHaveLength(expected.length)
  })
})

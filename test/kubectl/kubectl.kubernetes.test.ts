import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBinaries } from '../kubernetes/binaries.ts'
import { startControlPlane, type ControlPlane } from '../kubernetes/control-plane.ts'
import { goldenFile, kubectlVersion, readGolden } from './goldens.ts'
import { playAll } from './play.ts'
import { SCRIPTS } from './scripts.ts'

/** `npm run record kubectl` writes the recorded output instead of comparing with it. */
const recording = process.env['HOMEOSTAT_RECORD'] === '1'

describe('the goldens of kubectl are what a kube-apiserver makes it print', () => {
  let plane: ControlPlane

  // Without controllers: what they write would come at any moment.
  beforeAll(async () => {
    plane = await startControlPlane()
    await plane.settled()
  })
  afterAll(() => plane?.stop())

  const built = join(findBinaries().directory, 'kubectl')
  it.for(['kubectl', built])('%s', { timeout: 1_200_000 }, async (kubectl) => {
    const version = kubectlVersion(kubectl)
    if (version === undefined) return
    const printed = await playAll({ kubectl, kubeconfig: plane.kubeconfig, server: plane.url }, SCRIPTS)
    if (recording) {
      mkdirSync(dirname(goldenFile(version)), { recursive: true })
      writeFileSync(goldenFile(version), `${JSON.stringify(printed, null, 1)}\n`)
    }
    expect(printed).toEqual(readGolden(version))
  })
})

import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ApiServer } from '@homeostat/apiserver'
import { expect, it } from 'vitest'
import { hasKubectl } from '../kubectl/has-kubectl.ts'

const root = resolve(import.meta.dirname, '../..')
const folders = globSync('examples/*/manifests', { cwd: root }).toSorted()

it.skipIf(!hasKubectl)(
  'kubectl installs the manifests of every example by one apply of the folder',
  async () => {
    expect(folders).toHaveLength(6)
    const home = mkdtempSync(join(tmpdir(), 'homeostat-apply-'))
    try {
      await using server = await ApiServer.start()
      const kubeconfig = join(home, 'kubeconfig')
      writeFileSync(kubeconfig, (await server.listen()).kubeconfig(), { mode: 0o600 })
      const env = { ...process.env, HOME: home, KUBECONFIG: kubeconfig }
      const apply = async (folder: string): Promise<string> =>
        (await promisify(execFile)('kubectl', ['apply', '-f', folder], { cwd: root, env })).stdout
      for (const folder of folders) {
        const example = basename(resolve(root, folder, '..'))
        const applied = await apply(folder)
        expect(applied).toMatch(/^namespace\/\S+ created$/m)
        expect(applied).toContain('deployment.apps/controller-manager created')
        if (globSync(`${folder}/samples/*.yaml`, { cwd: root }).length > 0)
          expect(applied, example).not.toContain(`${example}-sample`)
      }
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  },
)

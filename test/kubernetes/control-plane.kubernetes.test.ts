import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { startControlPlane } from './control-plane.ts'

/** The processes whose command line names the folder. */
function processesOf(folder: string): string[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line.includes(`${folder}/`))
}

describe.skipIf(process.env.HOMEOSTAT_TEST_KUBECONFIG)('a control plane', () => {
  test('is ready when it has started, and leaves nothing behind when it is stopped', async () => {
    const controlPlane = await startControlPlane()
    const folder = controlPlane.kubeconfig.replace(/\/kubeconfig$/, '')
    expect(processesOf(folder).length).toBeGreaterThanOrEqual(2)
    await controlPlane.stop()
    await controlPlane.stop()
    expect(processesOf(folder)).toEqual([])
    expect(existsSync(folder)).toBe(false)
  })

  test('ends with the process that started it, even if that was killed', async () => {
    const module = fileURLToPath(new URL('control-plane.ts', import.meta.url))
    const script = `
      import { startControlPlane } from ${JSON.stringify(module)}
      console.log((await startControlPlane()).kubeconfig)
      setInterval(() => {}, 1_000)`
    const child = spawn(process.execPath, ['--conditions=source', '--input-type=module', '-e', script])
    const [kubeconfig] = await once(child.stdout.setEncoding('utf8'), 'data')
    const folder = String(kubeconfig)
      .trim()
      .replace(/\/kubeconfig$/, '')
    expect(processesOf(folder).length).toBeGreaterThanOrEqual(2)
    child.kill('SIGKILL')
    await vi.waitFor(
      () => {
        expect(processesOf(folder)).toEqual([])
        expect(existsSync(folder)).toBe(false)
      },
      { timeout: 120_000 },
    )
  })
})

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { followOutput } from '../program-output.ts'
import { operated, startOperated, type OperatedServer } from './operated-server.ts'

const PROGRAM = fileURLToPath(
  new URL('../../packages/apiserver/bin/homeostat-apiserver.mjs', import.meta.url),
)

/** Starts the program of the project with flags: `homeostat-apiserver` in the project `ours`, kube-apiserver in `kubernetes`. */
export async function startWithFlags(
  flags: readonly string[],
  ownFlags: readonly string[] = [],
): Promise<OperatedServer> {
  if (process.env.HOMEOSTAT_TEST_SERVER === 'kubernetes') return startOperated(flags)
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-flags-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const args = [PROGRAM, '--secure-port=0', `--kubeconfig=${kubeconfig}`, ...flags, ...ownFlags]
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = followOutput(child, 'homeostat-apiserver')
  const end = async (): Promise<void> => {
    child.kill('SIGTERM')
    await output.exited
    rmSync(folder, { recursive: true })
  }
  try {
    await output.printed(/Ready at/)
    const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8'))
    const { server: url, 'certificate-authority-data': authority } = clusters[0].cluster
    const ca = Buffer.from(authority, 'base64').toString()
    return operated('ours', { url, token: users[0].user.token, ca }, end)
  } catch (error) {
    await end()
    throw error
  }
}

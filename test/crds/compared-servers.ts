import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiServer } from '@homeostat/apiserver'
import { httpsHandler } from '../conformance/https-handler.ts'
import { ASKER, serverOf, type FuzzedServer } from '../fuzz/both-servers.ts'
import { startControlPlane } from '../kubernetes/control-plane.ts'

/** A server whose answers are compared, for requests and for kubectl. */
export interface ComparedServer extends FuzzedServer {
  /** The path of a kubeconfig file whose user may do everything. */
  readonly kubeconfig: string
}

/** Our server in this process, with a port for kubectl. */
export async function startOurs(): Promise<ComparedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-crds-'))
  const server = await ApiServer.start()
  const port = await server.listen()
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, port.kubeconfig(), { mode: 0o600 })
  const end = async (): Promise<void> => {
    await port[Symbol.asyncDispose]()
    await server.close()
    rmSync(folder, { recursive: true })
  }
  return { ...serverOf(server.handlerFor(ASKER), end), kubeconfig }
}

/** A real kube-apiserver of this machine. */
export async function startReal(): Promise<ComparedServer> {
  const plane = await startControlPlane()
  await plane.settled()
  const { url, token, certificateAuthority: ca, kubeconfig } = plane
  const { send, close } = httpsHandler({ url, token, ca })
  const end = async (): Promise<void> => {
    close()
    await plane.stop()
  }
  return { ...serverOf(send, end), kubeconfig }
}

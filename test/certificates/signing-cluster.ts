import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CertificateAuthority } from '@homeostat/api/certificates'
import { Cluster } from '@homeostat/cluster'
import { startControlPlane } from '../kubernetes/control-plane.ts'
import type { ReachableServer } from '../proxies/reachable-server.ts'

/** A cluster, ours or a real one, whose controllers sign certificates that its API server accepts. */
export type SigningCluster = ReachableServer

/** Starts the cluster of the project that runs: `ours`, or `kubernetes`. */
export async function startSigningCluster(): Promise<SigningCluster> {
  return process.env.HOMEOSTAT_TEST_SERVER === 'kubernetes' ? kubernetes() : ours()
}

async function ours(): Promise<SigningCluster> {
  const cluster = await Cluster.start()
  const text = cluster.kubeconfig()
  const value = (name: string): string => new RegExp(`"?${name}"?: "?([^\\s",]+)`).exec(text)?.[1] ?? ''
  return {
    name: 'ours',
    url: cluster.url,
    token: value('token'),
    certificateAuthority: Buffer.from(value('certificate-authority-data'), 'base64').toString(),
    [Symbol.asyncDispose]: () => cluster.close(),
  }
}

const VALIDITY = { notBefore: '2020-01-01T00:00:00Z', notAfter: '2099-12-31T23:59:59Z' }

async function kubernetes(): Promise<SigningCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-signing-'))
  const { certificate, key } = await (await CertificateAuthority.create('signer', VALIDITY)).exported()
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    return join(folder, name)
  }
  const plane = await startControlPlane({
    controllerManager: true,
    clientAuthorities: certificate,
    controllerManagerFlags: [
      `--cluster-signing-cert-file=${file('ca.crt', certificate)}`,
      `--cluster-signing-key-file=${file('ca.key', key)}`,
    ],
  })
  await plane.settled()
  const { url, token, certificateAuthority } = plane
  const close = async (): Promise<void> => {
    await plane.stop()
    rmSync(folder, { recursive: true })
  }
  return { name: 'kubernetes', url, token, certificateAuthority, [Symbol.asyncDispose]: close }
}

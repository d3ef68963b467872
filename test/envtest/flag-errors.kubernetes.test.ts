import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { findBinaries } from '../kubernetes/binaries.ts'
import { freePorts } from '../kubernetes/control-plane.ts'

/**
 * The errors of a real kube-apiserver for flags that it refuses: the stand-in for envtest prints the same. A new flag starts
 * without an error; `npm run record flags` asks for it.
 */
const file = join(import.meta.dirname, '../../packages/apiserver/test/recorded/refused-flags.json')
const refused = JSON.parse(readFileSync(file, 'utf8')) as { flag: string; value: string; error?: string }[]
const recording = process.env['HOMEOSTAT_RECORD'] === '1'

const folder = mkdtempSync(join(tmpdir(), 'homeostat-flags-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
  if (recording)
    writeFileSync(file, `[\n${refused.map((one) => `  ${JSON.stringify(one)}`).join(',\n')}\n]\n`)
})
const key = join(folder, 'key.pem')
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
writeFileSync(key, privateKey.export({ type: 'pkcs1', format: 'pem' }))

it.each(refused)('kube-apiserver refuses --$flag=$value', { timeout: 60_000 }, async (one) => {
  const { flag, value } = one
  const { promise, resolve } = Promise.withResolvers<string>()
  const [port] = await freePorts(1)
  const args = [
    `--${flag}=${value}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    '--etcd-servers=http://127.0.0.1:1',
    '--service-cluster-ip-range=10.0.0.0/24',
    `--cert-dir=${folder}`,
    '--service-account-issuer=https://test.example.com',
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
  ]
  execFile(join(findBinaries().directory, 'kube-apiserver'), args, { timeout: 50_000 }, (_, stdout, stderr) =>
    resolve(`${stdout}${stderr}`),
  )
  const [, error = '""'] = /"command failed" err=("(?:[^"\\]|\\.)*")/.exec(await promise) ?? []
  if (recording) one.error = JSON.parse(error)
  expect(JSON.parse(error)).toBe(one.error)
})

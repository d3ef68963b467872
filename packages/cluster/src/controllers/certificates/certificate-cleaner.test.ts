import { createCertificateRequest } from '@homeostat/api/certificates'
import { CertificateSigningRequest } from '@homeostat/api/kinds'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ControllerBench } from '../../../test/controller-bench.ts'
import { certificateCleaner } from './certificate-cleaner.ts'

let bench: ControllerBench
beforeEach(async () => {
  bench = await ControllerBench.start(() => [certificateCleaner])
})
afterEach(() => bench[Symbol.asyncDispose]())

async function ask(decision?: 'Approved' | 'Denied'): Promise<void> {
  const { request } = await createCertificateRequest({ commonName: 'jane' })
  const metadata = { name: 'r' }
  const signerName = 'kubernetes.io/kube-apiserver-client'
  const spec = { signerName, usages: ['client auth' as const], request: btoa(request) }
  const created = await bench.client.create(CertificateSigningRequest, { metadata, spec })
  if (!decision) return
  const conditions = [{ type: decision, status: 'True' }]
  const body = { ...created, status: { conditions } }
  await bench.client.subresource('approval').update(CertificateSigningRequest, metadata, body)
}

const isThere = async (): Promise<boolean> =>
  (await bench.client.get(CertificateSigningRequest, { name: 'r' })) !== undefined

it.each([
  ['that is pending', undefined, '24h'],
  ['that was denied', 'Denied', '1h'],
  ['that was approved and never issued', 'Approved', '24h'],
] as const)('deletes a request %s in time', async (_title, decision, kept) => {
  await ask(decision)
  await bench.settle()
  await bench.advance(kept === '1h' ? '59m' : '1439m')
  expect(await isThere()).toBe(true)
  await bench.advance('2m')
  expect(await isThere()).toBe(false)
})

import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { CertificateAuthority, CertificateRequest, createCertificateRequest } from './index.ts'
import { pem, unpem } from './pem.ts'

const VALIDITY = { notBefore: '2026-01-01T00:00:00Z', notAfter: '2027-01-01T00:00:00Z' }
const subject = { commonName: 'jane', organizations: ['developers'] }

it('reads the requested names, and is signed by its owner', async () => {
  const { request } = await createCertificateRequest(subject, ['a.example.com', '192.0.2.1'])
  const read = new CertificateRequest(request)
  expect(read.commonName).toBe('jane')
  expect(read.organizations).toEqual(['developers'])
  expect(read.names).toEqual({
    dns: ['a.example.com'],
    emails: [],
    addresses: [Uint8Array.of(192, 0, 2, 1)],
    uris: [],
  })
  expect(await read.isSigned()).toBe(true)
})

it('is not signed where a byte was changed', async () => {
  const { request } = await createCertificateRequest(subject)
  const bytes = unpem(request)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  expect(await new CertificateRequest(pem('CERTIFICATE REQUEST', bytes)).isSigned()).toBe(false)
})

it('becomes a certificate for its key, with the usages that the authority gives', async () => {
  const authority = await CertificateAuthority.create('test', VALIDITY)
  const { request } = await createCertificateRequest(subject, ['a.example.com'])
  const usages = ['digital signature', 'server auth', 'client auth']
  const signed = await authority.sign(new CertificateRequest(request), { usages, validity: VALIDITY })
  const certificate = new X509Certificate(signed)
  expect(certificate.checkIssued(new X509Certificate(authority.certificate))).toBe(true)
  expect(certificate.subjectAltName).toBe('DNS:a.example.com')
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'])
})

it.each(['', 'text', '-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----\n'])(
  'refuses an invalid request: %j',
  (text) => {
    expect(() => new CertificateRequest(text)).toThrow('the certificate request cannot be read')
  },
)

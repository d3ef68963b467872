import requests from '../../certificates/requests.json' with { type: 'json' }
import { scenario, topic, type RequestOptions } from '../scenario.ts'
import { create, merge, remove } from '../steps.ts'

const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests'

function asked(pem: string, spec: object = {}): object {
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: '{ns}' },
    spec: {
      request: Buffer.from(pem).toString('base64'),
      signerName: 'example.com/own',
      usages: ['client auth'],
      ...spec,
    },
  }
}

/** The request with another last byte, which belongs to its signature. */
function forged(pem: string): string {
  const der = Buffer.from(pem.replaceAll(/-----[^-]*-----|\s/g, ''), 'base64')
  der[der.length - 1]! ^= 1
  return block(der)
}

/** The request with another name in its subject, which its signature covers. */
function renamed(pem: string): string {
  const der = Buffer.from(pem.replaceAll(/-----[^-]*-----|\s/g, ''), 'base64')
  return block(Buffer.from(der.toString('latin1').replace('jane', 'root'), 'latin1'))
}

function block(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE REQUEST-----\n${lines.join('\n')}\n-----END CERTIFICATE REQUEST-----\n`
}

/** Go’s parser says where the first wrong byte is. */
const unreadable: RequestOptions = { ignore: ['message', 'details.causes.0.message'] }
const types = ['jane', 'jane by RSA', 'jane by P-384', 'jane by P-521', 'jane by Ed25519'] as const

/** Requests for certificates, and who has signed them. */
export const certificateRequests = topic('certificate-requests', [
  ...types.map((type) =>
    scenario(
      'B native kinds',
      `of ${type} with a wrong signature`,
      create(path, asked(forged(requests[type]))),
      create(path, asked(renamed(requests[type]))),
      create(path, asked(requests[type]), { ignore: ['spec.request', 'spec.username', 'spec.uid'] }),
      remove(`${path}/{ns}`),
    ),
  ),
  scenario(
    'B native kinds',
    'that no parser can read',
    create(path, asked(block(Buffer.from([0, 0, 0]))), unreadable),
    create(path, asked(block(Buffer.from('nothing'))), unreadable),
    create(path, asked(block(Buffer.alloc(0)))),
    create(path, asked('nothing')),
    create(path, asked('')),
    create(path, asked('', { request: undefined, signerName: undefined })),
  ),
  scenario(
    'B native kinds',
    'with a wrong signature and other problems',
    create(path, asked(forged(requests.jane), { usages: [], signerName: 'none' })),
    create(path, asked(forged(requests.jane), { usages: ['none', 'none'] })),
  ),
  scenario(
    'B native kinds',
    'keep the request that was checked',
    create(path, asked(requests.jane), { ignore: ['spec.request', 'spec.username', 'spec.uid'] }),
    merge(
      `${path}/{ns}`,
      { metadata: { labels: { a: 'b' } }, spec: { request: Buffer.from('x').toString('base64') } },
      { ignore: ['spec.request', 'spec.username', 'spec.uid'] },
    ),
    remove(`${path}/{ns}`),
  ),
])

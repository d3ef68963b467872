import { CERTIFICATE_REQUEST } from '../compare/cluster-table-samples.ts'
import type { FuzzCase, FuzzRequest } from './fuzz-case.ts'
import { again } from './json-tree.ts'

const COLLECTION = '/api/v1/namespaces/{ns}/pods'
const STRATEGIC = 'application/strategic-merge-patch+json'
const APPLY = 'application/apply-patch+yaml'

/** Requests that the real server answers with 500, and in which order it reports several mistakes. */
export function failureCases(): FuzzCase[] {
  return [
    { kind: 'v1 Pod', verb: 'strategic patches that fail', requests: strategicPatches() },
    { kind: 'v1 Pod', verb: 'applies that fail', requests: applies() },
    { kind: 'v1 Binding', verb: 'bindings that fail', requests: bindings() },
    { kind: 'v1 ConfigMap', verb: 'line breaks of YAML in what is applied', requests: lineBreaks() },
    { kind: 'v1 ConfigMap', verb: 'links to itself', requests: selfLinks() },
    { kind: 'v1 ConfigMap', verb: 'another namespace and an unreadable version', requests: namespaces() },
    { kind: 'v1 Endpoints', verb: 'a subresource that is not there', requests: [missingSubresource()] },
    {
      kind: 'storage.k8s.io/v1 CSINode',
      verb: 'no drivers',
      requests: [csiNode({}), csiNode({ drivers: null })],
    },
    { kind: 'batch/v1 Job', verb: 'labels that the server gives', requests: jobs() },
    { kind: 'v1 Namespace', verb: 'a status in a finalize', requests: finalizes() },
    {
      kind: 'certificates.k8s.io/v1 CertificateSigningRequest',
      verb: 'texts that are not a certificate',
      requests: certificates(),
    },
  ]
}

function strategicPatches(): FuzzRequest[] {
  const pod = {
    metadata: { name: 'patched', labels: { a: 'b' } },
    spec: { containers: [{ name: 'c', image: 'i' }], imagePullSecrets: [{}] },
  }
  const patches: object[] = [
    { '$setElementOrder/ports': [] },
    { '$setElementOrder/"\n': [] },
    { metadata: { '$setElementOrder/ports': [], resourceVersion: '-1' } },
    { metadata: { '$setElementOrder/finalizers': [] } },
    { spec: { '$setElementOrder/x': [{ name: 'c' }], x: [{ name: 'c' }] } },
    { spec: { containers: [{ name: 'c', '$setElementOrder/x': [] }] } },
    { spec: { containers: [{ name: 'c', resources: { '$setElementOrder/x': [] } }] } },
    { spec: { containers: ['c'] } },
    { spec: { containers: [{ image: 'i' }] } },
    { spec: { containers: [{ name: 'c', $patch: 'other' }] } },
    { spec: { $patch: 'merge' } },
    { metadata: { labels: { '$setElementOrder/ports': [] } } },
    ...orders().map((spec) => ({ spec })),
  ]
  return [
    { method: 'POST', path: COLLECTION, body: pod },
    ...patches.map((body) => ({
      method: 'PATCH' as const,
      path: `${COLLECTION}/patched?dryRun=All`,
      type: STRATEGIC,
      body,
    })),
  ]
}

/** Orders of lists that do not fit them. */
function orders(): object[] {
  const order = '$setElementOrder/containers'
  const [c, d] = [{ name: 'c' }, { name: 'd', image: 'i' }]
  return [
    { containers: [null], [order]: [c] },
    { containers: ['c'], [order]: [c] },
    { containers: null, [order]: [c] },
    { containers: 'c', [order]: [c] },
    { containers: [c], [order]: [1] },
    { containers: [c], [order]: [c, 1] },
    { containers: [c], [order]: 'c' },
    { [order]: 'c' },
    { [order]: null },
    { [order]: ['c'] },
    { [order]: [c, 'c'] },
    { [order]: [{ image: 'i' }] },
    { [order]: [c, { image: 'i' }] },
    { [order]: [{ name: null }] },
    { containers: [d], [order]: [] },
    { containers: [d, { name: 'e', $patch: 'delete' }], [order]: [d] },
    { containers: [{ $patch: 'replace' }, { image: 'i' }] },
    { containers: [{ $patch: 'replace' }, d, { ...d, name: 'e' }, { ...d, image: 'j' }] },
    { containers: [c, { name: null }] },
    { volumes: [], '$setElementOrder/volumes': [] },
    { imagePullSecrets: [{ name: 'a' }] },
    { imagePullSecrets: [{ name: 'a' }], '$setElementOrder/imagePullSecrets': [{ name: 'a' }] },
  ]
}

function applies(): FuzzRequest[] {
  const kind = { apiVersion: 'v1', kind: 'Pod' }
  const spec = { containers: [{ name: 'c', image: 'i' }] }
  const objects: object[] = [
    { ...kind, metadata: { name: 'applied', resourceVersion: 'a' }, spec },
    { ...kind, metadata: { name: 'applied', resourceVersion: '-1', labels: { a: '\t' } }, spec },
    { ...kind, metadata: { name: 'applied' }, spec: { containers: ['c'] } },
    { ...kind, metadata: { name: 'applied' }, spec: { ...spec, toString: 1 } },
  ]
  return objects.map((body) => ({
    method: 'PATCH',
    path: `${COLLECTION}/applied?dryRun=All&fieldManager=m`,
    type: APPLY,
    body,
  }))
}

function bindings(): FuzzRequest[] {
  const bodies: object[] = [
    {},
    { target: { name: 'n' } },
    { target: { kind: 'Pod' } },
    { metadata: { name: 'absent' }, target: { name: 'n', kind: 'Service' } },
    { metadata: { name: 'absent' }, target: { name: 'n' } },
    { metadata: { creationTimestamp: '2020-01-02' }, target: { name: 'n' } },
    { metadata: { namespace: 'other', creationTimestamp: '2020-01-02' }, target: { name: 'n' } },
    { metadata: { namespace: 'other' } },
    { target: 'n' },
    ...['a/b', '..', '%', 'a%/b'].map((name) => ({ metadata: { name }, target: { name: 'n' } })),
  ]
  return bodies.map((body) => ({
    method: 'POST',
    path: '/api/v1/namespaces/{ns}/bindings?dryRun=All&fieldValidation=Strict',
    body,
  }))
}

const MAPS = '/api/v1/namespaces/{ns}/configmaps'

function applyMap(body: object, query = 'dryRun=All'): FuzzRequest {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', ...body }
  return { method: 'PATCH', path: `${MAPS}/m?${query}&fieldManager=m`, type: APPLY, body: object }
}

function lineBreaks(): FuzzRequest[] {
  return [
    applyMap({ metadata: { name: 'm' }, data: { '\u2028': 'a' } }),
    applyMap({ metadata: { name: 'm', '\u2029': null } }),
    applyMap({ metadata: { name: 'm' }, data: { a: '\u2028', b: '\u2029' } }),
    applyMap({ metadata: { name: 'm' }, data: { a: '\u2028', [again('a')]: 'b' } }),
    applyMap({ metadata: { name: 'm' }, data: { a: '\u2028', '\u0085': 'b' } }),
  ]
}

function selfLinks(): FuzzRequest[] {
  const object = { metadata: { name: 'linked', selfLink: '/x' } }
  return [
    { method: 'POST', path: `${MAPS}?dryRun=All`, body: object },
    applyMap({ metadata: { name: 'm', selfLink: '/x' } }),
    { method: 'POST', path: MAPS, body: object },
    { method: 'PUT', path: `${MAPS}/linked?dryRun=All`, body: object },
    { method: 'PATCH', path: `${MAPS}/linked?dryRun=All`, type: STRATEGIC, body: object },
    { method: 'PUT', path: `${MAPS}/linked`, body: { ...object, data: { a: 'b' } } },
    { method: 'PATCH', path: `${MAPS}/linked`, type: STRATEGIC, body: { ...object, data: { a: 'c' } } },
    { method: 'GET', path: `${MAPS}/linked` },
  ]
}

function namespaces(): FuzzRequest[] {
  const body = { metadata: { namespace: 'other', resourceVersion: 'a' } }
  return [
    { method: 'POST', path: MAPS, body: { metadata: { name: 'placed' } } },
    { method: 'PATCH', path: `${MAPS}/placed`, type: STRATEGIC, body },
    { method: 'PATCH', path: `${MAPS}/placed`, type: 'application/merge-patch+json', body },
  ]
}

function missingSubresource(): FuzzRequest {
  return { method: 'GET', path: '/api/v1/namespaces/{ns}/endpoints/e/status' }
}

function csiNode(spec: object): FuzzRequest {
  const body = { metadata: { name: 'n' }, spec }
  return { method: 'POST', path: '/apis/storage.k8s.io/v1/csinodes?dryRun=All', body }
}

function jobs(): FuzzRequest[] {
  const path = '/apis/batch/v1/namespaces/{ns}/jobs'
  const spec = { template: { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } } }
  const labels = { 'job-name': 'other', 'controller-uid': null }
  return [
    { method: 'POST', path: `${path}?dryRun=All`, body: { spec } },
    { method: 'POST', path, body: { metadata: { name: 'j' }, spec: { ...spec, suspend: true } } },
    {
      method: 'PATCH',
      path: `${path}/j?dryRun=All`,
      type: 'application/merge-patch+json',
      body: { spec: { template: { metadata: { labels } } } },
    },
  ]
}

function finalizes(): FuzzRequest[] {
  const metadata = { name: 'finalized' }
  const path = '/api/v1/namespaces/finalized/finalize?dryRun=All'
  return [
    { method: 'POST', path: '/api/v1/namespaces', body: { metadata } },
    { method: 'PUT', path, body: { metadata, status: { phase: 'Terminating' } } },
    { method: 'PUT', path, body: { metadata, spec: { finalizers: ['kubernetes', 'a/b'] } } },
  ]
}

function certificates(): FuzzRequest[] {
  const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
  const metadata = { name: 'signed' }
  const spec = {
    request: CERTIFICATE_REQUEST,
    signerName: 'example.com/signer',
    usages: ['client auth'],
  }
  const block = (type: string): string => `-----BEGIN ${type}-----\nAAAA\n-----END ${type}-----\n`
  const withHeader = block('CERTIFICATE').replace('\nAAAA', '\nA: b\n\nAAAA')
  return [
    { method: 'POST', path, body: { metadata, spec } },
    ...['ab', block('CERTIFICATE REQUEST'), withHeader, ''].map((certificate) => ({
      method: 'PUT' as const,
      path: `${path}/signed/status?dryRun=All`,
      body: { metadata, spec, status: { certificate: btoa(certificate) } },
    })),
  ]
}

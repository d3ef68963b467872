import type { FuzzCase } from '../fuzz-case.ts'
import type { TreeObject } from '../json-tree.ts'
import { create, found, MERGE, patch, store } from './found-case.ts'

const CLAIMS = '/apis/resource.k8s.io/v1/namespaces/{ns}/resourceclaims'
const TEMPLATES = '/apis/resource.k8s.io/v1/namespaces/{ns}/resourceclaimtemplates'

const exactly = { deviceClassName: 'class.example.com' }
const request = { name: 'r', exactly }
const choice = { name: 'c', firstAvailable: [{ name: 'a', ...exactly }] }

/** Claims of devices and templates for them, with mistakes in each part. */
export function deviceClaims(): FuzzCase[] {
  return [
    claims('requests', ...requests().map((requests) => ({ requests }))),
    claims('constraints', ...constraints()),
    claims('configurations', ...configurations()),
    changes(),
    templates(),
  ]
}

function claims(what: string, ...devices: readonly TreeObject[]): FuzzCase {
  const metadata = { name: 'claim' }
  return found(
    'resource.k8s.io/v1 ResourceClaim',
    `${what} of a claim`,
    ...devices.map((one) => create(CLAIMS, { metadata, spec: { devices: one } })),
  )
}

function requests(): TreeObject[][] {
  const withPart = (part: TreeObject): TreeObject[] => [{ ...request, exactly: { ...exactly, ...part } }]
  return [
    [],
    [request, choice],
    [request, request],
    [{ name: 'A b', exactly }],
    [{ name: 'r' }],
    [{ ...request, ...choice }],
    [{ name: 'r', firstAvailable: [] }],
    [{ name: 'r', firstAvailable: [{ name: 'A', deviceClassName: 'A' }, { name: 'A' }] }],
    [{ name: 'r', firstAvailable: Array.from({ length: 9 }, (_, at) => ({ name: `a${at}`, ...exactly })) }],
    Array.from({ length: 33 }, (_, at) => ({ name: `r${at}`, exactly })),
    [{ name: 'r', exactly: {} }],
    withPart({ deviceClassName: 'a/b' }),
    withPart({ allocationMode: 'Some' }),
    withPart({ allocationMode: 'All', count: 2 }),
    withPart({ count: -1 }),
    withPart({ selectors: [{}] }),
    withPart({ selectors: Array.from({ length: 33 }, () => ({})) }),
    withPart({ tolerations: [{}] }),
    withPart({ tolerations: [{ operator: 'Exists', value: 'v', effect: 'Later' }] }),
    withPart({ tolerations: [{ key: 'a b', operator: 'Equal', value: 'a b' }] }),
    withPart({ tolerations: [{ operator: 'Like', key: 'k', effect: 'NoExecute' }] }),
  ]
}

function constraints(): TreeObject[] {
  const matches = [
    'x',
    'a.example.com/x',
    'a.example.com/',
    '/x',
    'A B/x',
    '1x',
    'a/b/c',
    `a/${'x'.repeat(33)}`,
  ]
  const attribute = { matchAttribute: 'a.example.com/x' }
  return [
    {},
    { requests: ['r'] },
    { requests: ['c'], ...attribute },
    { requests: ['c/a', 'r'], ...attribute },
    { requests: ['c/b', 'r/a', 'a/b/c', 'A', ''], ...attribute },
    { requests: ['r', 'r'], ...attribute },
    { requests: Array.from({ length: 33 }, () => 'r'), ...attribute },
    ...matches.map((matchAttribute) => ({ matchAttribute })),
    ...matches.map((distinctAttribute) => ({ distinctAttribute })),
  ].map((constraint) => ({ requests: [request, choice], constraints: [constraint] }))
}

function configurations(): TreeObject[] {
  const parameters = { a: 'b' }
  const opaques = [
    { driver: 'd.example.com', parameters },
    { driver: '', parameters },
    { driver: 'a b', parameters },
    { driver: 'd'.repeat(64), parameters },
    { driver: 'd.example.com' },
    { driver: 'd.example.com', parameters: null },
    { driver: 'd.example.com', parameters: { a: 'x'.repeat(10_240) } },
  ]
  return [
    {},
    { requests: ['r'], opaque: opaques[0] },
    { requests: ['x'], opaque: opaques[0] },
    ...opaques.map((opaque) => ({ opaque })),
  ].map((config) => ({ requests: [request], config: [config] }))
}

/** What a claim asks for cannot be changed. */
function changes(): FuzzCase {
  const at = `${CLAIMS}/unchanged`
  return found(
    'resource.k8s.io/v1 ResourceClaim',
    'changes of a claim',
    store(CLAIMS, { metadata: { name: 'unchanged' }, spec: { devices: { requests: [request] } } }),
    patch(at, MERGE, { metadata: { labels: { a: 'b' } } }),
    patch(at, MERGE, { spec: { devices: { requests: [choice] } } }),
    patch(at, MERGE, { spec: { devices: { requests: [{ name: 'A' }] } } }),
    patch(at, MERGE, { spec: { devices: { constraints: [] } } }),
  )
}

function templates(): FuzzCase {
  const metadata = { name: 'template' }
  const spec = { devices: { requests: [request] } }
  const parts = [
    { name: 'n' },
    { uid: 'u', generation: 1 },
    { finalizers: [], ownerReferences: [] },
    { labels: { 'a b': '' } },
    { labels: { a: 'b' }, annotations: { 'a b': '' } },
  ]
  return found(
    'resource.k8s.io/v1 ResourceClaimTemplate',
    'templates for claims',
    create(TEMPLATES, { metadata }),
    create(TEMPLATES, { metadata, spec: { spec: {} } }),
    ...parts.map((part) => create(TEMPLATES, { metadata, spec: { metadata: part, spec } })),
    create(TEMPLATES, { metadata, spec: { spec: { devices: { requests: [{ name: 'A' }] } } } }),
    store(TEMPLATES, { metadata, spec: {} }),
    patch(`${TEMPLATES}/template`, MERGE, { spec: null }),
    patch(`${TEMPLATES}/template`, MERGE, { spec: { spec } }),
    patch(`${TEMPLATES}/template`, MERGE, { spec: { spec: { devices: { requests: [{ name: 'A' }] } } } }),
  )
}

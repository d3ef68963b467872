import type { FuzzCase, FuzzRequest } from '../fuzz-case.ts'
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
    ...adminAccess(),
    statuses(),
    reservations(),
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
    withPart({ selectors: [{ cel: { expression: 'device.driver == "a"' } }, { cel: { expression: '1' } }] }),
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

/** The requests of a claim cannot be changed. */
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

/** Access for administrators needs a label of the namespace. */
function adminAccess(): FuzzCase[] {
  const spec = (admin: boolean): TreeObject => ({
    devices: { requests: [request, { name: 'a', exactly: { ...exactly, adminAccess: admin } }] },
  })
  const metadata = { name: 'admin' }
  return [
    found(
      'resource.k8s.io/v1 ResourceClaim',
      'access for administrators',
      create(CLAIMS, { metadata, spec: spec(true) }),
      create(CLAIMS, { metadata, spec: spec(false) }),
      create(CLAIMS, { metadata: { name: 'A b' }, spec: spec(true) }),
    ),
    found(
      'resource.k8s.io/v1 ResourceClaimTemplate',
      'access for administrators',
      create(TEMPLATES, { metadata, spec: { spec: spec(true) } }),
      create(TEMPLATES, { metadata, spec: { spec: spec(false) } }),
    ),
  ]
}

const result = { request: 'r', driver: 'd.example.com', pool: 'p', device: 'x' }
const allocation = { devices: { results: [result] } }

/** The allocation of a claim, with mistakes in each part. */
function statuses(): FuzzCase {
  const at = `${CLAIMS}/status/status`
  const results = (...list: readonly TreeObject[]): TreeObject => ({
    allocation: { devices: { results: list } },
  })
  const device = { driver: 'd.example.com', pool: 'p', device: 'x' }
  const devices = (...list: readonly TreeObject[]): TreeObject => ({ allocation, devices: list })
  const shareID = '01234567-89ab-cdef-0123-456789abcdef'
  const condition = {
    type: 'Ready',
    status: 'True',
    reason: 'Ok',
    message: '',
    lastTransitionTime: '2020-01-01T00:00:00Z',
  }
  const wrong: TreeObject[] = [
    { reservedFor: [{ resource: 'pods', name: 'p', uid: 'u' }] },
    { allocation, reservedFor: [{}, { resource: 'pods', name: 'p', uid: 'u' }] },
    { allocation, reservedFor: Array.from({ length: 257 }, (_, index) => ({ uid: `u${index}` })) },
    results({}),
    results({ ...result, request: 'x' }, { ...result, driver: 'A b', pool: 'A//b', device: 'A b' }),
    ...['x', shareID, shareID.toUpperCase(), `{${shareID}}`, 'x'.repeat(36), 'x'.repeat(45)].map((id) =>
      results({ ...result, shareID: id }),
    ),
    results({ ...result, adminAccess: true }),
    results({ ...result, bindingConditions: ['a'] }),
    results(...Array.from({ length: 33 }, () => result)),
    { allocation: { devices: { config: [{}, { source: 'X', requests: ['x', 'r', 'r'], opaque: {} }] } } },
    { allocation: { ...allocation, nodeSelector: {} } },
    { devices: [device] },
    devices(device),
    devices(device, device),
    devices({}),
    devices({ ...device, shareID }),
    devices({ ...device, data: 'text' }),
    devices({ ...device, data: { a: 'x'.repeat(10_240) } }),
    devices({ ...device, conditions: [condition, { type: 'A b' }] }),
    devices({
      ...device,
      conditions: Array.from({ length: 9 }, (_, index) => ({ ...condition, type: `c${index}` })),
    }),
    ...[
      { interfaceName: 'x'.repeat(257), hardwareAddress: 'x'.repeat(129) },
      { ips: ['10.0.0.1/24', '10.0.0.1', '::ffff:10.0.0.1/120', '2001:DB8::1/64', '10.0.0.1/24', ''] },
      { ips: Array.from({ length: 17 }, () => '10.0.0.1/24') },
    ].map((networkData) => devices({ ...device, networkData })),
  ]
  return found(
    'resource.k8s.io/v1 ResourceClaim',
    'status of a claim',
    store(CLAIMS, { metadata: { name: 'status' }, spec: { devices: { requests: [request] } } }),
    ...wrong.map((status) => patch(at, MERGE, { status })),
  )
}

/** A claim that has its devices keeps them until it gives them back. */
function reservations(): FuzzCase {
  const path = `${CLAIMS}/reserved/status`
  const set = (status: TreeObject): FuzzRequest => ({ method: 'PATCH', path, type: MERGE, body: { status } })
  const device = { driver: 'd.example.com', pool: 'p', device: 'x' }
  const consumer = { resource: 'pods', name: 'p', uid: 'u' }
  return found(
    'resource.k8s.io/v1 ResourceClaim',
    'reservations of a claim',
    store(CLAIMS, { metadata: { name: 'reserved' }, spec: { devices: { requests: [request] } } }),
    set({ allocation, devices: [device], reservedFor: [consumer] }),
    set({ allocation: { devices: { results: [{ ...result, device: 'y' }] } } }),
    set({ reservedFor: null }),
    set({ allocation: null }),
  )
}

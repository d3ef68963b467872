import type { FuzzCase, FuzzRequest } from '../fuzz-case.ts'
import { number, type Tree, type TreeObject } from '../json-tree.ts'
import { create, found, MERGE, patch, store } from './found-case.ts'

const CLASSES = '/apis/resource.k8s.io/v1/deviceclasses'
const SLICES = '/apis/resource.k8s.io/v1/resourceslices'

const pool = { name: 'p', generation: 1, resourceSliceCount: 1 }
const slice = { driver: 'd.example.com', pool, nodeName: 'n' }
const spread = { driver: 'd.example.com', pool, perDeviceNodeSelection: true }
const policy = { default: '2', validRange: { min: '1', max: '10', step: '1' } }

/** Classes and slices of devices, with mistakes in each part. */
export function devices(): FuzzCase[] {
  return [
    classes('expressions of a class', ...expressions().map((expression) => selecting(expression))),
    classes('selectors and configurations of a class', ...classParts()),
    classChanges(),
    slices('nodes of a slice', ...nodes()),
    slices('pools of a slice', ...pools()),
    slices('names of devices', ...named()),
    slices(
      'attributes of devices',
      ...attributes().map((attribute) => withDevice({ attributes: attribute })),
    ),
    slices('capacities of devices', ...policies()),
    slices('taints and conditions of devices', ...taints()),
    slices('counters of a slice', ...counters()),
    slices('nodes of devices', ...deviceNodes()),
    sliceChanges(),
  ]
}

function classes(what: string, ...specs: readonly TreeObject[]): FuzzCase {
  const metadata = { name: 'c.example.com' }
  return found(
    'resource.k8s.io/v1 DeviceClass',
    what,
    ...specs.map((spec) => create(CLASSES, { metadata, spec })),
  )
}

function slices(what: string, ...specs: readonly TreeObject[]): FuzzCase {
  const metadata = { name: 's' }
  return found(
    'resource.k8s.io/v1 ResourceSlice',
    what,
    ...specs.map((spec) => create(SLICES, { metadata, spec })),
  )
}

function selecting(expression: string): TreeObject {
  return { selectors: [{ cel: { expression } }] }
}

function expressions(): string[] {
  const attribute = 'device.attributes["d.example.com"].a'
  const nested = (depth: number): string =>
    depth === 0
      ? 'true'
      : `device.attributes.exists(k${depth}, device.attributes[k${depth}].exists(j${depth}, ${nested(depth - 1)}))`
  return [
    '',
    ' ',
    '\n\n',
    'true',
    '1',
    'device',
    'device.driver',
    'device.unknown',
    'device.driver == "d"',
    'device.allowMultipleAllocations',
    'device.attributes',
    'device.attributes["d.example.com"]',
    'device.capacity',
    attribute,
    `${attribute}.b`,
    `${attribute} == 1 && ${attribute}.isGreaterThan(semver("1.0.0"))`,
    `${attribute} + 1`,
    `${attribute}.matches("(")`,
    `${attribute}.matches("a*b")`,
    'device.capacity["d.example.com"].memory.isGreaterThan(quantity("1Gi"))',
    'device.capacity["d.example.com"].memory == 1',
    'quantity("x").isInteger()',
    'cel.bind(a, device.attributes["d.example.com"], a.x && a.y)',
    'authorizer.path("/").check("get").allowed()',
    nested(1),
    nested(2),
    nested(3),
    `device.driver == "${'x'.repeat(10_240)}"`,
  ]
}

function classParts(): TreeObject[] {
  const parameters = { a: 'b' }
  const configured = (...config: readonly Tree[]): TreeObject => ({ config })
  return [
    {},
    { selectors: [{}] },
    { selectors: [{ cel: {} }] },
    { selectors: Array.from({ length: 33 }, () => ({})) },
    configured({}),
    configured({ opaque: { driver: 'd.example.com', parameters } }),
    configured({ opaque: { driver: 'A b', parameters: 'text' } }),
    configured({ opaque: { parameters: null } }),
    configured({ opaque: { driver: 'd.example.com', parameters: { a: number('9007199254740992') } } }),
    configured(...Array.from({ length: 33 }, () => ({}))),
    ...['', 'cpu', 'example.com/gpu', 'requests.example.com/gpu', 'a b/c', 'kubernetes.io/x'].map(
      (extendedResourceName) => ({ extendedResourceName }),
    ),
  ]
}

function classChanges(): FuzzCase {
  const path = `${CLASSES}/changed.example.com`
  return found(
    'resource.k8s.io/v1 DeviceClass',
    'changes of a class',
    store(CLASSES, { metadata: { name: 'changed.example.com' }, spec: selecting('true') }),
    patch(path, MERGE, { spec: selecting('1') }),
    patch(path, MERGE, { spec: selecting('false') }),
    patch(path, MERGE, { metadata: { generateName: 'Not a name-' } }),
  )
}

function withDevice(device: TreeObject, of: TreeObject = slice): TreeObject {
  return { ...of, devices: [{ name: 'a', ...device }] }
}

function nodes(): TreeObject[] {
  const { nodeName: _, ...none } = slice
  const term = { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }
  return [
    none,
    slice,
    { ...none, nodeName: '' },
    { ...none, nodeName: 'A b' },
    { ...slice, allNodes: true },
    { ...none, allNodes: false },
    { ...none, perDeviceNodeSelection: false },
    { ...none, allNodes: true, perDeviceNodeSelection: true },
    { ...none, nodeSelector: {} },
    { ...none, nodeSelector: { nodeSelectorTerms: [] } },
    { ...none, nodeSelector: { nodeSelectorTerms: [term] } },
    { ...none, nodeSelector: { nodeSelectorTerms: [term, {}] } },
    {
      ...none,
      nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a b', operator: 'Is' }] }] },
    },
    {},
  ]
}

function pools(): TreeObject[] {
  return [
    { driver: 'D.example.com' },
    { driver: 'a b' },
    { pool: {} },
    { pool: { ...pool, name: '' } },
    { pool: { ...pool, name: 'a/b' } },
    { pool: { ...pool, name: 'A//b' } },
    { pool: { ...pool, name: 'x'.repeat(254) } },
    { pool: { ...pool, resourceSliceCount: 0 } },
    { pool: { ...pool, resourceSliceCount: -1, generation: -1 } },
    { pool: { ...pool, generation: 0 } },
    { devices: [], sharedCounters: [] },
  ].map((part) => ({ ...slice, ...part }))
}

function named(): TreeObject[] {
  const many = (count: number, more: TreeObject = {}): TreeObject => ({
    ...slice,
    devices: Array.from({ length: count }, (_, at) => ({ name: `d${at}`, ...more })),
  })
  const taint = { key: 'a', effect: 'NoSchedule', timeAdded: '2020-01-01T00:00:00Z' }
  return [
    { ...slice, devices: [{}] },
    { ...slice, devices: [{ name: 'A b' }] },
    { ...slice, devices: [{ name: 'a' }, { name: 'a' }] },
    many(128),
    many(129),
    many(64, { taints: [taint] }),
    many(65, { taints: [taint] }),
  ]
}

function attributes(): TreeObject[] {
  return [
    {},
    { a: {} },
    { a: { int: 1 } },
    { a: { bool: false } },
    { a: { int: 1, bool: true } },
    { a: { string: 'b', version: '1.0.0', int: -1 } },
    { a: { string: 'x'.repeat(65) } },
    { a: { version: '1.0' } },
    { a: { version: '1.0.0-rc.1+b' } },
    { a: { version: `1.0.0-${'x'.repeat(64)}` } },
    { a: { strings: ['a'] } },
    { a: { int: 1, ints: [1] } },
    { 'd.example.com/a': { int: 1 } },
    { '/a': { int: 1 } },
    { 'd.example.com/': { int: 1 } },
    { 'A b/c': { int: 1 } },
    { '1a': { int: 1 } },
    { 'a/b/c': { int: 1 } },
    { [`d.example.com/${'x'.repeat(33)}`]: { int: 1 } },
    { [`${'d'.repeat(64)}/${'x'.repeat(40)}`]: {} },
    Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`a${at}`, { int: at }])),
    Object.fromEntries(Array.from({ length: 49 }, (_, at) => [`a${at}`, { int: at }])),
  ]
}

function policies(): TreeObject[] {
  const of = (requestPolicy: TreeObject, value = '10'): TreeObject =>
    withDevice({ allowMultipleAllocations: true, capacity: { m: { value, requestPolicy } } })
  const { validRange } = policy
  return [
    withDevice({ capacity: { m: {} } }),
    withDevice({ capacity: { m: { value: '1Gi', requestPolicy: policy } } }),
    withDevice({ allowMultipleAllocations: false, capacity: { m: { value: '1', requestPolicy: {} } } }),
    of({}),
    of(policy),
    of({ default: '1' }),
    of({ validRange }),
    of({ default: '2', validRange: {} }),
    of({ ...policy, validValues: ['1'] }),
    of({ validValues: ['1'] }),
    of({ default: '1', validValues: ['1', '2'] }),
    of({ default: '1', validValues: ['2', '1'] }),
    of({ default: '1', validValues: ['1', '1', '1000m', '900m'] }),
    of({ default: '3', validValues: ['1', '20'] }),
    of({ default: '1', validValues: Array.from({ length: 11 }, (_, at) => String(at)) }),
    of({ ...policy, default: '0' }),
    of({ ...policy, default: '11' }),
    of(policy, '1'),
    of({ default: '2', validRange: { min: '3', max: '1' } }),
    of({ default: '2', validRange: { min: '1', step: '2' } }),
    of({ default: '2', validRange: { min: '1', step: '20' } }),
    of({ default: '3', validRange: { min: '1', max: '4', step: '2' } }),
    of({ default: '1500m', validRange: { min: '1', step: '500m' } }),
  ]
}

function taints(): TreeObject[] {
  const timeAdded = '2020-01-01T00:00:00Z'
  const taint = (part: TreeObject): TreeObject => withDevice({ taints: [{ timeAdded, ...part }] })
  const conditions = (bindingConditions: Tree, bindingFailureConditions: Tree): TreeObject =>
    withDevice({ bindingConditions, bindingFailureConditions })
  return [
    taint({}),
    taint({ key: 'a', effect: 'NoSchedule' }),
    taint({ key: 'a b', value: 'c d', effect: 'Later' }),
    taint({ key: 'a', value: 'b', effect: 'None' }),
    withDevice({ taints: Array.from({ length: 17 }, () => ({ timeAdded })) }),
    withDevice({ bindingConditions: ['a'] }),
    withDevice({ bindingFailureConditions: ['a'] }),
    conditions([], ['b']),
    conditions(['a'], []),
    conditions(['a'], ['b']),
    conditions(['a', 'a'], ['a', 'b', 'b']),
    conditions(['A b', ''], ['/']),
    conditions(['a', 'b', 'c', 'd', 'e'], ['f']),
  ]
}

function counters(): TreeObject[] {
  const shared = (...sharedCounters: readonly Tree[]): TreeObject => ({ ...slice, sharedCounters })
  const consumed = (...consumesCounters: readonly Tree[]): TreeObject => withDevice({ consumesCounters })
  const some = { a: { value: '1' } }
  const many = Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`c${at}`, { value: '1' }]))
  return [
    shared({}),
    shared({ name: 'a', counters: some }),
    shared({ name: 'A b', counters: { 'A b': { value: '1' }, [`x${'y'.repeat(70)}`]: {} } }),
    shared({ name: 'a', counters: some }, { name: 'a', counters: {} }),
    shared({ name: 'a', counters: many }),
    shared(...Array.from({ length: 9 }, (_, at) => ({ name: `s${at}`, counters: some }))),
    consumed({}),
    consumed({ counterSet: 'a', counters: some }),
    consumed({ counterSet: 'a', counters: many }, { counterSet: 'a', counters: some }),
    consumed({ counterSet: 'A b', counters: { 'A b': {} } }),
    consumed(...Array.from({ length: 3 }, (_, at) => ({ counterSet: `s${at}`, counters: some }))),
  ]
}

function deviceNodes(): TreeObject[] {
  const at = [
    {},
    { nodeName: 'n' },
    { nodeName: '' },
    { nodeName: 'A b' },
    { allNodes: true },
    { allNodes: false },
    { nodeSelector: {} },
    { nodeName: 'n', allNodes: true },
    { nodeName: 'n', allNodes: true, nodeSelector: { nodeSelectorTerms: [{}, {}] } },
  ]
  return [...at.map((device) => withDevice(device, spread)), ...at.map((device) => withDevice(device))]
}

function sliceChanges(): FuzzCase {
  const path = `${SLICES}/changed`
  const change = (spec: TreeObject): FuzzRequest => patch(path, MERGE, { spec })
  const timeAdded = '2020-01-01T00:00:00Z'
  return found(
    'resource.k8s.io/v1 ResourceSlice',
    'changes of a slice',
    store(SLICES, { metadata: { name: 'changed' }, spec: withDevice({ attributes: { a: { int: 1 } } }) }),
    change({ driver: 'e.example.com' }),
    change({ nodeName: 'm' }),
    change({ nodeName: null, allNodes: true }),
    change({ pool: { name: 'q', generation: 2 } }),
    change({ pool: { generation: 2 } }),
    change({ devices: [{ name: 'a', attributes: { a: { int: 1, ints: [1] } } }] }),
    change({ devices: [{ name: 'a', taints: [{ key: 'a b', effect: 'NoSchedule', timeAdded }] }] }),
    change({ devices: [{ name: 'a', taints: [{ key: 'a', effect: 'NoSchedule' }] }] }),
  )
}

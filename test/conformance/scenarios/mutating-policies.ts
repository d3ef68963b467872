import {
  configMap,
  configMaps,
  deployment,
  deployments,
  pod,
  pods,
  secret,
  secrets,
  widget,
  widgetDefinition,
  widgets,
} from '../objects.ts'
import { bound, inEffect, rules, unbound, withPolicy, written, type Fields } from '../policy-objects.ts'
import { scenario, topic, type Scenario, type Step } from '../scenario.ts'
import { apply, create, merge } from '../steps.ts'

const shown = {
  show: ({ data, metadata, spec }: Record<string, any>) =>
    ({ data, labels: metadata.labels, annotations: metadata.annotations, spec }) as unknown,
}
const make = (body: unknown, path = configMaps): Step => create(path, body, shown)
const applies = (expression: string): Fields => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
})
const patches = (expression: string): Fields => ({ patchType: 'JSONPatch', jsonPatch: { expression } })
const mutations = (...all: readonly Fields[]): Fields => ({ reinvocationPolicy: 'Never', mutations: all })
const changes = (title: string, spec: Fields, ...steps: readonly Step[]): Scenario =>
  withPolicy('Mutating', title, spec, {}, ...steps)
const refused = (title: string, spec: Fields): Scenario => written('Mutating', title, spec)
const good = configMap('good', { team: 'a' })
const label = "Object{metadata: Object.metadata{labels: {'team': 'a'}}}"
const container = { containers: [{ name: 'a', image: 'a' }], automountServiceAccountToken: false }

const configurations: readonly Scenario[] = [
  changes(
    'a label',
    mutations(applies(label)),
    make(good),
    make(configMap('more', {}, { labels: { b: 'c' } })),
  ),
  changes(
    'a field of data',
    mutations(applies("Object{data: {'added': object.metadata.name}}")),
    make(good),
    merge(`${configMaps}/good`, { data: { added: 'x', other: 'y' } }, shown),
    apply(
      `${configMaps}/applied`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' } },
      shown,
    ),
  ),
  changes(
    'two mutations, the second of what the first made',
    mutations(
      applies("Object{data: {'one': '1'}}"),
      applies("Object{data: {'two': object.data['one'] + '2'}}"),
    ),
    make(good),
  ),
  changes(
    'a list by its keys',
    {
      ...mutations(
        applies(
          "Object{spec: Object.spec{initContainers: [Object.spec.initContainers{name: 'mesh', image: 'mesh:1', restartPolicy: 'Always'}]}}",
        ),
      ),
      matchConstraints: rules(['pods'], { operations: ['CREATE'] }),
    },
    create(pods, pod('a', container), {
      show: ({ spec }) =>
        (spec.initContainers as { name: string }[]).map(({ name, ...more }) => [name, more]),
    }),
  ),
  changes(
    'numbers',
    {
      ...mutations(applies('Object{spec: Object.spec{replicas: object.spec.replicas + 2}}')),
      matchConstraints: rules(['deployments'], { operations: ['CREATE'] }),
    },
    create(deployments, deployment('a', { replicas: 2 }), { show: ({ spec }) => spec.replicas as unknown }),
  ),
  changes(
    'a custom kind',
    { ...mutations(applies('Object{spec: Object.spec{size: 7}}')), matchConstraints: rules(['widgets']) },
    make(widget('a', { size: 5 }), widgets),
  ),
  changes(
    'variables',
    {
      ...mutations(applies("Object{data: {'upper': variables.upper}}")),
      variables: [{ name: 'upper', expression: 'object.metadata.name.upperAscii()' }],
    },
    make(good),
  ),
  changes(
    'optional fields',
    mutations(applies("Object{?data: has(object.data) ? optional.of({'seen': 'yes'}) : optional.none()}")),
    make(good),
    make(configMap('empty')),
  ),
  changes('nothing', mutations(applies('Object{}')), make(good)),
  changes(
    'a field that the schema does not know',
    mutations(applies('Object{spec: Object.spec{a: 1}}')),
    make(good),
  ),
  changes('a value of another type', mutations(applies("Object{data: {'a': 1}}")), make(good)),
  changes(
    'an object of the wrong name',
    mutations(applies("Object{metadata: Object.wrong{labels: {'a': 'b'}}}")),
    make(good),
  ),
  changes(
    'an atomic list',
    {
      ...mutations(
        applies("Object{spec: Object.spec{containers: [Object.spec.containers{name: 'a', args: ['b']}]}}"),
      ),
      matchConstraints: rules(['pods'], { operations: ['CREATE'] }),
    },
    make(pod('a', container), pods),
  ),
  changes('an expression that fails', mutations(applies("Object{data: {'a': object.none}}")), make(good)),
  changes(
    'an expression that fails, and the failure policy Ignore',
    { ...mutations(applies("Object{data: {'a': object.none}}"), applies(label)), failurePolicy: 'Ignore' },
    make(good),
  ),
  changes(
    'two expressions that fail',
    mutations(applies("Object{data: {'a': object.none}}"), applies("Object{data: {'a': object.other}}")),
    make(good),
  ),
  changes('a result that validation refuses', mutations(applies("Object{data: {'a b': 'c'}}")), make(good)),
  changes('a dry run', mutations(applies(label)), create(`${configMaps}?dryRun=All`, good, shown)),
]

const jsonPatches: readonly Scenario[] = [
  changes(
    'JSONPatch: add',
    mutations(patches("[JSONPatch{op: 'add', path: '/data/added', value: 'yes'}]")),
    make(good),
  ),
  changes(
    'JSONPatch: replace and remove',
    mutations(
      patches(
        "[JSONPatch{op: 'replace', path: '/data/team', value: 'b'}, JSONPatch{op: 'add', path: '/data/x', value: 'y'}, JSONPatch{op: 'remove', path: '/data/x'}]",
      ),
    ),
    make(good),
  ),
  changes(
    'JSONPatch: copy and move',
    mutations(
      patches(
        "[JSONPatch{op: 'copy', from: '/data/team', path: '/data/copy'}, JSONPatch{op: 'move', from: '/data/copy', path: '/data/moved'}]",
      ),
    ),
    make(good),
  ),
  changes(
    'JSONPatch: test',
    mutations(
      patches(
        "[JSONPatch{op: 'test', path: '/data/team', value: 'a'}, JSONPatch{op: 'add', path: '/data/tested', value: 'yes'}]",
      ),
    ),
    make(good),
    make(configMap('other', { team: 'b' })),
  ),
  changes(
    'JSONPatch: an object',
    mutations(
      patches("[JSONPatch{op: 'add', path: '/metadata/labels', value: Object.metadata.labels{team: 'a'}}]"),
    ),
    make(good),
  ),
  changes(
    'JSONPatch: a map and escaped keys',
    mutations(
      patches(
        "[JSONPatch{op: 'add', path: '/metadata/labels', value: {}}, JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a.example.com/b~c'.replace('~', '-')), value: 'd'}]",
      ),
    ),
    make(good),
  ),
  changes(
    'JSONPatch: escapeKey',
    mutations(patches("[JSONPatch{op: 'add', path: '/data/escaped', value: jsonpatch.escapeKey('a/b~c')}]")),
    make(good),
  ),
  changes(
    'JSONPatch: a path that is not there',
    mutations(patches("[JSONPatch{op: 'remove', path: '/data/none'}]")),
    make(good),
  ),
  changes(
    'JSONPatch: operations that do not exist',
    mutations(patches("[JSONPatch{op: object.data.op, path: '/data/a', value: 'x'}]")),
    make(configMap('a', { op: 'change' })),
    make(configMap('b', { op: '' })),
    make(configMap('c', { op: 'ADD' })),
    make(configMap('d', { op: 'add' })),
  ),
  changes(
    'JSONPatch: an operation without a name',
    mutations(patches("[JSONPatch{path: '/data/a', value: 'x'}]")),
    make(good),
  ),
  changes(
    'JSONPatch: fields that the kind does not have',
    mutations(
      patches(
        "[JSONPatch{op: 'add', path: '/metadata/finalizers', value: ['A B']}, JSONPatch{op: 'add', path: '/nowhere', value: {'a': 'b'}}]",
      ),
    ),
    make(good),
  ),
  changes(
    'JSONPatch: a field that a custom kind does not have',
    {
      ...mutations(patches("[JSONPatch{op: 'add', path: '/spec/nowhere', value: 1}]")),
      matchConstraints: rules(['widgets']),
    },
    create(widgets, widget('a', { size: 1 }), { show: ({ spec }) => spec as unknown }),
  ),
  changes('JSONPatch: none', mutations(patches('[]')), make(good)),
  changes(
    'JSONPatch: lists made by a macro',
    {
      ...mutations(
        patches(
          "object.spec.containers.map(c, JSONPatch{op: 'add', path: '/metadata/labels/' + c.name, value: 'seen'})",
        ),
      ),
      matchConstraints: rules(['pods'], { operations: ['CREATE'] }),
    },
    create(pods, pod('a', container, { labels: { x: 'y' } }), {
      show: ({ metadata }) => metadata.labels as unknown,
    }),
  ),
]

const forms: readonly Scenario[] = [
  refused('an expression of another type', mutations(applies("{'a': 1}"))),
  refused('a JSONPatch of another type', mutations(patches("[{'op': 'add'}]"))),
  refused('an unknown type', mutations(applies('Other{a: 1}'))),
  refused('fields of a JSONPatch of another type', mutations(patches("[JSONPatch{op: 1, path: '/a'}]"))),
  refused('an object in a matchCondition', {
    ...mutations(applies('Object{}')),
    matchConditions: [{ name: 'a', expression: 'Object{} == null' }],
  }),
  refused('an expression that does not parse', mutations(applies('Object{'))),
  refused('escapeKey outside of a mutation', {
    ...mutations(applies('Object{}')),
    variables: [{ name: 'a', expression: "jsonpatch.escapeKey('a')" }],
  }),
  refused('operations that nothing can change', {
    ...mutations(applies('Object{}')),
    matchConstraints: rules(['configmaps'], { operations: ['DELETE'] }),
  }),
  refused('no mutations', { reinvocationPolicy: 'Never' }),
  refused('no reinvocationPolicy', { mutations: [applies('Object{}')] }),
  refused('both forms of a mutation', mutations({ ...applies('Object{}'), jsonPatch: { expression: '[]' } })),
  refused('a form that is missing', mutations({ patchType: 'JSONPatch' }, { patchType: 'Other' }, {})),
]

const policyOnly = (expression: string): Fields => mutations(applies(expression))
const rounds: readonly Scenario[] = [
  changes(
    'matchConditions',
    { ...policyOnly(label), matchConditions: [{ name: 'a', expression: "object.metadata.name == 'good'" }] },
    make(good),
    make(configMap('other', {})),
  ),
  changes(
    'a matchCondition that fails',
    { ...policyOnly(label), matchConditions: [{ name: 'a', expression: 'object.none == 1' }] },
    make(good),
  ),
  changes(
    'a matchCondition that fails, and the failure policy Ignore',
    {
      ...policyOnly(label),
      failurePolicy: 'Ignore',
      matchConditions: [{ name: 'a', expression: 'object.none == 1' }],
    },
    make(good),
  ),
  changes(
    'a validating policy sees what was changed',
    policyOnly("Object{data: {'team': 'changed'}}"),
    make(configMap('plain', {})),
  ),
  scenario(
    'B native kinds',
    'mutating before validating',
    ...bound('Mutating', policyOnly("Object{data: {'team': 'changed'}}")),
    ...bound('Validating', {
      validations: [
        { expression: "object.data['team'] != 'changed'", messageExpression: "'saw ' + object.data['team']" },
      ],
    }),
    ...inEffect('Mutating'),
    make(good),
    ...unbound('Mutating'),
    ...unbound('Validating').slice(0, 1),
  ),
  scenario(
    'B native kinds',
    'parameters',
    create(secrets, secret('param', { labels: { a: 'from' } }), { show: () => 'made' }),
    ...bound(
      'Mutating',
      {
        ...policyOnly("Object{data: {'by': params.metadata.labels['a']}}"),
        paramKind: { apiVersion: 'v1', kind: 'Secret' },
      },
      { paramRef: { name: 'param', parameterNotFoundAction: 'Deny' } },
    ),
    ...inEffect('Mutating'),
    make(good),
    ...unbound('Mutating'),
  ),
  scenario(
    'B native kinds',
    'parameters that are demanded',
    ...bound(
      'Mutating',
      { ...policyOnly(label), paramKind: { apiVersion: 'conformance.example.com/v1', kind: 'Widget' } },
      { paramRef: { name: 'none', parameterNotFoundAction: 'Deny' } },
    ),
    ...inEffect('Mutating'),
    make(good),
    ...unbound('Mutating'),
  ),
  scenario(
    'B native kinds',
    'a policy that is evaluated again',
    ...bound(
      'Mutating',
      {
        ...policyOnly("Object{data: {'count': has(object.data.count) ? object.data.count + 'x' : 'x'}}"),
        reinvocationPolicy: 'IfNeeded',
      },
      {},
      '-a',
    ),
    ...inEffect('Mutating'),
    make(configMap('once', {})),
    ...unbound('Mutating', ['-a']),
  ),
  scenario(
    'B native kinds',
    'a policy that is not evaluated again',
    ...bound(
      'Mutating',
      policyOnly("Object{data: {'count': has(object.data.count) ? object.data.count + 'x' : 'x'}}"),
      {},
      '-a',
    ),
    ...inEffect('Mutating'),
    make(configMap('once', {})),
    ...unbound('Mutating', ['-a']),
  ),
]

/** MutatingAdmissionPolicies: what they change, and what is refused of them. */
export const mutatingPolicyTopic = topic(
  'mutating-policies',
  [
    ...configurations,
    ...jsonPatches,
    ...forms.map((one) => ({ ...one, title: `written: ${one.title}` })),
    ...rounds,
  ],
  { definitions: [widgetDefinition] },
)

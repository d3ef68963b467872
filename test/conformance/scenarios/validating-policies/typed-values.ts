import {
  configMap,
  configMaps,
  deployment,
  deployments,
  pod,
  pods,
  secret,
  secrets,
  service,
  services,
  widget,
  widgets,
} from '../../objects.ts'
import { rules } from '../../policy-objects.ts'
import type { Scenario, Step } from '../../scenario.ts'
import { apply, create, merge, remove, replace } from '../../steps.ts'
import { demand, denies, good, make, name, tells } from './policy-steps.ts'

const plain = { automountServiceAccountToken: false }
/** An expression whose value for an object of some kind is told by the message of the refusal. */
const tellsOf = (
  title: string,
  resource: string,
  expression: string,
  path: string,
  body: unknown,
): Scenario =>
  denies(
    title,
    {
      validations: [{ expression: 'false', messageExpression: `string(${expression})` }],
      matchConstraints: rules([resource]),
    },
    make(body, path),
  )
/** Requests of each verb, of which the message of the refusal shows something. */
const asked = (title: string, expression: string, ...steps: readonly Step[]): Scenario =>
  denies(
    title,
    {
      validations: [
        { expression: "object == null || !('ask' in object.data)", messageExpression: expression },
      ],
      matchConstraints: rules(['configmaps'], { operations: ['CREATE', 'UPDATE', 'DELETE'] }),
    },
    ...steps,
  )
const ask = configMap('good', { ask: 'yes' })

/** How expressions see the values of objects and of requests. */
export const typedValues: readonly Scenario[] = [
  tellsOf(
    'quantities are texts',
    'pods',
    "string(object.spec.containers[0].resources.limits.cpu) + ' ' + string(object.spec.containers[0].resources.limits.memory) + ' ' + string(quantity(object.spec.containers[0].resources.limits.memory).asInteger())",
    pods,
    pod('a', {
      ...plain,
      containers: [{ name: 'a', image: 'a', resources: { limits: { cpu: '1.50', memory: '1Gi' } } }],
    }),
  ),
  tellsOf(
    'a quantity that was sent as a number',
    'pods',
    'string(type(object.spec.containers[0].resources.limits.cpu) == string) + string(object.spec.containers[0].resources.limits.cpu)',
    pods,
    pod('a', { ...plain, containers: [{ name: 'a', image: 'a', resources: { limits: { cpu: 2 } } }] }),
  ),
  tellsOf(
    'an integer or a text',
    'services',
    "string(object.spec.ports[0].targetPort == 8080) + string(object.spec.ports[1].targetPort == 'web') + string(type(object.spec.ports[0].targetPort) == int)",
    services,
    service('a', {
      clusterIP: 'None',
      ports: [
        { name: 'a', port: 1, targetPort: 8080 },
        { name: 'b', port: 2, targetPort: 'web' },
      ],
    }),
  ),
  tellsOf(
    'bytes of a Secret',
    'secrets',
    "string(type(object.data.a) == string) + object.data.a + string(base64.decode(object.data.a)) + string('stringData' in object)",
    secrets,
    { ...secret('a'), stringData: { a: 'secret' } },
  ),
  tellsOf(
    'times of metadata',
    'configmaps',
    "string(type(object.metadata.creationTimestamp) == string) + string(timestamp(object.metadata.creationTimestamp) > timestamp('2020-01-01T00:00:00Z'))",
    configMaps,
    good,
  ),
  tellsOf(
    'fields that have defaults',
    'deployments',
    'object.spec.strategy.type + string(object.spec.replicas) + object.spec.template.spec.restartPolicy + string(has(object.spec.paused)) + string(has(object.status)) + string(has(object.metadata.generation))',
    deployments,
    deployment('a'),
  ),
  tellsOf(
    'empty lists and maps',
    'pods',
    'string(has(object.spec.volumes)) + string(has(object.spec.nodeSelector)) + string(has(object.spec.securityContext)) + string(has(object.metadata.labels)) + string(has(object.spec.containers[0].resources))',
    pods,
    pod('a', { ...plain, volumes: [], nodeSelector: {} }, { labels: {} }),
  ),
  tellsOf(
    'numbers of a custom kind',
    'widgets',
    'string(type(object.spec.size) == int) + string(object.spec.port == 80) + string(type(object.spec.raw.big) == int) + string(type(object.spec.raw.half) == double) + string(object.spec.raw.big)',
    widgets,
    widget('a', { size: 3, port: 80, raw: { big: 9007199254740, half: 0.5 } }),
  ),
  tellsOf(
    'defaults of a custom kind',
    'widgets',
    'string(object.spec.size) + string(object.spec.parts[0].count) + string(has(object.spec.color)) + string(has(object.status))',
    widgets,
    widget('a', { parts: [{ name: 'p' }] }),
  ),
  tellsOf(
    'lists of a custom kind compared',
    'widgets',
    "string(object.spec.tags == ['b', 'a']) + string(object.spec.order == ['b', 'a']) + string(object.spec.tags + ['c'] == ['a', 'b', 'c'])",
    widgets,
    widget('a', { tags: ['a', 'b'], order: ['a', 'b'] }),
  ),
  tellsOf(
    'keys that are no identifiers',
    'configmaps',
    "object.data['a.b'] + object.metadata.labels['example.com/c'] + string('x' in object.data)",
    configMaps,
    configMap('a', { 'a.b': 'c' }, { labels: { 'example.com/c': 'd' } }),
  ),
  tellsOf(
    'fields whose names are reserved words',
    'pods',
    "object.metadata.namespace == request.namespace ? 'same' : 'other'",
    pods,
    pod('a', plain),
  ),
  tells('optional fields', "object.?data.team.orValue('none') + object.?none.team.orValue('none')"),
  tells('the uid of the request', 'string(has(request.uid))'),
  asked(
    'the options of each verb',
    "request.operation + ' ' + request.options.kind + ' ' + (has(request.options.fieldManager) ? request.options.fieldManager : 'none') + ' ' + (has(request.options.dryRun) ? string(request.options.dryRun[0]) : 'real')",
    create(`${configMaps}?fieldManager=me`, ask),
    create(`${configMaps}?dryRun=All`, ask),
    make(good),
    merge(`${configMaps}/good?fieldManager=you`, { data: { ask: 'yes' } }),
    replace(`${configMaps}/good?dryRun=All`, ask),
    apply(`${configMaps}/good?force=true`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'good' },
      data: { ask: 'yes' },
    }),
    apply(`${configMaps}/new`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'new' },
      data: { ask: 'yes' },
    }),
  ),
  denies(
    'the options of a deletion',
    {
      validations: [
        {
          expression: 'has(request.options.gracePeriodSeconds) && object == null',
          messageExpression:
            "request.operation + ' ' + request.options.kind + ' ' + (has(request.options.propagationPolicy) ? request.options.propagationPolicy : 'none') + ' ' + oldObject.metadata.name",
        },
      ],
      matchConstraints: rules(['configmaps'], { operations: ['DELETE'] }),
    },
    make(good),
    remove(`${configMaps}/good`),
    remove(`${configMaps}/good`, { propagationPolicy: 'Orphan' }),
    remove(`${configMaps}/good?gracePeriodSeconds=3`, undefined, { show: () => 'gone' }),
  ),
  denies(
    'an update is compared with what was stored',
    {
      ...demand("oldObject == null || object.data['team'] == oldObject.data['team']", {
        messageExpression: "oldObject.data['team'] + ' became ' + object.data['team']",
      }),
    },
    make(good),
    merge(`${configMaps}/good`, { data: { team: 'b' } }),
    merge(`${configMaps}/good`, { data: { more: 'b' } }, name),
    replace(`${configMaps}/good`, configMap('good', { team: 'c' })),
  ),
  denies(
    'an update that changes nothing',
    demand('oldObject == null'),
    make(good),
    replace(`${configMaps}/good`, good),
    merge(`${configMaps}/good`, {}),
  ),
  denies(
    'the managed fields of an update',
    {
      validations: [
        {
          expression: 'oldObject == null',
          messageExpression:
            "has(object.metadata.managedFields) ? object.metadata.managedFields.map(m, m.manager + ' ' + m.operation).join(', ') : 'none'",
        },
      ],
    },
    create(`${configMaps}?fieldManager=one`, good, name),
    merge(`${configMaps}/good?fieldManager=two`, { data: { more: 'b' } }),
  ),
]

/** The authorizer in expressions. */
export const authorizers: readonly Scenario[] = [
  tells(
    'the authorizer: a reason, and whether there was an error',
    "authorizer.serviceAccount('default', 'none').group('').resource('pods').check('get').reason() + '|' + string(authorizer.group('').resource('pods').check('get').errored()) + authorizer.group('').resource('pods').check('get').error()",
  ),
  tells(
    'the authorizer: subresources and names',
    "string(authorizer.group('apps').resource('deployments').subresource('scale').namespace('default').name('a').check('update').allowed())",
  ),
  tells(
    'the authorizer: selectors',
    "string(authorizer.group('').resource('pods').fieldSelector('spec.nodeName=a').labelSelector('a=b').check('list').allowed())",
  ),
  tells(
    'the authorizer: selectors that no parser can read',
    "string(authorizer.group('').resource('pods').fieldSelector('=').labelSelector('=').check('list').allowed())",
  ),
  denies(
    'the authorizer: a namespace with an invalid name',
    demand("authorizer.serviceAccount('A B', 'none').path('/').check('get').allowed()"),
    make(good),
  ),
  denies(
    'the authorizer: a path that is empty',
    demand("authorizer.path('').check('get').allowed()"),
    make(good),
  ),
  denies(
    'the authorizer: in a variable',
    {
      ...demand('variables.may'),
      variables: [
        {
          name: 'may',
          expression: "authorizer.serviceAccount('default', 'none').path('/metrics').check('get').allowed()",
        },
      ],
    },
    make(good),
  ),
  denies(
    'the authorizer: in a matchCondition',
    {
      ...demand('false'),
      matchConditions: [
        {
          name: 'a',
          expression: "authorizer.serviceAccount('default', 'none').path('/metrics').check('get').allowed()",
        },
      ],
    },
    make(good),
  ),
  denies(
    'the authorizer: of the resource of an update',
    demand(
      "authorizer.requestResource.check('delete').allowed() && authorizer.requestResource.name('x').check('get').allowed()",
    ),
    make(good),
    merge(`${configMaps}/good`, { data: { a: 'b' } }, name),
  ),
]

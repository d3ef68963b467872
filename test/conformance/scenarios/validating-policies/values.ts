import { deployment, deployments, widget, widgets } from '../../objects.ts'
import { rules } from '../../policy-objects.ts'
import type { Scenario } from '../../scenario.ts'
import { bad, demand, denies, gives, good, make, refused, tells } from './policy-steps.ts'

export const values: readonly Scenario[] = [
  tells(
    'the variable request',
    "request.operation + ' ' + request.resource.resource + ' ' + request.kind.kind + ' ' + request.name + ' ' + request.requestResource.version + ' ' + string(request.dryRun)",
  ),
  tells(
    'the variable request has no subresource',
    'string(has(request.subResource)) + string(has(request.requestSubResource)) + string(has(request.options))',
  ),
  tells('the options of a request', "request.options.kind + ' ' + request.options.apiVersion"),
  tells(
    'the variable namespaceObject',
    "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == request.namespace ? 'labels ' + namespaceObject.status.phase + ' ' + namespaceObject.spec.finalizers[0] : 'other'",
  ),
  tells(
    'a new object has a uid',
    "string(has(object.metadata.uid)) + string(has(object.metadata.creationTimestamp)) + string(has(object.metadata.resourceVersion)) + string(has(object.metadata.managedFields)) + ' ' + object.apiVersion + ' ' + object.kind",
  ),
  tells(
    'a number is an integer',
    'string(type(object.metadata.name)) + string(type(object.data)) + string(size(object.data))',
  ),
  denies(
    'the numbers of a native object',
    {
      ...demand('object.spec.replicas + 1 == 3 && type(object.spec.replicas) == int'),
      matchConstraints: rules(['deployments']),
    },
    make(deployment('a', { replicas: 2 }), deployments),
    make(deployment('b', { replicas: 1 }), deployments),
  ),
  gives(
    'the authorizer, of what the user may do',
    "authorizer.group('').resource('configmaps').namespace(request.namespace).check('create').allowed()",
  ),
  gives(
    'the authorizer, of what a service account may not',
    "authorizer.serviceAccount(request.namespace, 'none').group('').resource('secrets').check('get').allowed()",
  ),
  gives(
    'the authorizer of the resource of the request',
    "authorizer.requestResource.check('create').allowed() && !authorizer.serviceAccount(request.namespace, 'none').path('/metrics').check('get').allowed()",
  ),
  gives(
    'libraries',
    "quantity('1Gi').isGreaterThan(quantity('500M')) && ip('10.0.0.1').family() == 4 && object.metadata.name.matches('^g.*d$') && url('https://a/b').getHost() == 'a' && sets.contains([1, 2], [1]) && isSemver('1.2.3')",
  ),
  denies(
    'a custom kind',
    { ...demand('object.spec.size > 3'), matchConstraints: rules(['widgets']) },
    make(widget('a', { size: 5 }), widgets),
    make(widget('b', { size: 2 }), widgets),
  ),
]

export const variables: readonly Scenario[] = [
  denies(
    'variables',
    {
      variables: [
        {
          name: 'team',
          expression: "has(object.data) && 'team' in object.data ? object.data['team'] : 'none'",
        },
        { name: 'upper', expression: 'variables.team.upperAscii()' },
      ],
      validations: [{ expression: "variables.upper == 'A'", messageExpression: "'team ' + variables.upper" }],
    },
    make(good),
    make(bad),
  ),
  denies(
    'a variable that fails and is not looked at',
    {
      variables: [{ name: 'broken', expression: 'object.none.more' }],
      ...demand("object.metadata.name == 'good' || variables.broken == 1"),
    },
    make(good),
    make(bad),
  ),
  denies(
    'a variable that fails in another',
    {
      variables: [
        { name: 'broken', expression: 'object.none.more' },
        { name: 'next', expression: 'variables.broken' },
      ],
      ...demand('variables.next == 1'),
    },
    make(bad),
  ),
  refused('a variable that stands behind its use', {
    variables: [
      { name: 'first', expression: 'variables.second' },
      { name: 'second', expression: '1' },
    ],
    ...demand('variables.first == 1'),
  }),
  refused('a variable that is not declared', {
    variables: [{ name: 'a', expression: '1' }],
    ...demand('variables.b == 1'),
  }),
  refused('variables of types', {
    variables: [
      { name: 'a', expression: '1' },
      { name: 'b', expression: "['x']" },
      { name: 'c', expression: "{'k': 1.5}" },
    ],
    ...demand("variables.a == 'x' || variables.b == 1 || variables.c == 'x'"),
  }),
  refused('variables without any', demand('variables.b == 1')),
  refused('the name of a variable', {
    variables: [
      { name: 'a-b', expression: '1' },
      { name: 'in', expression: '1' },
      { expression: '1' },
      { name: 'c' },
    ],
    ...demand('true'),
  }),
]

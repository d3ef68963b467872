import type { Fields } from '../../policy-objects.ts'
import type { Scenario } from '../../scenario.ts'
import { demand, denies, good, kinds, make, refused } from './policy-steps.ts'

const annotation = (valueExpression: string): Fields => ({
  auditAnnotations: [{ key: 'note', valueExpression }],
})
export const forms: readonly Scenario[] = [
  refused('an expression that does not parse', demand('object.')),
  refused('an expression of another type', demand('object.metadata.name')),
  refused('an expression that gives a text', demand("'a'")),
  refused('an expression with an unknown variable', demand('nothing == 1')),
  refused('an expression with an unknown function', demand('nothing(object)')),
  refused('an expression with types that do not fit', demand("'a' == 1")),
  refused('a field that request does not have', demand('request.object == null')),
  refused(
    'fields that namespaceObject does not have',
    demand("namespaceObject.kind == '' || namespaceObject.metadata.managedFields == 1"),
  ),
  refused('params without paramKind', demand('params == 1')),
  ...(
    [
      ['v1', ''],
      ['', 'ConfigMap'],
      ['a/b/c', 'X y'],
      ['a_b/v1', 'configMap'],
      ['a/1', '1Map'],
    ] as const
  ).map(([apiVersion, kind]) =>
    refused(`the paramKind ${JSON.stringify(apiVersion)} ${JSON.stringify(kind)}`, {
      ...demand('true'),
      paramKind: { apiVersion, kind },
    }),
  ),
  refused('an auditAnnotation too many', {
    auditAnnotations: Array.from({ length: 21 }, (_, index) => ({
      key: `k${index}`,
      valueExpression: "'a'",
    })),
  }),
  refused('two auditAnnotations of one key', {
    auditAnnotations: ['a', 'a'].map((key) => ({ key, valueExpression: "'a'" })),
  }),
  refused('params with paramKind', { ...demand('params == 1'), paramKind: kinds }),
  refused('a constant that makes no sense', demand("object.metadata.name.matches('[')")),
  refused('a messageExpression of another type', demand('true', { messageExpression: '1' })),
  refused(
    'a messageExpression with the authorizer',
    demand('true', { messageExpression: "authorizer.path('/').check('get').reason()" }),
  ),
  refused(
    'a messageExpression that gives any value',
    demand('true', { messageExpression: 'object.metadata.name' }),
  ),
  refused('a messageExpression that does not parse', demand('true', { messageExpression: 'a b' })),
  refused('an auditAnnotation of another type', annotation('1')),
  refused('an auditAnnotation that gives any value', annotation('object.metadata.name')),
  refused('an auditAnnotation that gives a text or null', annotation("has(object.data) ? 'a' : null")),
  refused('an auditAnnotation that gives a text', annotation("'a'")),
  refused('a matchCondition of another type', {
    ...demand('true'),
    matchConditions: [
      { name: 'a', expression: ' 1 ' },
      { name: 'b', expression: 'variables.a == 1' },
    ],
  }),
  refused('the names of matchConditions', {
    ...demand('true'),
    matchConditions: [
      { name: 'a b', expression: 'true' },
      { name: 'c', expression: 'true' },
      { name: 'c', expression: 'true' },
      { name: 'd', expression: ' ' },
    ],
  }),
  refused('an expression of two lines', demand('true ||\n false')),
  refused('an expression that is an emoji', demand('😀')),
  refused('an expression with mistakes beside an emoji', demand("nothing + '😀😀' + other + 'é' + third")),
  refused('an expression with an emoji on the line before a mistake', demand("'😀' + // 😀\n '😀' + other")),
  refused('an expression that makes an object', demand('Object{a: 1} == null')),
  refused('all that is wrong with a validation', {
    validations: [{ expression: ' ', messageExpression: ' ', message: ' ', reason: 'None' }],
  }),
  refused('more than 64 matchConditions', {
    ...demand('true'),
    matchConditions: Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: 'true' })),
  }),
  denies(
    'an auditAnnotation that fails',
    { ...demand('true'), auditAnnotations: [{ key: 'note', valueExpression: "object.none + ''" }] },
    make(good),
  ),
  denies(
    'an auditAnnotation that fails, and the failure policy Ignore',
    {
      ...demand('true'),
      failurePolicy: 'Ignore',
      auditAnnotations: [{ key: 'note', valueExpression: "object.none + ''" }],
    },
    make(good),
  ),
]

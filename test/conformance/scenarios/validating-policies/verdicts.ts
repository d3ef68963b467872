import { configMap, configMaps } from '../../objects.ts'
import { bound, inEffect, rules, unbound, withPolicy } from '../../policy-objects.ts'
import { scenario, type Scenario } from '../../scenario.ts'
import { apply, create, merge, remove, replace } from '../../steps.ts'
import { bad, demand, denies, gives, good, hasData, make, name, refused } from './policy-steps.ts'

export const verdicts: readonly Scenario[] = [
  denies('an object that meets the expression is stored', demand(hasData), make(good)),
  denies('an object that does not is refused, with the expression', demand(hasData), make(bad)),
  denies('a refusal has the message', demand(hasData, { message: ' say whose it is ' }), make(bad)),
  denies(
    'a refusal has what the messageExpression gives',
    demand(hasData, { message: 'not this', messageExpression: "'name: ' + object.metadata.name + ' '" }),
    make(bad),
  ),
  denies(
    'a messageExpression that fails leaves the message',
    demand(hasData, { message: 'this', messageExpression: "object.none + ''" }),
    make(bad),
  ),
  denies(
    'a messageExpression that gives nothing leaves the message',
    demand(hasData, { message: 'this', messageExpression: "'  '" }),
    make(bad),
  ),
  denies(
    'a messageExpression of two lines leaves the expression',
    demand(hasData, { messageExpression: "'a\\nb'" }),
    make(bad),
  ),
  denies(
    'a messageExpression of more than 5 KiB leaves the message',
    demand(hasData, { message: 'short', messageExpression: `'${'x'.repeat(5121)}'` }),
    make(bad),
  ),
  ...['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized'].map((reason) =>
    reason === 'Unauthorized'
      ? refused(`the reason ${reason}`, demand(hasData, { reason }))
      : denies(`a refusal has the reason ${reason}`, demand(hasData, { reason }), make(bad)),
  ),
  denies(
    'the first of two expressions is told of',
    {
      validations: [
        { expression: hasData, message: 'first' },
        { expression: 'false', message: 'second' },
      ],
    },
    make(bad),
    make(good),
  ),
  denies(
    'a generated name',
    demand(hasData),
    create(
      configMaps,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'gen-' } },
      { ignore: ['message', 'details.name'] },
    ),
  ),
  denies('a dry run is refused as well', demand(hasData), create(`${configMaps}?dryRun=All`, bad)),
  denies(
    'updates and patches',
    demand(hasData),
    make(good),
    merge(`${configMaps}/good`, { data: null }),
    replace(`${configMaps}/good`, configMap('good', {})),
    apply(`${configMaps}/new`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' } }),
    merge(`${configMaps}/good`, { data: { more: 'b' } }, name),
  ),
  denies(
    'deletions see the old object',
    {
      ...demand("object == null && oldObject.metadata.name != 'good'"),
      matchConstraints: rules(['configmaps'], { operations: ['DELETE'] }),
    },
    make(good),
    make(configMap('other', {})),
    remove(`${configMaps}/good`),
    remove(`${configMaps}/other`, undefined, { show: () => 'gone' }),
  ),
  denies(
    'the deletion of a collection',
    {
      ...demand('request.name != "good"'),
      matchConstraints: rules(['configmaps'], { operations: ['DELETE'] }),
    },
    make(good),
    remove(configMaps, undefined, { show: ({ kind }) => kind as unknown }),
  ),
  withPolicy(
    'Validating',
    'the action Warn',
    demand(hasData, { message: 'be warned' }),
    { validationActions: ['Warn'] },
    make(bad),
    make(good),
  ),
  withPolicy('Validating', 'the action Audit', demand(hasData), { validationActions: ['Audit'] }, make(bad)),
  withPolicy(
    'Validating',
    'the actions Warn and Audit',
    demand(hasData),
    { validationActions: ['Warn', 'Audit'] },
    make(bad),
  ),
  withPolicy(
    'Validating',
    'two warnings',
    {
      validations: [
        { expression: 'false', message: 'one' },
        { expression: 'false', message: 'two' },
      ],
    },
    { validationActions: ['Warn'] },
    make(bad),
  ),
  withPolicy(
    'Validating',
    'an error is a warning as well',
    demand('object.none == 1'),
    { validationActions: ['Warn'] },
    make(bad),
  ),
  scenario(
    'B native kinds',
    'a policy without a binding',
    ...bound('Validating', demand('false')).slice(0, 1),
    ...inEffect('Validating'),
    make(good),
  ),
  scenario(
    'B native kinds',
    'a policy that changes is used as it is then',
    ...bound('Validating', demand('false', { message: 'before' })),
    ...inEffect('Validating'),
    create(configMaps, good),
    merge(
      '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/{ns}-validating',
      { spec: demand('true') },
      { show: () => 'done' },
    ),
    create(configMaps, good, { ...name, until: 201 }),
    ...unbound('Validating'),
  ),
]

export const errors: readonly Scenario[] = [
  gives('a field that is not there', "object.none.more == 'a'"),
  gives('a field that is not there, and the failure policy Ignore', "object.none.more == 'a'", {
    failurePolicy: 'Ignore',
  }),
  denies(
    'an error after a denial',
    { validations: [{ expression: 'false', message: 'denied' }, { expression: 'object.none == 1' }] },
    make(good),
  ),
  denies(
    'a denial after an error',
    { validations: [{ expression: 'object.none == 1' }, { expression: 'false', message: 'denied' }] },
    make(good),
  ),
  gives('the old object of a new object', "oldObject.metadata.name == 'a'"),
  gives('an index that is not there', "object.metadata.name.split('o')[9] == 'a'"),
  gives('a number that is none', 'int(object.metadata.name) == 1'),
  gives('types that do not fit at run time', 'object.metadata.name == 1 || object.metadata.name > 1'),
  gives(
    'an expression that costs too much',
    'lists.range(1000).all(x, lists.range(1000).all(y, x + y >= 0))'.replaceAll(
      'lists.range(1000)',
      `[${Array.from({ length: 400 }, (_, index) => index).join(',')}]`,
    ),
  ),
  denies(
    'expressions that cost too much together',
    {
      validations: Array.from({ length: 14 }, () => ({
        expression: `[${Array.from({ length: 300 }, (_, index) => index).join(',')}].all(x, [${Array.from({ length: 300 }, (_, index) => index).join(',')}].all(y, x + y >= 0))`,
      })),
    },
    make(good),
  ),
]

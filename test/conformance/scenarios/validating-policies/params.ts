import { configMap, configMaps, gadget, gadgets, secret, secrets, widget, widgets } from '../../objects.ts'
import { bound, inEffect, rule, rules, unbound, type Fields } from '../../policy-objects.ts'
import { scenario, type Scenario, type Step } from '../../scenario.ts'
import { create, merge, remove } from '../../steps.ts'
import { demand, good, kinds, make } from './policy-steps.ts'

const limit = {
  ...demand("!has(params.data) || int(params.data['most']) >= size(object.metadata.name)", {
    messageExpression: "'at most ' + params.data['most']",
  }),
  paramKind: kinds,
  matchConstraints: rules(['secrets']),
}
const param = (most: string, more: Fields = {}, called = 'limit'): Step =>
  make(configMap(called, { most }, more))
/**
 * The policy of the first scenario stays in effect: a kube-apiserver stops reading ConfigMaps once no policy has them as
 * parameters, and does not begin again.
 */
export const params: readonly Scenario[] = [
  scenario(
    'B native kinds',
    'parameters by name',
    param('3'),
    ...bound('Validating', limit, { paramRef: { name: 'limit', parameterNotFoundAction: 'Deny' } }),
    ...inEffect('Validating'),
    make(secret('abc'), secrets),
    make(secret('abcd'), secrets),
    ...unbound('Validating').slice(1),
  ),
  scenario(
    'B native kinds',
    'parameters by name and namespace',
    param('3'),
    ...bound('Validating', limit, {
      paramRef: { name: 'limit', namespace: '{ns}', parameterNotFoundAction: 'Deny' },
    }),
    ...inEffect('Validating'),
    make(secret('abcd'), secrets),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'parameters that are not there are demanded',
    ...bound('Validating', limit, { paramRef: { name: 'none', parameterNotFoundAction: 'Deny' } }),
    ...inEffect('Validating'),
    make(secret('abc'), secrets),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'parameters that are not there are demanded, and the failure policy Ignore',
    ...bound(
      'Validating',
      { ...limit, failurePolicy: 'Ignore' },
      { paramRef: { name: 'none', parameterNotFoundAction: 'Deny' } },
    ),
    ...inEffect('Validating'),
    make(secret('abc'), secrets),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'parameters that are not there are not demanded',
    ...bound('Validating', limit, { paramRef: { name: 'none', parameterNotFoundAction: 'Allow' } }),
    ...inEffect('Validating'),
    make(secret('abcdef'), secrets),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'parameters by a selector',
    param('3', { labels: { a: 'b' } }, 'one'),
    param('5', { labels: { a: 'c' } }, 'two'),
    ...bound('Validating', limit, {
      paramRef: { selector: { matchLabels: { a: 'b' } }, parameterNotFoundAction: 'Deny' },
    }),
    ...inEffect('Validating'),
    make(secret('abc'), secrets),
    make(secret('abcd'), secrets),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'two parameters by a selector warn twice',
    param('3', { labels: { a: 'b' } }, 'one'),
    param('3', { labels: { a: 'b' } }, 'two'),
    ...bound('Validating', limit, {
      validationActions: ['Warn'],
      paramRef: { selector: { matchLabels: { a: 'b' } }, parameterNotFoundAction: 'Deny' },
    }),
    ...inEffect('Validating'),
    make(secret('abcd'), secrets),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'a selector that selects nothing',
    ...bound('Validating', limit, {
      paramRef: { selector: { matchLabels: { a: 'b' } }, parameterNotFoundAction: 'Deny' },
    }),
    ...inEffect('Validating'),
    make(secret('abc'), secrets),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'a binding without paramRef',
    ...bound('Validating', { ...limit, ...demand('params == null', { message: 'no parameters' }) }),
    ...inEffect('Validating'),
    make(secret('abc'), secrets),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'a paramRef that no paramKind goes with',
    ...bound('Validating', demand('false'), { paramRef: { name: 'none', parameterNotFoundAction: 'Deny' } }),
    ...inEffect('Validating'),
    make(good),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'a paramKind that is not served',
    ...bound(
      'Validating',
      {
        ...demand('true'),
        paramKind: { apiVersion: 'rules.example.com/v1', kind: 'Limit' },
        matchConstraints: {
          ...rules(['configmaps']),
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } },
        },
      },
      { paramRef: { name: 'none', parameterNotFoundAction: 'Allow' } },
    ),
    ...inEffect('Validating'),
    make(good),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'a paramKind that is not served, and the failure policy Ignore',
    ...bound(
      'Validating',
      {
        ...demand('true'),
        failurePolicy: 'Ignore',
        paramKind: { apiVersion: 'rules.example.com/v1', kind: 'Limit' },
        matchConstraints: {
          ...rules(['configmaps']),
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } },
        },
      },
      { paramRef: { name: 'none', parameterNotFoundAction: 'Allow' } },
    ),
    ...inEffect('Validating'),
    make(good),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'parameters of a custom kind',
    make(widget('limit', { size: 3 }), widgets),
    ...bound(
      'Validating',
      {
        ...demand('size(object.metadata.name) <= params.spec.size', {
          messageExpression: "params.kind + ' ' + params.apiVersion + ' ' + params.metadata.name",
        }),
        paramKind: { apiVersion: 'conformance.example.com/v1', kind: 'Widget' },
      },
      { paramRef: { name: 'limit', parameterNotFoundAction: 'Deny' } },
    ),
    ...inEffect('Validating'),
    make(configMap('abc', {})),
    make(configMap('abcd', {})),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'parameters without a namespace',
    create(gadgets, gadget('{ns}-limit'), { show: () => 'made' }),
    ...bound(
      'Validating',
      {
        ...demand("params.metadata.name == 'x'", { message: 'by a gadget' }),
        paramKind: { apiVersion: 'conformance.example.com/v1', kind: 'Gadget' },
      },
      { paramRef: { name: '{ns}-limit', parameterNotFoundAction: 'Deny' } },
    ),
    ...inEffect('Validating'),
    make(good),
    ...unbound('Validating'),
    remove(`${gadgets}/{ns}-limit`, undefined, { show: () => 'gone' }),
  ),
  scenario(
    'B native kinds',
    'a namespace for parameters that have none',
    ...bound(
      'Validating',
      { ...demand('true'), paramKind: { apiVersion: 'conformance.example.com/v1', kind: 'Gadget' } },
      { paramRef: { name: 'a', namespace: '{ns}', parameterNotFoundAction: 'Deny' } },
    ),
    ...inEffect('Validating'),
    make(good),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'parameters with a namespace for objects without',
    ...bound(
      'Validating',
      {
        ...demand('true'),
        paramKind: kinds,
        matchConditions: [{ name: 'own', expression: "object.metadata.name.startsWith('{ns}')" }],
        matchConstraints: rules(['gadgets']),
      },
      {
        matchResources: {
          namespaceSelector: {},
          resourceRules: [rule(['gadgets'], { resourceNames: ['{ns}-a'] })],
        },
        paramRef: { name: 'a', parameterNotFoundAction: 'Deny' },
      },
    ),
    ...inEffect('Validating'),
    create(gadgets, gadget('{ns}-a')),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'parameters in matchConditions',
    param('3'),
    ...bound(
      'Validating',
      {
        ...limit,
        ...demand('false'),
        matchConditions: [
          { name: 'long', expression: "size(object.metadata.name) > int(params.data['most'])" },
        ],
      },
      { paramRef: { name: 'limit', parameterNotFoundAction: 'Deny' } },
    ),
    ...inEffect('Validating'),
    make(secret('abc'), secrets),
    make(secret('abcd'), secrets),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'parameters that change and go',
    param('3'),
    ...bound('Validating', limit, { paramRef: { name: 'limit', parameterNotFoundAction: 'Deny' } }),
    ...inEffect('Validating'),
    make(secret('abcd'), secrets),
    merge(`${configMaps}/limit`, { data: { most: '4' } }, { show: () => 'changed' }),
    create(`${secrets}?dryRun=All`, secret('abcd'), { until: 201, show: () => 'allowed' }),
    remove(`${configMaps}/limit`, undefined, { show: () => 'gone' }),
    create(`${secrets}?dryRun=All`, secret('abcd'), { until: 403 }),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'parameters in variables, messages and a matchCondition',
    param('3'),
    ...bound(
      'Validating',
      {
        paramKind: kinds,
        matchConstraints: rules(['secrets']),
        matchConditions: [{ name: 'set', expression: "'most' in params.data" }],
        variables: [{ name: 'most', expression: "int(params.data['most'])" }],
        validations: [
          {
            expression: 'size(object.metadata.name) <= variables.most',
            messageExpression: "'at most ' + params.data['most'] + ' of ' + params.metadata.name",
          },
        ],
      },
      { paramRef: { name: 'limit', parameterNotFoundAction: 'Deny' } },
    ),
    ...inEffect('Validating'),
    make(secret('abcd'), secrets),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'parameters in the namespace of a Namespace',
    ...bound(
      'Validating',
      {
        ...limit,
        matchConstraints: rules(['namespaces'], { resourceNames: ['{ns}-own'] }),
      },
      {
        matchResources: { namespaceSelector: {} },
        paramRef: { name: 'limit', parameterNotFoundAction: 'Deny' },
      },
    ),
    ...inEffect('Validating'),
    create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{ns}-own' } }),
    ...unbound('Validating'),
  ),
]

import type { Step } from './transcript.ts'

export const GROUP = 'cel.example.com'

type Schema = Record<string, unknown>

interface Definition {
  readonly plural: string
  readonly kind: string
  readonly schema: Schema
  readonly subresources?: object
  readonly more?: object
}

/** A CustomResourceDefinition of one version. */
export function definition({ plural, kind, schema, subresources, more }: Definition): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          ...(subresources && { subresources }),
          ...more,
        },
      ],
    },
  }
}

export const text = { type: 'string' }
export const integer = { type: 'integer' }
export const rule = (expression: string, more: object = {}): object => ({ rule: expression, ...more })

export const spec = (properties: Schema, ...rules: readonly object[]): Schema => ({
  type: 'object',
  properties: {
    spec: { type: 'object', properties, ...(rules.length > 0 && { 'x-kubernetes-validations': rules }) },
  },
})

export const RULED: Definition = {
  plural: 'ruleds',
  kind: 'Ruled',
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
  schema: {
    type: 'object',
    'x-kubernetes-validations': [
      rule("self.metadata.name != 'forbidden'", { message: 'this name is taken' }),
      rule('!has(self.status) || self.status.replicas <= self.spec.replicas', {
        message: 'too many are there',
      }),
    ],
    properties: {
      spec: {
        type: 'object',
        'x-kubernetes-validations': [
          rule('!has(self.min) || !has(self.max) || self.min <= self.max', {
            message: 'min is above max',
            fieldPath: '.min',
          }),
          rule("!has(self.mode) || self.mode != 'bad'", {
            messageExpression: "'the mode ' + self.mode + ' is not allowed'",
            reason: 'FieldValueForbidden',
            fieldPath: '.mode',
          }),
          rule('!has(oldSelf.fixed) || (has(self.fixed) && self.fixed == oldSelf.fixed)', {
            message: 'fixed cannot change',
            reason: 'FieldValueRequired',
          }),
        ],
        properties: {
          replicas: {
            ...integer,
            default: 1,
            'x-kubernetes-validations': [
              rule('self >= 0'),
              rule('self <= oldSelf + 2', { message: 'at most two more at once' }),
            ],
          },
          min: integer,
          max: integer,
          mode: { ...text, maxLength: 10 },
          fixed: { ...text, maxLength: 10 },
          once: {
            ...text,
            maxLength: 10,
            'x-kubernetes-validations': [
              rule('oldSelf.hasValue() ? self == oldSelf.value() : self.startsWith("a")', {
                optionalOldSelf: true,
                message: 'begins with a, and stays',
              }),
            ],
          },
          names: {
            type: 'array',
            maxItems: 5,
            'x-kubernetes-list-type': 'set',
            items: { ...text, maxLength: 5, 'x-kubernetes-validations': [rule("self != 'no'")] },
          },
          ports: {
            type: 'array',
            maxItems: 5,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: {
              type: 'object',
              required: ['name'],
              'x-kubernetes-validations': [
                rule('self.port >= oldSelf.port', { message: 'ports only grow' }),
                rule("self.name != 'dup'", { reason: 'FieldValueDuplicate' }),
              ],
              properties: { name: { ...text, maxLength: 10 }, port: integer },
            },
          },
          labels: {
            type: 'object',
            maxProperties: 5,
            additionalProperties: {
              ...text,
              maxLength: 10,
              'x-kubernetes-validations': [rule('size(self) > 1')],
            },
            'x-kubernetes-validations': [rule("self.all(k, k.startsWith('x'))", { messageExpression: "''" })],
          },
          level: { 'x-kubernetes-int-or-string': true, 'x-kubernetes-validations': [rule('self > 1')] },
          when: { ...text, format: 'date-time' },
          wait: {
            ...text,
            format: 'duration',
            'x-kubernetes-validations': [rule("self < duration('1h')")],
          },
          list: {
            type: 'array',
            maxItems: 3,
            items: integer,
            'x-kubernetes-validations': [rule('self[2] > 0', { message: 'the third is above zero' })],
          },
          nothing: { ...text, nullable: true, 'x-kubernetes-validations': [rule("self == 'x'")] },
          address: { ...text, maxLength: 50, 'x-kubernetes-validations': [rule('ip(self).family() == 4')] },
        },
      },
      status: {
        type: 'object',
        properties: {
          replicas: integer,
          phase: {
            ...text,
            maxLength: 10,
            'x-kubernetes-validations': [rule("self in ['Ready', 'Waiting']")],
          },
        },
      },
    },
  },
}

/** Its rules hold for what is new, not for what was there before: the definition is made stricter in between. */
export const LOOSE: Definition = {
  plural: 'ratchets',
  kind: 'Ratchet',
  schema: spec({ size: integer, color: text, names: { type: 'array', items: text }, other: text }),
}
export const STRICT: Schema = spec({
  size: { ...integer, maximum: 5, 'x-kubernetes-validations': [rule('self != 9', { message: 'not nine' })] },
  color: { ...text, enum: ['red'] },
  names: {
    type: 'array',
    maxItems: 10,
    'x-kubernetes-list-type': 'set',
    items: { ...text, maxLength: 10, 'x-kubernetes-validations': [rule("self != 'bad'")] },
  },
  other: text,
})

export const EXPENSIVE: Definition = {
  plural: 'expensives',
  kind: 'Expensive',
  schema: spec({
    list: {
      type: 'array',
      maxItems: 200,
      items: integer,
      'x-kubernetes-validations': [
        rule('self.all(x, self.all(y, x + y < 1000000))', { message: 'the sums are small' }),
        rule('self.size() > 0'),
      ],
    },
    word: {
      ...text,
      maxLength: 400,
      'x-kubernetes-validations': [rule("self.matches('^(a|b|c)*$')")],
    },
  }),
}

export const MIXED: Definition = {
  plural: 'mixeds',
  kind: 'Mixed',
  schema: spec({
    either: { 'x-kubernetes-int-or-string': true },
    nullable: { ...text, nullable: true },
    plain: text,
    color: { ...text, enum: ['red', 'green'], nullable: true },
    strictColor: { ...text, enum: ['red', null], nullable: true },
    defaulted: { ...text, default: 'd', nullable: true },
    filled: { ...text, default: 'f' },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: integer } },
    embedded: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    nested: { type: 'object', properties: { a: { ...integer, default: 7 } } },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    keyed: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a', 'b'],
      items: {
        type: 'object',
        required: ['a'],
        properties: { a: text, b: { ...integer, default: 1 }, c: text },
      },
    },
    mail: { ...text, format: 'email' },
    address: { ...text, format: 'ipv4' },
    bytes: { ...text, format: 'byte' },
    number: { type: 'number', exclusiveMinimum: true, minimum: 0, multipleOf: 0.5 },
    small: { ...integer, format: 'int32' },
    bounded: { ...integer, format: 'int64', minimum: -1.5, maximum: 10.5 },
    stepped: { ...integer, multipleOf: 1.5 },
  }),
}

export const object = (kind: string, name: string, more: object = {}) => ({
  apiVersion: `${GROUP}/v1`,
  kind,
  metadata: { name, namespace: '~' },
  ...more,
})
export const paths = {
  ruleds: `/apis/${GROUP}/v1/~/ruleds`,
  ratchets: `/apis/${GROUP}/v1/~/ratchets`,
  expensives: `/apis/${GROUP}/v1/~/expensives`,
  mixeds: `/apis/${GROUP}/v1/~/mixeds`,
  definitions: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
}

export const post = (say: string, path: string, body: object): Step => ({ say, method: 'POST', path, body })
export const patch = (say: string, path: string, body: object): Step => ({ say, method: 'PATCH', path, body })
export const ruled = (say: string, name: string, fields: object): Step =>
  post(say, paths.ruleds, object('Ruled', name, { spec: fields }))
export const mixed = (say: string, name: string, fields: object): Step =>
  post(say, paths.mixeds, object('Mixed', name, { spec: fields }))
export const define = (say: string, schema: Schema, more: object = {}): Step =>
  post(say, paths.definitions, definition({ plural: 'bads', kind: 'Bad', schema, more }))

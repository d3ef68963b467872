import {
  GROUP,
  text,
  integer,
  rule,
  spec,
  object,
  paths,
  post,
  patch,
  ruled,
  mixed,
  define,
} from './rule-samples.ts'
import type { Step } from './transcript.ts'

/** The requests of clients to the kinds of `rule-samples.ts`, by the name of the recorded answers. */
export const conversations: Record<string, Step[]> = {
  'rules-of-custom-resources': [
    ruled('a name that a rule refuses', 'forbidden', {}),
    ruled('one field against another', 'a', { min: 5, max: 1 }),
    ruled('a message that is made', 'a', { mode: 'bad' }),
    ruled('several rules at once', 'a', { min: 5, max: 1, mode: 'bad', replicas: -1 }),
    ruled('an element of a list', 'a', { names: ['yes', 'no'] }),
    ruled('an element with keys', 'a', { ports: [{ name: 'dup', port: 1 }] }),
    ruled('a value of a map', 'a', { labels: { xa: 'z' } }),
    ruled('a message that is empty', 'a', { labels: { a: 'zz' } }),
    ruled('text where the rule takes a number', 'a', { level: 'high' }),
    ruled('a duration', 'a', { wait: '2h' }),
    ruled('an index that is not there', 'a', { list: [1] }),
    ruled('a function that fails', 'a', { address: 'nowhere' }),
    ruled('a rule for a new value', 'a', { once: 'b' }),
    ruled('a value of the wrong type keeps rules from being evaluated', 'a', { min: 'x', mode: 'bad' }),
    ruled('a value that is too long as well', 'a', { fixed: 'much too long a text', mode: 'bad' }),
    ruled('null has no rules', 'a', { nothing: null }),
    ruled('what is right', 'ok', {
      min: 1,
      max: 2,
      fixed: 'f',
      once: 'abc',
      ports: [{ name: 'x', port: 5 }],
      labels: { xa: 'zz' },
      level: 5,
      wait: '5m',
      list: [1, 2, 3],
      address: '10.0.0.1',
    }),
    patch('a change that a rule refuses', `${paths.ruleds}/ok`, { spec: { fixed: 'g' } }),
    patch('the removal of what must stay', `${paths.ruleds}/ok`, { spec: { fixed: null } }),
    patch('too large a step', `${paths.ruleds}/ok`, { spec: { replicas: 5 } }),
    patch('an element found by its key', `${paths.ruleds}/ok`, { spec: { ports: [{ name: 'x', port: 4 }] } }),
    patch('another element', `${paths.ruleds}/ok`, { spec: { ports: [{ name: 'y', port: 4 }] } }),
    patch('a value that stays', `${paths.ruleds}/ok`, { spec: { once: 'abd' } }),
    patch('the status', `${paths.ruleds}/ok/status`, { status: { phase: 'Lost' } }),
    patch('the status against the spec', `${paths.ruleds}/ok/status`, { status: { replicas: 5 } }),
    patch('the status as it should be', `${paths.ruleds}/ok/status`, {
      status: { phase: 'Ready', replicas: 1 },
    }),
    patch('the spec against the status', `${paths.ruleds}/ok`, { spec: { replicas: 0 } }),
    {
      say: 'the scale',
      method: 'PATCH',
      path: `${paths.ruleds}/ok/scale`,
      body: { spec: { replicas: 9 } },
    },
  ],
  'rules-that-cost-too-much': [
    post(
      'few elements',
      paths.expensives,
      object('Expensive', 'few', { spec: { list: [1, 2, 3], word: 'abc' } }),
    ),
    post(
      'many elements',
      paths.expensives,
      object('Expensive', 'many', { spec: { list: Array.from({ length: 200 }, (_, index) => index) } }),
    ),
    post(
      'a sum that is too large',
      paths.expensives,
      object('Expensive', 'large', { spec: { list: [999_999, 1] } }),
    ),
    post('a long text', paths.expensives, object('Expensive', 'long', { spec: { word: 'a'.repeat(400) } })),
  ],
  'definitions-with-wrong-rules': [
    define('a field that is not there', spec({ a: integer }, rule('self.b > 1'))),
    define('a type that does not fit', spec({ a: integer }, rule("self.a == 'x'"))),
    define('no boolean', spec({ a: integer }, rule('self.a'))),
    define('no expression', spec({ a: integer }, rule('self.a >'))),
    define('an empty rule', spec({ a: integer }, rule('  '))),
    define('an unknown function', spec({ a: integer }, rule('nope(self.a)'))),
    define('lines without a message', spec({ a: integer }, rule('self.a > 1 &&\nself.a < 5'))),
    define('a message of several lines', spec({ a: integer }, rule('self.a > 1', { message: 'a\nb' }))),
    define('an empty message', spec({ a: integer }, rule('self.a > 1', { message: ' ' }))),
    define(
      'a message that is no text',
      spec({ a: integer }, rule('self.a > 1', { messageExpression: 'self.a' })),
    ),
    define(
      'a message that is none',
      spec({ a: integer }, rule('self.a > 1', { messageExpression: 'self.x' })),
    ),
    define('an unknown reason', spec({ a: integer }, rule('self.a > 1', { reason: 'Because' }))),
    define('a path to nowhere', spec({ a: integer }, rule('self.a > 1', { fieldPath: '.b' }))),
    define(
      'a path through a list',
      spec(
        { a: { type: 'array', maxItems: 1, items: integer } },
        rule('size(self.a) > 0', { fieldPath: '.a[0]' }),
      ),
    ),
    define(
      'an old value that is not used',
      spec({ a: integer }, rule('self.a > 1', { optionalOldSelf: true })),
    ),
    define(
      'an old value that cannot be found',
      spec({
        a: {
          type: 'array',
          maxItems: 3,
          items: { ...integer, 'x-kubernetes-validations': [rule('self > oldSelf')] },
        },
      }),
    ),
    define(
      'a list without an end',
      spec({ a: { type: 'array', items: text } }, rule('self.a.all(x, self.a.all(y, x != y))')),
    ),
    define(
      'a little too expensive',
      spec(
        { a: { type: 'array', maxItems: 1500, items: integer } },
        rule('self.a.all(x, self.a.all(y, x != y))'),
      ),
    ),
    define(
      'often a little',
      spec({
        a: { type: 'array', items: { ...text, 'x-kubernetes-validations': [rule("self.contains('x')")] } },
      }),
    ),
    define('a constant that is none', spec({ a: text }, rule("duration('x') < duration('1h')"))),
    define('a pattern that is none', spec({ a: { ...text, maxLength: 5 } }, rule("self.a.matches('[')"))),
    define('a list of several types', spec({ a: integer }, rule("self.a in [1, 'a']"))),
    define(
      'a field that is preserved',
      spec({ a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }, rule('self.a.b == 1')),
    ),
    define('a name with a dash', spec({ 'a-b': integer }, rule('self.a-b > 1'))),
    define(
      'a rule where nothing is known',
      spec({
        a: { 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-validations': [rule('true')] },
      }),
    ),
    define(
      'a rule for a list of what is not known',
      spec({
        a: {
          type: 'array',
          maxItems: 2,
          items: { 'x-kubernetes-preserve-unknown-fields': true },
          'x-kubernetes-validations': [rule('self.size() > 0')],
        },
      }),
    ),
    define('a rule for metadata', {
      type: 'object',
      'x-kubernetes-validations': [rule("self.metadata.labels['a'] == 'b'")],
    }),
    define('functions that there are not', spec({ a: integer }, rule('cel.bind(x, self.a, x > 1)'))),
    define('several mistakes', spec({ a: integer }, rule("self.a == 'x' && self.b && nope()"))),
    define(
      'an optional old value as if it were there',
      spec({
        a: { ...integer, 'x-kubernetes-validations': [rule('self > oldSelf', { optionalOldSelf: true })] },
      }),
    ),
    define(
      'a message that costs too much',
      spec(
        { a: { type: 'array', items: text } },
        rule('size(self.a) > 0', {
          messageExpression: "self.a.map(x, self.a.map(y, x + y).join('')).join('')",
        }),
      ),
    ),
  ],
  'definitions-that-are-wrong': [
    define('no type', { properties: {} }),
    define('a root that is a list', { type: 'array', items: text }),
    define('a field without a type', spec({ a: {} })),
    define('an unknown type', spec({ a: { type: 'text' } })),
    define('a list without items', spec({ a: { type: 'array' } })),
    define('a reference', spec({ a: { $ref: '#/x' } })),
    define('unique items', spec({ a: { type: 'array', uniqueItems: true, items: text } })),
    define(
      'properties of both kinds',
      spec({ a: { type: 'object', properties: { b: text }, additionalProperties: text } }),
    ),
    define('metadata with more', {
      type: 'object',
      properties: {
        metadata: { type: 'object', properties: { labels: { type: 'object', additionalProperties: text } } },
      },
    }),
    define(
      'a set of objects',
      spec({
        a: {
          type: 'array',
          'x-kubernetes-list-type': 'set',
          items: { type: 'object', properties: { b: text } },
        },
      }),
    ),
    define(
      'a map without keys',
      spec({
        a: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          items: { type: 'object', properties: { b: text } },
        },
      }),
    ),
    define(
      'keys that may be missing',
      spec({
        a: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['b'],
          items: { type: 'object', properties: { b: text } },
        },
      }),
    ),
    define(
      'keys that may be null',
      spec({
        a: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['b'],
          items: { type: 'object', required: ['b'], properties: { b: { ...text, nullable: true } } },
        },
      }),
    ),
    define(
      'elements of a set that may be null',
      spec({ a: { type: 'array', 'x-kubernetes-list-type': 'set', items: { ...text, nullable: true } } }),
    ),
    define(
      'an unknown list type',
      spec({ a: { type: 'array', 'x-kubernetes-list-type': 'bag', items: text } }),
    ),
    define('a default of the wrong type', spec({ a: { ...integer, default: 'x' } })),
    define(
      'a default with unknown fields',
      spec({ a: { type: 'object', default: { c: 1 }, properties: { b: integer } } }),
    ),
    define(
      'a default that a rule refuses',
      spec({ a: { ...integer, default: 1, 'x-kubernetes-validations': [rule('self > 1')] } }),
    ),
    define('a default in metadata', {
      type: 'object',
      properties: { metadata: { type: 'object', properties: { name: { ...text, default: 'x' } } } },
    }),
    define('a pattern that is none', spec({ a: { ...text, pattern: '[' } })),
    define('a type in an alternative', spec({ a: { ...integer, anyOf: [{ type: 'integer' }] } })),
    define('a description in an alternative', spec({ a: { ...integer, oneOf: [{ description: 'x' }] } })),
    define(
      'an embedded resource that is no object',
      spec({ a: { ...text, 'x-kubernetes-embedded-resource': true } }),
    ),
    define(
      'an embedded resource without fields',
      spec({ a: { type: 'object', 'x-kubernetes-embedded-resource': true } }),
    ),
    define(
      'preserving nothing',
      spec({ a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false } }),
    ),
    define('a kind that is a number', { type: 'object', properties: { kind: integer } }),
    define('nullable at the root', { type: 'object', nullable: true }),
    define('a column without a path', spec({ a: text }), {
      additionalPrinterColumns: [{ name: 'A', type: 'string' }],
    }),
    define('a column of an unknown type', spec({ a: text }), {
      additionalPrinterColumns: [{ name: 'A', type: 'text', jsonPath: '.spec.a' }],
    }),
    define('a scale outside of the spec', spec({ a: integer }), {
      subresources: { scale: { specReplicasPath: '.a', statusReplicasPath: '.spec.a' } },
    }),
    define(
      'a status with more at the root',
      { type: 'object', anyOf: [{ required: ['spec'] }], properties: { spec: { type: 'object' } } },
      { subresources: { status: {} } },
    ),
    define('a selectable list', spec({ a: { type: 'array', items: text } }), {
      selectableFields: [{ jsonPath: '.spec.a' }],
    }),
    define('a selectable field that is not there', spec({ a: text }), {
      selectableFields: [{ jsonPath: '.spec.b' }],
    }),
    define('selectable metadata', spec({ a: text }), { selectableFields: [{ jsonPath: '.metadata.name' }] }),
    define('a selectable field twice', spec({ a: text }), {
      selectableFields: [{ jsonPath: '.spec.a' }, { jsonPath: '.spec.a' }],
    }),
    define('a selectable path that is none', spec({ a: text }), {
      selectableFields: [{ jsonPath: 'spec.a' }],
    }),
    define(
      'too many selectable fields',
      spec(Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`a${index}`, text]))),
      {
        selectableFields: Array.from({ length: 9 }, (_, index) => ({ jsonPath: `.spec.a${index}` })),
      },
    ),
  ],
  'values-of-custom-resources': [
    mixed('a number or a text', 'a1', { either: 5 }),
    mixed('neither', 'a', { either: 1.5 }),
    mixed('null where it may be', 'a2', { nullable: null, color: null, strictColor: null, defaulted: null }),
    mixed('null where it may not be', 'a3', { plain: null, filled: null, nested: null }),
    mixed('a value that is none of those allowed', 'a', { color: 'blue' }),
    mixed('unknown fields', 'a4', { nope: 1, open: { x: 1, known: 2 }, nested: { b: 1 } }),
    mixed('a known field of an open object', 'a', { open: { known: 'x' } }),
    mixed('an embedded resource', 'a5', {
      embedded: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', nope: 1 }, spec: { any: 1 } },
    }),
    mixed('an embedded resource without a kind', 'a', { embedded: { metadata: { name: 'x' } } }),
    mixed('an embedded resource with a wrong name', 'a', {
      embedded: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'X_', labels: { 'a b': 'c' } } },
    }),
    mixed('an embedded resource with metadata that are none', 'a', {
      embedded: { apiVersion: 'v1', kind: 'Pod', metadata: { labels: 'x' } },
    }),
    mixed('a set with duplicates', 'a', { set: ['x', 'y', 'x'] }),
    mixed('keys that come twice', 'a', { keyed: [{ a: 'x' }, { a: 'x', b: 1 }] }),
    mixed('keys that differ', 'a6', { keyed: [{ a: 'x' }, { a: 'x', b: 2 }] }),
    mixed('formats', 'a', { mail: 'x', address: '1', bytes: '!' }),
    mixed('numbers', 'a', { number: 0, small: 5_000_000_000 }),
    mixed('another number', 'a', { number: 0.7 }),
    mixed('bounds that are fractions', 'a', { bounded: 5 }),
    mixed('a step that is a fraction', 'a', { stepped: 3 }),
    post('finalizers without a domain', paths.mixeds, {
      apiVersion: `${GROUP}/v1`,
      kind: 'Mixed',
      metadata: { name: 'f', namespace: '~', finalizers: ['hold', 'foregroundDeletion', 'a/b'] },
    }),
    patch('without them', `${paths.mixeds}/f`, { metadata: { finalizers: null } }),
    mixed('objects where none should be', 'a', { plain: {}, set: {}, nested: [] }),
    post('no metadata', paths.mixeds, { apiVersion: `${GROUP}/v1`, kind: 'Mixed' }),
    post('labels that are none', paths.mixeds, {
      apiVersion: `${GROUP}/v1`,
      kind: 'Mixed',
      metadata: { name: 'l', namespace: '~', labels: { a: 1 } },
    }),
    post('metadata that are none', paths.mixeds, { apiVersion: `${GROUP}/v1`, kind: 'Mixed', metadata: 'x' }),
    post('a spec that is none', paths.mixeds, object('Mixed', 'a', { spec: 'x' })),
    {
      say: 'an apply with null',
      method: 'PATCH',
      path: `${paths.mixeds}/a7?fieldManager=me`,
      contentType: 'application/apply-patch+yaml',
      body: object('Mixed', 'a7', { spec: { plain: null, nullable: null, filled: null } }),
    },
    {
      say: 'the same again',
      method: 'PATCH',
      path: `${paths.mixeds}/a7?fieldManager=me`,
      contentType: 'application/apply-patch+yaml',
      body: object('Mixed', 'a7', { spec: { plain: null, nullable: null, filled: null } }),
    },
  ],
}

/** Sent after the schema of Ratchets has become stricter. */
export const ratcheting: Step[] = [
  patch('another field', `${paths.ratchets}/old`, { spec: { other: 'x' } }),
  patch('a value that was wrong becomes another', `${paths.ratchets}/old`, { spec: { size: 8 } }),
  patch('a value that was wrong becomes right', `${paths.ratchets}/old`, { spec: { color: 'red' } }),
  patch('another field beside a list', `${paths.ratchets}/named`, { spec: { other: 'x' } }),
  patch('a list with a wrong element changes', `${paths.ratchets}/named`, { spec: { names: ['bad', 'c'] } }),
  patch('a list with duplicates keeps them', `${paths.ratchets}/doubles`, {
    spec: { names: ['x', 'x', 'y'] },
  }),
  post('a new object', paths.ratchets, object('Ratchet', 'new', { spec: { size: 9 } })),
]

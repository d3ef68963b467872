import { scenario, type Scenario } from '../../scenario.ts'
import { apply, create } from '../../steps.ts'
import { integer, object, served, spec, text, thing, things } from './thing.ts'

/** Values, formats and lists by their schema. */
export const values: readonly Scenario[] = [
  scenario(
    'B CRDs',
    'hold values to their schema',
    ...served(
      thing(
        spec({
          number: { type: 'integer', minimum: 1, maximum: 10, multipleOf: 2 },
          more: { type: 'number', exclusiveMinimum: true, minimum: 0 },
          text: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]+$' },
          choice: { type: 'string', enum: ['a', 'b'] },
          list: { type: 'array', minItems: 1, maxItems: 2, items: text },
          map: { type: 'object', minProperties: 1, maxProperties: 2, additionalProperties: integer },
          flag: { type: 'boolean' },
        }),
      ),
      create(things, object('a', { number: 11 })),
      create(things, object('a', { number: 3 })),
      create(things, object('a', { more: 0 })),
      create(things, object('a', { text: 'A' })),
      create(things, object('a', { text: 'abcde' })),
      create(things, object('a', { choice: 'c' })),
      create(things, object('a', { list: [] })),
      create(things, object('a', { list: ['1', '2', '3'] })),
      create(things, object('a', { map: {} })),
      create(things, object('a', { map: { a: 1, b: 'x' } })),
      create(things, object('a', { flag: 'yes' })),
      create(things, object('a', { number: null })),
      create(
        things,
        object('a', {
          number: 4,
          more: 0.5,
          text: 'abc',
          choice: 'b',
          list: ['1'],
          map: { a: 1 },
          flag: true,
        }),
      ),
    ),
  ),
  scenario(
    'B CRDs',
    'hold values to combined schemas',
    ...served(
      thing(
        spec(
          { a: integer, b: integer, c: integer },
          {
            required: ['a'],
            oneOf: [{ required: ['b'] }, { required: ['c'] }],
            not: { properties: { a: { enum: [13] } } },
          },
        ),
      ),
      create(things, object('a', { a: 1 })),
      create(things, object('a', { a: 1, b: 1, c: 1 })),
      create(things, object('a', { a: 13, b: 1 })),
      create(things, object('a', { b: 1 })),
      create(things, object('a', { a: 1, b: 1 })),
    ),
  ),
  scenario(
    'B CRDs',
    'know formats',
    ...served(
      thing(
        spec({
          when: { type: 'string', format: 'date-time' },
          day: { type: 'string', format: 'date' },
          how: { type: 'string', format: 'duration' },
          ip: { type: 'string', format: 'ipv4' },
          id: { type: 'string', format: 'uuid' },
          link: { type: 'string', format: 'uri' },
          mail: { type: 'string', format: 'email' },
          bytes: { type: 'string', format: 'byte' },
          odd: { type: 'string', format: 'unheard-of' },
          small: { type: 'integer', format: 'int32' },
        }),
      ),
      create(things, object('a', { when: 'now' })),
      create(things, object('a', { day: '2020-13-01' })),
      create(things, object('a', { how: '5 years' })),
      create(things, object('a', { ip: '1.2.3' })),
      create(things, object('a', { id: 'x' })),
      create(things, object('a', { mail: 'x' })),
      create(things, object('a', { bytes: '!' })),
      create(things, object('a', { small: 3000000000 })),
      create(
        things,
        object('a', {
          when: '2020-01-01T00:00:00Z',
          day: '2020-01-01',
          how: '5m',
          ip: '1.2.3.4',
          odd: 'x',
          link: 'http://a/b',
        }),
      ),
    ),
  ),
  scenario(
    'B CRDs',
    'know lists by their type',
    ...served(
      thing(
        spec({
          set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
          map: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['a', 'b'],
            items: {
              type: 'object',
              required: ['a'],
              properties: { a: text, b: { type: 'string', default: 'x' }, c: text },
            },
          },
        }),
      ),
      create(things, object('a', { set: ['x', 'x'] })),
      create(things, object('a', { map: [{ a: '1' }, { a: '1' }] })),
      create(things, object('a', { map: [{ b: '1' }] })),
      create(things, object('a', { map: [{ a: '1' }, { a: '1', b: 'y' }] })),
      apply(`${things}/a`, object('a', { map: [{ a: '1', c: 'z' }] })),
      apply(`${things}/a?fieldManager=one&force=true`, object('a', { map: [{ a: '1', c: 'z' }] })),
    ),
  ),
  scenario(
    'B CRDs',
    'know numbers that may be text',
    ...served(
      thing(spec({ port: { 'x-kubernetes-int-or-string': true } })),
      create(things, object('a', { port: 80 })),
      create(things, object('b', { port: 'http' })),
      create(things, object('c', { port: 1.5 })),
      create(things, object('c', { port: true })),
    ),
  ),
  scenario(
    'B CRDs',
    'know objects inside of objects',
    ...served(
      thing(
        spec({
          template: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
        }),
      ),
      create(
        things,
        object('a', {
          template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', odd: 1 }, spec: { a: 1 } },
        }),
      ),
      create(things, object('b', { template: { spec: {} } })),
      create(
        things,
        object('b', {
          template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'No_Name', labels: { 'a b': 'c' } } },
        }),
      ),
    ),
  ),
]

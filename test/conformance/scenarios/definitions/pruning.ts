import { scenario, type Scenario } from '../../scenario.ts'
import { create, get, jsonPatch, merge } from '../../steps.ts'
import { brief, integer, object, path, served, spec, text, thing, things } from './thing.ts'

/** Which fields are pruned, kept and filled in. */
export const pruning: readonly Scenario[] = [
  scenario(
    'B CRDs',
    'prune what their schema does not know',
    ...served(
      thing(spec({ known: text, nested: { type: 'object', properties: { a: text } } })),
      create(things, object('a', { known: 'x', unknown: 'y', nested: { a: '1', b: '2' } }, { top: 1 })),
      merge(`${things}/a`, { spec: { other: 1 } }),
    ),
  ),
  scenario(
    'B CRDs',
    'keep unknown fields where they should',
    ...served(
      thing(
        spec({
          any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          some: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            properties: { a: { type: 'object', properties: { b: text } } },
          },
          free: { 'x-kubernetes-preserve-unknown-fields': true },
        }),
      ),
      create(
        things,
        object('a', { any: { x: { y: 1 } }, some: { a: { b: '1', c: '2' }, d: 1 }, free: [1, 'x'] }),
      ),
      create(things, object('b', { free: 'text' })),
    ),
  ),
  scenario(
    'B CRDs',
    'fill in defaults',
    ...served(
      thing({
        spec: {
          type: 'object',
          default: {},
          properties: {
            size: { type: 'integer', default: 3 },
            deep: { type: 'object', default: {}, properties: { a: { type: 'string', default: 'x' } } },
            list: {
              type: 'array',
              items: { type: 'object', properties: { n: { type: 'integer', default: 1 } } },
            },
            none: { type: 'string', nullable: true, default: 'd' },
          },
        },
      }),
      create(things, { apiVersion: '{ns}.example.com/v1', kind: 'Thing', metadata: { name: 'a' } }),
      create(things, object('b', { list: [{}, { n: 5 }], none: null, size: null })),
      merge(`${things}/b`, { spec: { size: null } }),
    ),
  ),
  scenario(
    'B CRDs',
    'fill in defaults on reading what is older',
    ...served(
      thing(spec({ size: integer })),
      create(things, object('a', {})),
      jsonPatch(
        path,
        [
          {
            op: 'add',
            path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/color',
            value: { type: 'string', default: 'red' },
          },
        ],
        brief,
      ),
      { step: 'pass', duration: '1500ms' },
      get(`${things}/a`),
      merge(`${things}/a`, { spec: { size: 2 } }),
    ),
  ),
]

import { scenario, type Scenario } from '../../scenario.ts'
import { create, jsonPatch, merge } from '../../steps.ts'
import { brief, integer, object, path, served, spec, text, thing, things } from './thing.ts'

/** Rules in CEL. */
export const rules: readonly Scenario[] = [
  scenario(
    'B CRDs',
    'hold values to rules',
    ...served(
      thing(
        spec(
          { min: integer, max: integer, name: text, list: { type: 'array', maxItems: 10, items: text } },
          {
            'x-kubernetes-validations': [
              { rule: 'self.min <= self.max', message: 'min must not exceed max' },
              {
                rule: '!has(self.name) || self.name.startsWith("x-")',
                messageExpression: '"the name " + self.name + " does not begin with x-"',
                fieldPath: '.name',
                reason: 'FieldValueForbidden',
              },
              { rule: '!has(self.list) || self.list.all(one, one.size() < 5)' },
            ],
          },
        ),
      ),
      create(things, object('a', { min: 2, max: 1 })),
      create(things, object('a', { min: 1, max: 2, name: 'y' })),
      create(things, object('a', { min: 1, max: 2, list: ['short', 'too long'] })),
      create(things, object('a', { min: 1 })),
      create(things, object('a', { min: 1, max: 2, name: 'x-y', list: ['a'] })),
    ),
  ),
  scenario(
    'B CRDs',
    'hold changes to rules',
    ...served(
      thing(
        spec({
          fixed: {
            type: 'string',
            'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is immutable' }],
          },
          rising: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] },
        }),
      ),
      create(things, object('a', { fixed: 'x', rising: 5 })),
      merge(`${things}/a`, { spec: { fixed: 'y' } }),
      merge(`${things}/a`, { spec: { rising: 4 } }),
      merge(`${things}/a`, { spec: { rising: 6 } }),
      merge(`${things}/a`, { spec: { fixed: null } }),
    ),
  ),
  scenario(
    'B CRDs',
    'tolerate what was there before a rule',
    ...served(
      thing(spec({ size: integer, name: text })),
      create(things, object('a', { size: 50, name: 'x' })),
      jsonPatch(
        path,
        [
          {
            op: 'add',
            path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size/maximum',
            value: 10,
          },
        ],
        brief,
      ),
      { step: 'pass', duration: '1500ms' },
      merge(`${things}/a`, { spec: { name: 'y' } }),
      merge(`${things}/a`, { spec: { size: 60 } }),
      create(things, object('b', { size: 50 })),
    ),
  ),
]

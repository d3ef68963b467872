import {
  defineKind,
  operator,
  sample,
  schema as s,
  type Controller,
  type ObjectOf,
  type Operator,
} from 'homeostat'

/** A kind for small operators, each of which does one thing wrong, or looks as if it did. */
export const Widget = defineKind({
  group: 'check.example.com',
  version: 'v1',
  kind: 'Widget',
  spec: s.object({
    color: s.string(),
    size: s.integer().min(1).optional(),
    labels: s.map(s.string()).optional(),
  }),
  status: s.object({
    observedGeneration: s.integer().optional(),
    phase: s.string().optional(),
    count: s.integer().optional(),
    name: s.string().optional(),
  }),
})
export type Widget = ObjectOf<typeof Widget>

export function widgetOperator(...controllers: Controller[]): Operator {
  const metadata = { name: 'w', namespace: 'default' }
  return operator('widgets', {
    controllers,
    samples: [sample(Widget, { metadata, spec: { color: 'red', size: 1 } })],
  })
}

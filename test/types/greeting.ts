import { defineKind, schema as s } from 'homeostat'

/** The custom kind of the cases. */
export const Greeting = defineKind({
  group: 'demo.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({
    words: s.string(),
    mood: s.enum('Happy', 'Sad').default('Happy'),
    ports: s.list(s.object({ name: s.string(), port: s.integer().default(80) })).optional(),
  }),
  status: s.object({ said: s.string().optional(), conditions: s.conditions().optional() }),
  selectableFields: ['.spec.mood'],
})

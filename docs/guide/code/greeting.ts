import { defineKind, schema as s, type ObjectOf } from 'homeostat'

/** The kind that the guide's shorter pieces are about: a text, and who it is for. */
export const Greeting = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({ name: s.string(), times: s.integer().min(1).default(1) }),
  status: s.object({ text: s.string().optional() }),
})

export type Greeting = ObjectOf<typeof Greeting>

import { defineKind, schema as s, type ObjectOf } from 'homeostat'

/** The fields that users write. Types, validation and the definition in the cluster follow from them. */
export const MyKind = defineKind({
  group: 'my.example.com',
  version: 'v1alpha1',
  kind: 'MyKind',
  spec: s.object({
    text: s.string().minLength(1).describe('The text whose words are counted.'),
  }),
  status: s.object({ words: s.integer().optional(), conditions: s.conditions() }),
  columns: [
    { name: 'Words', type: 'integer', path: '.status.words' },
    { name: 'Ready', type: 'string', path: '.status.conditions[?(@.type=="Ready")].status' },
  ],
})

export type MyKind = ObjectOf<typeof MyKind>

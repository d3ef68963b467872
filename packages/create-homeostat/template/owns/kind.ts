import { defineKind, schema as s, type ObjectOf } from 'homeostat'

/** The fields that users write. Types, validation and the definition in the cluster follow from them. */
export const MyKind = defineKind({
  group: 'my.example.com',
  version: 'v1alpha1',
  kind: 'MyKind',
  spec: s.object({
    text: s.string().minLength(1).describe('What the page says.'),
    replicas: s.integer().min(1).max(10).default(1).describe('How many servers serve it.'),
  }),
  status: s.object({ conditions: s.conditions() }),
  columns: [
    { name: 'Replicas', type: 'integer', path: '.spec.replicas' },
    { name: 'Ready', type: 'string', path: '.status.conditions[?(@.type=="Ready")].status' },
  ],
})

export type MyKind = ObjectOf<typeof MyKind>

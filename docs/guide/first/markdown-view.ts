import { defineKind, schema as s, type ObjectOf } from 'homeostat'

export const MarkdownView = defineKind({
  group: 'view.example.com',
  version: 'v1',
  kind: 'MarkdownView',
  spec: s.object({
    markdowns: s.map(s.string()).minProperties(1),
    replicas: s.integer().min(1).default(1),
  }),
  status: s.object({ ready: s.integer().optional() }),
  columns: [
    { name: 'Replicas', type: 'integer', path: '.spec.replicas' },
    { name: 'Ready', type: 'integer', path: '.status.ready' },
  ],
})

export type MarkdownView = ObjectOf<typeof MarkdownView>

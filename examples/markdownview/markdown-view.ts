import { defineKind, schema as s, type ObjectOf } from 'homeostat'

/** Markdown files, and how they are to be served. */
export const MarkdownView = defineKind({
  group: 'view.zoetrope.github.io',
  version: 'v1',
  kind: 'MarkdownView',
  spec: s.object({
    markdowns: s.map(s.string()).minProperties(1).describe('The files to serve: name to Markdown text.'),
    replicas: s.integer().min(1).default(1).describe('How many viewers serve them.'),
    viewerImage: s.string().default('peaceiris/mdbook:latest').describe('The image of the viewer.'),
  }),
  status: s.object({ conditions: s.conditions() }),
  columns: [
    { name: 'Replicas', type: 'integer', path: '.spec.replicas' },
    { name: 'Status', type: 'string', path: '.status.conditions[?(@.status=="True")].type' },
  ],
})

export type MarkdownView = ObjectOf<typeof MarkdownView>

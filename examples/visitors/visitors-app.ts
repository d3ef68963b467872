import { defineKind, schema as s, type ObjectOf } from 'homeostat'

/** A site that counts its visitors. */
export const VisitorsApp = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'VisitorsApp',
  spec: s.object({
    size: s.integer().min(1).default(1).describe('How many back ends there are.'),
    title: s.string().default('Visitors').describe('What the page is headed with.'),
  }),
  status: s.object({
    backendImage: s.string().optional(),
    frontendImage: s.string().optional(),
    conditions: s.conditions(),
  }),
  columns: [
    { name: 'Title', type: 'string', path: '.spec.title' },
    { name: 'Size', type: 'integer', path: '.spec.size' },
    { name: 'Ready', type: 'string', path: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Message', type: 'string', path: '.status.conditions[?(@.type=="Ready")].message' },
  ],
})

export type VisitorsApp = ObjectOf<typeof VisitorsApp>

import { defineKind, schema as s, type ObjectOf } from 'homeostat'

/** A team: the namespaces that are its own, and the people who may work in them. */
export const Tenant = defineKind({
  group: 'multitenancy.example.com',
  version: 'v1',
  kind: 'Tenant',
  scope: 'Cluster',
  spec: s.object({
    namespaces: s
      .list(
        s
          .string()
          .pattern(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
          .maxLength(63),
      )
      .set()
      .minItems(1)
      .describe('The namespaces of the team. They are made for it, and go with it.'),
    members: s
      .list(
        s
          .string()
          .pattern(/^[^/%]+$/)
          .minLength(1),
      )
      .set()
      .default([])
      .describe('The users who may work in all of them.'),
  }),
  status: s.object({ conditions: s.conditions() }),
  columns: [
    { name: 'Namespaces', type: 'string', path: '.spec.namespaces' },
    { name: 'Ready', type: 'string', path: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Reason', type: 'string', path: '.status.conditions[?(@.type=="Ready")].reason' },
  ],
})

export type Tenant = ObjectOf<typeof Tenant>

import { defineKind, schema as s, type ObjectOf } from 'homeostat'

/** A command, and when to run it. */
export const At = defineKind({
  group: 'cnat.programming-kubernetes.info',
  version: 'v1alpha1',
  kind: 'At',
  spec: s.object({
    schedule: s
      .string()
      .describe('When to run the command: an RFC 3339 time in UTC, such as 2026-07-01T12:00:00Z.'),
    command: s.string().describe('What to run, as a line for sh.'),
  }),
  status: s.object({ phase: s.enum('PENDING', 'RUNNING', 'DONE').optional() }),
  columns: [
    { name: 'Schedule', type: 'string', path: '.spec.schedule' },
    { name: 'Phase', type: 'string', path: '.status.phase' },
  ],
})

export type At = ObjectOf<typeof At>

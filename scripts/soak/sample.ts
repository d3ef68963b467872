import { defineKind, schema as s } from 'homeostat'

/** The object that the soak writes: each write sets another number, and the operator copies it to the status. */
export const Sample = defineKind({
  group: 'soak.example.com',
  version: 'v1',
  kind: 'Sample',
  spec: s.object({
    number: s.integer(),
    /** When it was written, in milliseconds since 1970. */
    writtenAt: s.number(),
    text: s.string(),
  }),
  status: s.object({ number: s.integer() }),
})

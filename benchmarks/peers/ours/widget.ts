import { defineKind, schema as s } from 'homeostat'

/** The kind that the benchmark fills the server with. Its lists are maps, so that managed fields are of a usual size. */
export const Widget = defineKind({
  group: 'benchmarks.homeostat.dev',
  version: 'v1',
  kind: 'Widget',
  spec: s.object({
    index: s.integer().describe("The object's number, from 0."),
    writtenAt: s
      .integer()
      .describe('When the last update was sent, in microseconds since 1970; 0 before that.'),
    image: s.string(),
    replicas: s.integer(),
    selector: s.object({ matchLabels: s.map(s.string()) }).optional(),
    env: s
      .list(s.object({ name: s.string(), value: s.string() }))
      .mapBy('name')
      .optional(),
    ports: s
      .list(s.object({ name: s.string(), port: s.integer(), protocol: s.string() }))
      .mapBy('name')
      .optional(),
  }),
})

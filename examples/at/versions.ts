import { conversion, defineKind, schema as s } from 'homeostat'
import { At } from './at.ts'

/** An At as version v1 shows it: the time has the name that people say, and phases are written as Kubernetes writes its own. */
export const AtV1 = defineKind({
  group: 'cnat.programming-kubernetes.info',
  version: 'v1',
  kind: 'At',
  spec: s.object({
    at: s
      .string()
      .describe('When to run the command: an RFC 3339 time in UTC, such as 2026-07-01T12:00:00Z.'),
    command: s.string().describe('What to run, as a line for sh.'),
  }),
  status: s.object({ phase: s.enum('Pending', 'Running', 'Done').optional() }),
  columns: [
    { name: 'At', type: 'string', path: '.spec.at' },
    { name: 'Phase', type: 'string', path: '.status.phase' },
  ],
})

const TO_V1 = { PENDING: 'Pending', RUNNING: 'Running', DONE: 'Done' } as const
const TO_V1ALPHA1 = { Pending: 'PENDING', Running: 'RUNNING', Done: 'DONE' } as const

/** Serves each At in both versions. The controller works on v1alpha1, which is stored. */
export const atVersions = conversion(At)
  .version(AtV1)
  .converts({
    toStored: ({ spec: { at, command }, status }) => ({
      spec: { schedule: at, command },
      ...(status && { status: status.phase ? { phase: TO_V1ALPHA1[status.phase] } : {} }),
    }),
    fromStored: ({ spec: { schedule, command }, status }) => ({
      spec: { at: schedule, command },
      ...(status && { status: status.phase ? { phase: TO_V1[status.phase] } : {} }),
    }),
  })

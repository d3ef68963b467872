import { operator, sample } from 'homeostat'
import { At } from './at.ts'
import { at } from './controller.ts'
import { atVersions } from './versions.ts'

/** The At operator: all that it consists of, and a sample to try it with. */
export default operator('at', {
  controllers: [at],
  webhooks: [atVersions],
  samples: [
    sample(At, {
      metadata: { namespace: 'default', name: 'at-sample' },
      spec: { schedule: '2026-01-01T00:00:00Z', command: 'echo YAY' },
    }),
  ],
})

/** Declares behaviour that `homeostat check` would otherwise report. */
export const check = {
  final: [{ kind: 'At', path: 'status.phase', value: 'DONE', reason: 'a command runs once' }],
}

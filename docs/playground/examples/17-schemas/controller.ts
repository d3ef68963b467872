import { controller, defineKind, schema as s } from 'homeostat'

// Edit a Backup on the right: the server sets what is missing, and refuses what the schema does not allow.
export const Backup = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Backup',
  spec: s
    .object({
      schedule: s.string().minLength(1).maxLength(100),
      mode: s.enum('Full', 'Incremental').default('Full'),
      keep: s.integer().min(1).max(100).default(7),
      targets: s
        .list(s.object({ name: s.string(), size: s.quantity().optional() }))
        .mapBy('name')
        .minItems(1),
      region: s.string().describe('where the copies are kept').immutable(),
    })
    .rule('self.keep > 1 || self.mode == "Full"', 'a single copy must be a full one'),
  status: s.object({ summary: s.string().optional() }),
})

// The status shows the spec as it is stored, with the defaults of the schema.
export const backup = controller('backup')
  .for(Backup)
  .writes(Backup, 'status.apply')
  .reconcile(async (request, { client }) => {
    const backup = await client.get(Backup, request)
    if (!backup) return
    const { mode, keep, targets } = backup.spec
    const names = targets.map(({ name }) => name).join(', ')
    await client.status.apply(Backup, request, { summary: `${mode} copies of ${names}: the last ${keep}` })
  })

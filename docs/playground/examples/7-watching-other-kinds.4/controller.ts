import { controller, defineKind, predicates, schema as s } from 'homeostat'

export const Greeting = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({ name: s.string() }),
})

// Edit spec.name of both: only the formal Greeting is reconciled.
// Remove its label: it is reconciled once more, and then no longer.
export const formal = controller('formal')
  .for(Greeting, { predicate: predicates.hasLabels({ tone: 'formal' }) })
  .reconcile(async () => {})

import { controller, defineKind, every, schema as s } from 'homeostat'

export const Greeting = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({ name: s.string() }),
})

// Jump some hours ahead: each hour starts a reconcile, although nothing changes.
export const hourly = controller('hourly')
  .for(Greeting)
  .watches(every('1h'), () => ({ namespace: 'default', name: 'hello' }))
  .reconcile(() => {})

import { controller, defineKind, objectReconciler, schema as s } from 'homeostat'

export const Greeting = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({ name: s.string() }),
})

// The function gets the object. Delete a Greeting on the right: the reconcile that follows does not call the function.
export const greeter = controller('greeter')
  .for(Greeting)
  .reconcile(
    objectReconciler(Greeting, async ({ spec }, { log }) => {
      log.info({ name: spec.name }, 'greeting')
    }),
  )

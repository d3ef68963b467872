import { controller, defineKind, parseKey, schema as s } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'

export const Greeting = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({ name: s.string() }),
})

// Change the data of the ConfigMap sign: the Greeting that its annotation names is reconciled.
// Let the annotation name default/welcome: this Greeting is reconciled then, and the one before it a last time.
export const signs = controller('signs')
  .for(Greeting)
  .watches(ConfigMap, ({ metadata }) => parseKey(metadata.annotations?.['guide.example.com/for'], Greeting))
  .reconcile(async () => {})

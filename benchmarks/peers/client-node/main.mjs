// The benchmark's work on @kubernetes/client-node. It has informers but neither a queue nor a controller:
// the work is done where the event comes in. ../README.md has the protocol that it speaks.
import { CustomObjectsApi, KubeConfig, makeInformer } from '@kubernetes/client-node'
import { Tally } from '../tally.ts'

const group = 'benchmarks.homeostat.dev'
const version = 'v1'
const plural = 'widgets'
const tally = Tally.fromArguments()

const config = new KubeConfig()
config.loadFromDefault()
const api = config.makeApiClient(CustomObjectsApi)
const informer = makeInformer(config, `/apis/${group}/${version}/${plural}`, () =>
  api.listClusterCustomObject({ group, version, plural }),
)

function reconcile(event) {
  const widget = informer.get(event.metadata.name, event.metadata.namespace)
  if (!widget) return
  tally.reconciled(widget.spec.index, widget.spec.writtenAt, widget.spec.image)
}

informer.on('add', reconcile)
informer.on('update', reconcile)
informer.on('error', (error) => {
  console.error(error)
  process.exit(1)
})
await informer.start()
await tally.serve()
process.exit(0)

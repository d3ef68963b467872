// The benchmark's controller on the runtime of this repository: a manager with one controller, with the
// settings that an operator gets when it names none. ../README.md has the protocol that it speaks.
import { controller, Manager, silentLogger } from 'homeostat'
import { Tally } from '../tally.ts'
import { Widget } from './widget.ts'

const tally = Tally.fromArguments()

const widgets = controller('widgets')
  .for(Widget)
  .reconcile(async (request, { client }) => {
    const widget = await client.get(Widget, request)
    if (!widget) return {}
    tally.reconciled(widget.spec.index, widget.spec.writtenAt, widget.spec.image)
    return {}
  })

const stop = new AbortController()
const running = new Manager({ logger: silentLogger }).add(widgets).start({ signal: stop.signal })
await Promise.race([running, tally.serve()])
stop.abort()
await running

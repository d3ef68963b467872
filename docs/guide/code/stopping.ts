import { controller, Manager } from 'homeostat'
import { Greeting } from './greeting.ts'

/** Prints each greeting at a printing house, which takes its time. */
const printer = controller('printer')
  .for(Greeting)
  .writes(Greeting, 'status.apply')
  .reconcile(async (request, { client }) => {
    await fetch(`${process.env['PRINTING_HOUSE']}/${request.name}`)
    await client.status.apply(Greeting, request, { text: 'printed' })
  })

await new Manager().add(printer).start()

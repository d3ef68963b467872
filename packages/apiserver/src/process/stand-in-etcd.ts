import { HomeostatError } from '@homeostat/api'
import { packageVersion } from './package-version.ts'
import { exitCodeOf } from './exit-code.ts'
import { say } from './flags/say.ts'
import { standInFlags } from './stand-in-flags.ts'

const NAME = 'etcd'

const HELP = `Stands in for etcd beside Homeostat's kube-apiserver, which keeps its objects itself: it only reports that it is healthy.

  --listen-client-urls=URL  where to listen, by HTTP (default http://127.0.0.1:2379)
  --unsafe-no-fsync         accepted, as all other flags are; nothing is written

GET /health is answered; there is no other API.
`

/** The stand-in for etcd, for envtest. */
export function run(args: readonly string[]): Promise<number> {
  return exitCodeOf(NAME, async () => {
    const flags = standInFlags(args)
    if (flags.has('help') || flags.has('h')) process.stdout.write(HELP)
    else if (flags.has('version')) say(`etcd Version: homeostat-${packageVersion()}`)
    else await answerUntilSignal(flags.get('listen-client-urls')?.split(',')[0] ?? 'http://127.0.0.1:2379')
  })
}

async function answerUntilSignal(address: string): Promise<void> {
  const { hostname, port } = new URL(address)
  const { createServer } = process.getBuiltinModule('node:http')
  const server = createServer((request, response) => {
    const well = request.url === '/health'
    response.writeHead(well ? 200 : 404, { 'content-type': 'application/json' })
    response.end(well ? '{"health":"true","reason":""}' : '{"error":"this etcd only answers /health"}')
  })
  const listening = Promise.withResolvers<void>()
  server.once('error', (cause: Error) => {
    const message = `cannot listen on ${address}: ${cause.message}`
    listening.reject(new HomeostatError('PORT_NOT_OPEN', message, { cause }))
  })
  server.listen(Number(port), hostname.replace(/^\[|\]$/g, ''), () => listening.resolve())
  await listening.promise
  say(`Ready at ${address}`)
  const ended = Promise.withResolvers<void>()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ended.resolve())
  await ended.promise
  server.close()
  server.closeAllConnections()
}

/**
 * The API server inside a program, for the benchmark: prints, as JSON, how many milliseconds it took from before its
 * module was asked for until it was loaded, and until the first answer was there.
 */
const before = performance.now()
const { ApiServer } = await import('@homeostat/apiserver')
const loaded = performance.now()
const server = await ApiServer.start()
const request = { path: '/api/v1/namespaces', query: new URLSearchParams(), headers: {} }
const { status } = await server.handler({ method: 'GET', ...request })
const answered = performance.now()
await server.close()
if (status !== 200) throw new Error(`the first answer was ${status}`)
process.stdout.write(`${JSON.stringify({ loaded: loaded - before, answered: answered - before })}\n`)

import { run } from './homeostat-cluster.ts'

process.exitCode = await run(process.argv.slice(2))

/** A durable server in a process of its own, for `kill-rounds.ts` to kill: `kill-server.ts <folder>`. */
import { ApiServer } from '@homeostat/apiserver'

const server = await ApiServer.start({ dataDir: process.argv[2] ?? '' })
const { url, token, certificateAuthority } = await server.listen()
process.stdout.write(`${JSON.stringify({ url, token, certificateAuthority })}\n`)

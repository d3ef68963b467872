/** Starts and stops servers one after the other, for the benchmark: `many-servers.js <count>`. Prints what it cost, as JSON. */
import { ApiServer } from '@homeostat/apiserver'

const count = Number(process.argv[2])
const heap = (): number => {
  ;(globalThis as { gc?: () => void }).gc?.()
  return process.memoryUsage().heapUsed
}
const cycle = async (): Promise<void> => {
  const server = await ApiServer.start()
  await server.listen()
  await server.close()
}
for (let warm = 0; warm < 5; warm++) await cycle()
const [heapBefore, handlesBefore] = [heap(), process.getActiveResourcesInfo().length]
const start = performance.now()
for (let index = 0; index < count; index++) await cycle()
const seconds = (performance.now() - start) / 1_000
const heapGrowth = heap() - heapBefore
const handlesLeft = process.getActiveResourcesInfo().length - handlesBefore
process.stdout.write(`${JSON.stringify({ count, seconds, heapGrowth, handlesLeft })}\n`)

import { SystemClock } from '@homeostat/api'
import { WorkQueue } from '/work/main/packages/runtime/src/queue/index.ts'
const q = new WorkQueue<string>({ clock: new SystemClock() })
const keys = Array.from({length: 1000}, (_, i) => `default/object-${i}`)
async function run(n: number) {
  const t = process.cpuUsage().user/1000
  for (let i = 0; i < n; i++) { q.add(keys[i % 1000]!, { cause: 'x' }); const it = (await q.get())!; q.done(it) }
  return n / (process.cpuUsage().user/1000 - t) * 1000
}
await run(200000); console.log('rounds/s', await run(2_000_000) | 0)
{ const t = process.cpuUsage().user/1000; for (let i=0;i<1_000_000;i++) q.add('k/'+i); let it; while ((it = q.tryGet())) q.done(it); console.log('batch 1M rounds/s', 1e9/(process.cpuUsage().user/1000-t)|0) }
globalThis.gc?.(); const m0 = process.memoryUsage().heapUsed
for (let r=0;r<3;r++){ for (let i=0;i<1_000_000;i++) q.add('k/'+i); let it; while ((it = q.tryGet())) q.done(it) }
globalThis.gc?.(); console.log('left MB', (process.memoryUsage().heapUsed-m0)/1e6, q.size)

/**
 * Copies the one Widget in the store of a folder under other names, until there are so many:
 * `fill-store.ts <folder> <count>`. Creating as many over the port would take longer than all that is measured.
 */
import { SystemClock } from '@homeostat/api'
import { openStore } from '../../packages/apiserver/src/storage/open-store.ts'

const COLLECTION = 'benchmarks.homeostat.dev/widgets'
/** How many are saved at once. */
const BATCH = 5_000

const [folder = '', count = '0'] = process.argv.slice(2)
using store = openStore(folder, { clock: new SystemClock() })
const [first] = store.snapshot({ collection: COLLECTION })
if (!first) throw new Error('there is no Widget to copy')
const text = new TextDecoder().decode(first.json)
const name = first.key.slice(first.key.indexOf('/') + 1)
const namespace = first.key.slice(0, first.key.indexOf('/'))
for (let index = 1; index < Number(count); index++) {
  const copy = JSON.parse(text.replaceAll(name, `widget-${String(index).padStart(6, '0')}`))
  copy.metadata.uid = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
  store.put(COLLECTION, `${namespace}/${copy.metadata.name}`, 0, () => copy)
  if (index % BATCH === 0) await store.saved()
}
await store.saved()

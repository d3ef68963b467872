import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { checkModule } from '../check-module.ts'
import { textReport } from '../report/index.ts'

/** An operator that remembers at the top level of a module which child it made last, to delete it when the color changes. */
const controllerOf = (whenSeenFirst: string): string => `
import { controller, controllerReference } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { Widget } from './widget.ts'

const last = new Map()
export const widgets = controller('widgets')
  .for(Widget)
  .owns(ConfigMap)
  .writes(ConfigMap, 'apply', 'delete')
  .reconcile(async ({ namespace, name }, { client }) => {
    const widget = await client.get(Widget, { namespace, name })
    if (!widget) return
    const { uid } = widget.metadata
    const wanted = name + '-' + widget.spec.color
    const before = last.get(uid)
    last.set(uid, wanted)
    ${whenSeenFirst}
    if (before && before !== wanted) await client.delete(ConfigMap, { namespace, name: before })
    const ownerReferences = [controllerReference(widget)]
    await client.apply(ConfigMap, { metadata: { namespace, name: wanted, ownerReferences } })
  })
`
/** A new process remembers nothing, and reads the existing objects. */
const LOOK = `if (!before) {
      for (const { metadata } of await client.live.list(ConfigMap, { namespace })) {
        const isOwn = metadata.ownerReferences?.some((owner) => owner.uid === uid)
        if (isOwn && metadata.name !== wanted) await client.delete(ConfigMap, { namespace, name: metadata.name })
      }
    }`

const KIND = `
import { defineKind, schema as s } from 'homeostat'
export const Widget = defineKind({
  group: 'check.example.com',
  version: 'v1',
  kind: 'Widget',
  spec: s.object({ color: s.string() }),
})
`
const OPERATOR = `
import { operator, sample } from 'homeostat'
import { widgets } from './controller.ts'
import { Widget } from './widget.ts'
const samples = [sample(Widget, { metadata: { name: 'w', namespace: 'default' }, spec: { color: 'red' } })]
export default operator('widgets', { controllers: [widgets], samples })
`

/** Ends a process whose imports of a package are not those of the first process. */
const COMPARED = `
import * as kit from 'homeostat'
import * as kinds from 'homeostat/kinds'
globalThis.importedFirst ??= { ...kit, ...kinds }
for (const [name, value] of Object.entries(globalThis.importedFirst)) {
  if ({ ...kit, ...kinds }[name] !== value) throw new Error('another ' + name)
}
`

async function checked(whenSeenFirst: string, atTop = '') {
  const inside = resolve(import.meta.dirname, '../../../../.homeostat')
  mkdirSync(inside, { recursive: true })
  const folder = mkdtempSync(join(inside, 'module-state-'))
  try {
    writeFileSync(join(folder, 'controller.ts'), controllerOf(whenSeenFirst))
    writeFileSync(join(folder, 'widget.ts'), KIND)
    writeFileSync(join(folder, 'operator.ts'), OPERATOR + atTop)
    return await checkModule(pathToFileURL(join(folder, 'operator.ts')), { only: ['downtime'] })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('RU14: a new process does not see values that modules of the operator stored', async () => {
  const { findings } = await checked('')
  expect(findings).toMatchObject([
    { class: 'downtime', summary: 'the ConfigMap default/w-red is there, and should not be' },
  ])
})

test('RU14: an operator that stores values in a module and reads the objects again in a new process has no finding', async () => {
  expect(textReport(await checked(LOOK))).toMatch(/^no finding in \d+ runs of Widget default\/w\n$/)
})

test('RU14: each process gets the same exports of packages, and all of them', async () => {
  expect(textReport(await checked(LOOK, COMPARED))).toMatch(/^no finding in \d+ runs of Widget default\/w\n$/)
})

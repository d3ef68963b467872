/** `npm run screenshots`: plays the demo's operator and takes pictures of its page, for the README and the guide. */
import { mkdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { apiVersionOf } from '@homeostat/api'
import { Cluster } from '@homeostat/cluster'
import { Dashboard } from '@homeostat/dashboard'
import { Activity, operatorDefinitions, operatorManager, silentLogger } from 'homeostat'
import { ConfigMap, CustomResourceDefinition, Deployment } from 'homeostat/kinds'
import { openBrowser } from '../test/browser.ts'
import { findForgottenLabel, recordStory } from '../test/dashboard/told-story.ts'
import { examples } from './demo/examples.ts'

const folder = resolve(import.meta.dirname, '../docs/pictures')
const LARGEST = 150_000

await using cleanUp = new AsyncDisposableStack()
const { operator, images } = examples.markdownview
const cluster = cleanUp.use(await Cluster.start({ port: false, images }))
const { client, clock, transport } = cluster
const nameOf = (kind: (typeof operator.kinds)[number]) => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
})
const activity = new Activity()
const page = cleanUp.use(await Dashboard.start({ transport, clock }))
page.operatorStarted({
  name: operator.name,
  controllers: operator.controllers.map(({ name }) => name),
  kinds: operator.kinds.map(nameOf),
  owned: operator.controllers.flatMap(({ watches }) =>
    watches.flatMap((watch) => (watch.role === 'owns' ? [nameOf(watch.kind)] : [])),
  ),
})
cleanUp.use(page.follow(activity))
for (const definition of operatorDefinitions(operator))
  await client.create(CustomResourceDefinition, definition)
const stop = new AbortController()
const running = operatorManager(operator, { transport, logger: silentLogger, activity }).start({
  signal: stop.signal,
})
cleanUp.defer(async () => {
  stop.abort()
  await running
})

const [sample] = operator.samples
if (!sample) throw new Error('the operator has no sample')
const kind = await client.kinds.find(sample.apiVersion, sample.kind)
if (!kind) throw new Error(`the cluster does not serve ${sample.kind}`)
const names = ['handbook', 'release-notes', 'welcome']
for (const name of names) {
  await client.create(kind, { ...sample, metadata: { ...sample.metadata, name } })
  await clock.sleep(1500)
}
const { namespace = 'default' } = sample.metadata
const browser = cleanUp.use(await openBrowser())
const tab = await browser.context.newPage()
await tab.setViewportSize({ width: 1120, height: 660 })
await tab.goto(page.address)
await tab.getByRole('treeitem', { name: /Pod/ }).nth(2).waitFor()
// A moment that is worth a picture: a user deletes one child and changes another.
const [deployment] = await client.list(Deployment, { namespace })
if (deployment) await client.delete(Deployment, deployment.metadata)
await clock.sleep(2500)
const maps = await client.list(ConfigMap, { namespace })
const child = maps.find(({ metadata }) => metadata.ownerReferences?.length)
if (child)
  await client.patch(ConfigMap, child.metadata, { type: 'merge', body: { data: { 'page1.md': 'Changed' } } })
await clock.sleep(4000)
await tab
  .getByRole('button', { name: /wrote .*(?:ConfigMap|Deployment)/ })
  .first()
  .click()
mkdirSync(folder, { recursive: true })
for (const colorScheme of ['light', 'dark'] as const) {
  await tab.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await picture(`page-${colorScheme}`)
}
// The last step of a finding's story.
const story = Buffer.from(await recordStory(await findForgottenLabel()))
await tab
  .locator('input[type=file]')
  .setInputFiles({ name: 'finding.json', mimeType: 'application/json', buffer: story })
await tab.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
const lastStep = tab.getByRole('region', { name: 'Story' }).locator('.steps button').last()
await lastStep.click()
await tab.getByRole('group', { name: 'Story' }).getByText('Step 3 of 3').waitFor()
await picture('story-light')

async function picture(name: string): Promise<void> {
  const path = join(folder, `${name}.png`)
  await tab.screenshot({ path })
  const { size } = statSync(path)
  if (size > LARGEST) throw new Error(`${path} has ${size} bytes, more than ${LARGEST}`)
  console.log(`written: ${path} (${Math.round(size / 1000)} kB)`)
}

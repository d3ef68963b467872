import * as otel from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { ApiServer } from '@homeostat/apiserver'
import { Dashboard } from '@homeostat/dashboard'
import {
  Activity,
  controller,
  createClient,
  customResourceDefinition,
  directTransport,
  Manager,
  silentLogger,
  SystemClock,
  type Controller,
  type Tracing,
} from 'homeostat'
import { ConfigMap, CustomResourceDefinition } from 'homeostat/kinds'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openBrowser, type Browser } from '../browser.ts'
import { axeFindings } from './axe-findings.ts'
import { Note } from './shown-operator.ts'

const SLOW = 60_000
const key = { namespace: 'default', name: 'one' }
const clock = new SystemClock()
let browser: Browser

/** Copies a ConfigMap's text, in its own words. Two of them with other words never agree. */
const writer = (name: string, text: () => string) =>
  controller(name)
    .for(Note)
    .watches(ConfigMap, ({ metadata }) => [{ namespace: metadata.namespace, name: metadata.name }])
    .reconcile(async (request, { client, log }) => {
      const note = await client.get(Note, request)
      if (!note) return
      log.info({ note: note.spec.text }, 'writes the copy')
      await client.apply(ConfigMap, { metadata: request, data: { text: text() } })
    })

/** An operator of these controllers with one Note, and its page in a browser. */
async function show(controllers: readonly Controller[], tracing?: Tracing) {
  await using cleanUp = new AsyncDisposableStack()
  const server = cleanUp.use(await ApiServer.start({ clock }))
  const transport = directTransport(server.handler, { clock })
  const client = createClient({ transport, clock })
  await client.create(CustomResourceDefinition, customResourceDefinition(Note))
  const activity = new Activity()
  const dashboard = cleanUp.use(await Dashboard.start({ transport, clock }))
  dashboard.operatorStarted({
    name: 'writers',
    kinds: [{ apiVersion: 'page.example.com/v1', kind: 'Note' }],
    owned: [{ apiVersion: 'v1', kind: 'ConfigMap' }],
    controllers: controllers.map(({ name }) => name),
  })
  dashboard.follow(activity)
  const stop = new AbortController()
  const manager = new Manager({ transport, clock, logger: silentLogger, activity, tracing })
  for (const each of controllers) manager.add(each)
  const running = manager.start({ signal: stop.signal })
  cleanUp.defer(async () => {
    stop.abort()
    await running
  })
  const page = await browser.context.newPage()
  cleanUp.defer(() => page.close())
  page.setDefaultTimeout(SLOW)
  await page.goto(dashboard.address)
  await page.getByRole('button', { name: '10 s' }).click()
  await client.create(Note, { metadata: key, spec: { text: 'hello' } })
  const owned = cleanUp.move()
  return { page, client, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const counts = (page: Page) => page.locator('.lane .counts')

describe.skipIf(!hasBrowser)('the timeline', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser[Symbol.asyncDispose]())

  it('shows a hot loop as such, with arrows', async () => {
    let count = 0
    await using shown = await show([writer('restless', () => String(count++))])
    const { page } = shown
    await counts(page).getByText('keeps causing itself').waitFor()
    await expect.poll(() => page.locator('.links .is-loop').count(), { timeout: SLOW }).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'To what happened before' }).click()
    await page.getByText('Everything shows this moment.').waitFor()
    expect(await axeFindings(page)).toEqual([])
  })

  it('shows a ping-pong of two controllers as such, with arrows between their lanes', async () => {
    await using shown = await show([writer('left', () => 'left'), writer('right', () => 'right')])
    const { page } = shown
    await counts(page).getByText('ping-pong with right').waitFor()
    await counts(page).getByText('ping-pong with left').waitFor()
    await expect.poll(() => page.locator('.links .is-loop').count(), { timeout: SLOW }).toBeGreaterThan(0)
  })

  it('shows no loop where reconciles come to rest, and arrows of the chosen reconcile', async () => {
    await using shown = await show([writer('calm', () => 'same')])
    const { page } = shown
    const details = page.getByRole('region', { name: 'Details' })
    await page.getByRole('treeitem', { name: /Note default\/one/ }).waitFor()
    await details.getByRole('button', { name: /default\/one.*wrote ConfigMap/ }).click()
    await details.getByRole('heading', { name: 'What it caused' }).waitFor()
    await details.getByRole('heading', { name: 'What it read' }).waitFor()
    await details.getByRole('button', { name: 'Note default/one', exact: true }).waitFor()
    await details.getByText('writes the copy').waitFor()
    await details.getByText('{"note":"hello"}').waitFor()
    await details.getByText(/^Line of code: test\/dashboard\/timeline.test.ts:\d+:\d+$/).waitFor()
    expect(await page.locator('.links .is-loop').count()).toBe(0)
    expect(await counts(page).allTextContents()).toEqual(['idle'])
    await details
      .getByRole('button', { name: /nothing to change/ })
      .first()
      .click()
    await details.getByRole('heading', { name: 'What led to it' }).waitFor()
  })

  it('shows in the queue what runs, what waits for a worker, and for how long', async () => {
    const held = Promise.withResolvers<void>()
    const holding = controller('holding')
      .for(Note)
      .reconcile(async (_, { signal }) => {
        signal.addEventListener('abort', () => held.resolve())
        await held.promise
        return { requeueAfter: '5m' }
      })
    await using shown = await show([holding])
    const { page, client } = shown
    await client.create(Note, { metadata: { namespace: 'default', name: 'two' }, spec: { text: 'x' } })
    const queued = page.getByRole('region', { name: 'Details' }).locator('.queued')
    await queued
      .filter({ hasText: 'default/one' })
      .getByText(/^running for \d/)
      .waitFor()
    await queued.filter({ hasText: 'default/two' }).getByText('waiting for a worker').waitFor()
    await counts(page).getByText('1 running, 1 waiting').waitFor()
    held.resolve()
    await queued
      .filter({ hasText: 'default/two' })
      .getByText(/^in (5 min|4 min \d+ s)/)
      .waitFor()
    await expect.poll(() => counts(page).allTextContents(), { timeout: SLOW }).toEqual(['2 later'])
  })

  it('shows the id of the trace of a reconcile', async () => {
    const exporter = new InMemorySpanExporter()
    otel.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    otel.trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    )
    try {
      await using shown = await show([writer('calm', () => 'same')], otel)
      const { page } = shown
      const details = page.getByRole('region', { name: 'Details' })
      await details.getByRole('button', { name: /default\/one.*wrote ConfigMap/ }).click()
      const id = await details.locator('dt:text-is("Trace id") + dd').textContent()
      expect(id).toMatch(/^[0-9a-f]{32}$/)
      const traces = exporter.getFinishedSpans().map((span) => span.spanContext().traceId)
      expect(traces).toContain(id)
    } finally {
      otel.trace.disable()
      otel.context.disable()
    }
  })
})

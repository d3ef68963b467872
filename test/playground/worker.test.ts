import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { buildWorker } from '../../docs/playground/build/build-playground.ts'
import type { Order, Report } from '../../docs/playground/worker/messages.ts'
import { hasBrowser, openBrowser } from '../browser.ts'
import { serveFiles } from './serve-files.ts'

const files = await buildWorker()
const markdownView = exampleOf('markdownview', [
  'admission.ts',
  'controller.ts',
  'markdown-view.ts',
  'operator.ts',
])

/** The files of an example operator. */
function exampleOf(name: string, names: readonly string[]): Record<string, string> {
  const folder = join(resolve(import.meta.dirname, '../../examples'), name)
  return Object.fromEntries(names.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
}

it('weighs less than 3 MB compressed', () => {
  const bytes = [...files.values()].reduce((sum, file) => sum + gzipSync(file).length, 0)
  process.stdout.write(`the worker: ${files.size} files, ${Math.round(bytes / 1000)} kB compressed\n`)
  expect(bytes).toBeLessThan(3_000_000)
})

it.skipIf(!hasBrowser)('reconciles a MarkdownView in a web worker, and heals what is deleted', async () => {
  await using worker = await openWorker()
  await worker.order({ type: 'run', files: markdownView })
  const first = await worker.until(({ type }) => type === 'time' || type === 'problem')
  expect(first.find(({ type }) => type === 'problem')).toBeUndefined()
  process.stdout.write(`the first reconciles were over after ${Math.round(await worker.took())} ms\n`)
  await worker.order({ type: 'advance', milliseconds: 10_000 })
  const reports = await worker.until(({ type }) => type === 'time')
  const kinds = new Map(objectsIn([...first, ...reports]).map((object) => [object.kind, object]))
  expect([...kinds.keys()]).toEqual(
    expect.arrayContaining(['MarkdownView', 'ConfigMap', 'Deployment', 'ReplicaSet', 'Pod', 'Service']),
  )
  expect(
    kinds.get('MarkdownView').status.conditions.filter((one: any) => one.status === 'True'),
  ).toMatchObject([{ type: 'Healthy' }])

  const { apiVersion, kind, metadata } = kinds.get('Deployment')
  const { name, namespace, uid } = metadata
  const body = { apiVersion, kind, name, namespace, uid, dryRun: false }
  await worker.order({ type: 'act', id: 1, action: 'delete', body })
  const answers = await worker.until(({ type }) => type === 'answer')
  expect(answers.at(-1)).toMatchObject({ type: 'answer', id: 1, status: 200 })
  await worker.order({ type: 'advance', milliseconds: 10_000 })
  const later = await worker.until(({ type }) => type === 'time')
  const healed = objectsIn([...answers, ...later]).find(
    (object) => object.kind === 'Deployment' && object.metadata.uid !== uid,
  )
  expect(healed?.metadata.name).toBe(name)
})

function objectsIn(reports: readonly Report[]): any[] {
  return reports.flatMap((report) => {
    if (report.type === 'recording')
      return [...report.recording.start.objects, ...objectsOf(report.recording.entries)]
    return report.type === 'entries' ? objectsOf(report.entries) : []
  })
}

function objectsOf(entries: readonly any[]): any[] {
  return entries.flatMap((entry) => (entry.type === 'object' ? [entry.object] : []))
}

/** The worker of the playground in a browser. */
async function openWorker() {
  const page = '<!doctype html><title>A worker</title>'
  const served = await serveFiles(new Map([...files, ['index.html', Buffer.from(page)]]))
  const browser = await openBrowser()
  const tab = await browser.context.newPage()
  await tab.goto(served.url)
  await tab.evaluate(`
    globalThis.reports = []
    globalThis.begun = performance.now()
    globalThis.worker = new Worker('worker.js', { type: 'module' })
    worker.addEventListener('message', ({ data }) => {
      if (data.type === 'time') globalThis.took ??= performance.now() - begun
      reports.push(data)
    })
    worker.addEventListener('error', ({ message }) => reports.push({ type: 'problem', problem: { message } }))
  `)
  return {
    order: (order: Order) => tab.evaluate(`worker.postMessage(${JSON.stringify(order)})`),
    /** Milliseconds from the start of the worker until the operator had nothing left to do. */
    took: () => tab.evaluate<number>('took'),
    /** The reports up to one that is waited for, without those that were given before. */
    async until(isAwaited: (report: Report) => boolean): Promise<Report[]> {
      const all: Report[] = []
      for (;;) {
        await tab.waitForFunction('reports.length > 0')
        for (const report of (await tab.evaluate('reports.splice(0)')) as Report[]) all.push(report)
        if (all.some(isAwaited)) return all
      }
    },
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]()
      await served[Symbol.asyncDispose]()
    },
  }
}

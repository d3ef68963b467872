import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { Change, RecordedObject } from '../../packages/dashboard/src/recording/entry.ts'
import { hasBrowser } from '../browser.ts'
import { at, it } from './shown-page.ts'

const NOTE = { apiVersion: 'page.example.com/v1', kind: 'Note' }
const LIST = { apiVersion: 'page.example.com/v1', kind: 'List' }

/** An object as the API server may return it: the schema of a custom kind may allow any value in its spec and status. */
function objectWith(name: string, content: object = {}, named = NOTE): RecordedObject {
  const uid = `${named.kind}-${name}`
  const creationTimestamp = '2026-11-19T12:00:00Z'
  return { ...named, metadata: { ...at(name), uid, creationTimestamp, resourceVersion: '1' }, ...content }
}

/** Opens a recording of these objects, to which these things happened. */
async function openRecording(
  page: Page,
  objects: readonly RecordedObject[],
  ...changes: Change[]
): Promise<void> {
  const operator = { type: 'operator', name: 'recorded', isRunning: true, kinds: [NOTE, LIST], actions: [] }
  const start = { at: 1000, operator, objects, queues: [], running: [] }
  const entries = changes.map((change, index) => ({ ...change, sequence: index + 1, at: 2000 + index }))
  await openFile(page, JSON.stringify({ format: 'homeostat-recording/1', start, entries }))
}

async function openFile(page: Page, text: string): Promise<void> {
  const file = { name: 'recorded.json', mimeType: 'application/json', buffer: Buffer.from(text) }
  await page.locator('input[type=file]').setInputFiles(file)
}

/** A reconcile from its start to its end. */
function reconcile(controller: string, kind: typeof NOTE | undefined, error?: string): readonly Change[] {
  const about = { controller, request: at('one'), reconcileID: `${controller} of ${kind?.kind}` }
  return [
    { type: 'started', ...about, ...kind, causes: [], reasons: [], omittedCauses: 0, waited: 0 },
    {
      type: 'ended',
      ...about,
      result: error === undefined ? 'success' : 'error',
      error,
      duration: 1,
      writes: [],
      omittedWrites: 0,
      isLoop: false,
    },
  ]
}

describe.skipIf(!hasBrowser)(
  `objects of a recording${hasBrowser ? '' : ' (skipped: no Chromium on the PATH)'}`,
  { timeout: 240_000 },
  () => {
    it('are shown also where their kind allows values of unusual types', async ({ page, row, details }) => {
      const contents = [
        { status: null, spec: null },
        { status: 'up', spec: 7 },
        { status: [] },
        { status: { conditions: {}, containerStatuses: {}, phase: {}, observedGeneration: 'x' } },
        { status: { conditions: [null, 'Ready', {}, { type: 'Ready' }, { type: 1, status: true }] } },
        { status: { conditions: [{ type: 'Ready', status: 'True', reason: {}, message: [] }] } },
        { status: { containerStatuses: [null, 'x', { state: null }, { state: { waiting: 'no' } }] } },
        { spec: { replicas: '3' }, status: { replicas: {} } },
      ]
      await openRecording(
        page,
        contents.map((content, index) => objectWith(`unusual-${index}`, content)),
      )
      for (const index of contents.keys()) {
        await row(new RegExp(`Healthy.*unusual-${index}`)).click()
        await details()
          .getByRole('heading', { name: `default/unusual-${index}` })
          .waitFor()
      }
    })

    it('stand at the top if their owner does not, or if they own each other', async ({ page, row }) => {
      const map = { apiVersion: 'v1', kind: 'ConfigMap' }
      const ownedBy = (object: RecordedObject, { apiVersion, kind, metadata }: RecordedObject) => {
        const { name, uid } = metadata
        const ownerReferences = [{ apiVersion, kind, name, uid }]
        return { ...object, metadata: { ...object.metadata, ownerReferences } }
      }
      const [owner, below, inside] = [
        objectWith('owner', {}, map),
        objectWith('below'),
        objectWith('inside', {}, LIST),
      ]
      const [left, right, itself] = [objectWith('left'), objectWith('right'), objectWith('itself')]
      const owned = [ownedBy(inside, below), ownedBy(below, owner), ownedBy(itself, itself)]
      await openRecording(page, [owner, ...owned, ownedBy(left, right), ownedBy(right, left)])
      const levels = async (): Promise<unknown> =>
        page
          .getByRole('treeitem')
          .evaluateAll((rows) =>
            rows.map(
              (each) => `${each.getAttribute('aria-level')} ${each.querySelector('.name')?.textContent}`,
            ),
          )
      await row(/inside/).waitFor()
      expect(await levels()).toEqual([
        '1 default/below',
        '2 inside',
        '1 default/itself',
        '1 default/left',
        '2 right',
      ])
    })

    it('fail if their own reconcile failed, and not that of an object of another kind', async ({
      page,
      row,
      details,
    }) => {
      await openRecording(
        page,
        [objectWith('one'), objectWith('one', {}, LIST)],
        ...reconcile('copies', NOTE, 'no paper'),
        ...reconcile('counts', NOTE),
        ...reconcile('counts', LIST),
      )
      await row(/Failing.*Note default\/one.*no paper/).click()
      await details().getByText('no paper').waitFor()
      await row(/Healthy.*List default\/one/).click()
      await details().getByText('Healthy').waitFor()
      await details().getByRole('button', { name: 'Close' }).click()
      await details()
        .getByRole('button', { name: /no paper/ })
        .click()
      await details().getByRole('button', { name: 'Show Note one' }).waitFor()
    })

    it('fail in a recording that does not say of which kind a reconcile is', async ({ page, row }) => {
      await openRecording(page, [objectWith('one')], ...reconcile('copies', undefined, 'no paper'))
      await row(/Failing.*Note default\/one.*no paper/).waitFor()
    })

    it('are not shown if the file has another form, and the live operator is', async ({ page }) => {
      const start = { at: 1000, objects: [], queues: [], running: [] }
      for (const broken of [
        { start: { objects: [] }, entries: [] },
        { start, entries: [{ type: 'object' }] },
        { start: { ...start, objects: [{}] }, entries: [] },
        { start, entries: [null] },
      ]) {
        await openFile(page, JSON.stringify({ format: 'homeostat-recording/1', ...broken }))
        await page.getByText('recorded.json is not a recording of this page.').waitFor()
        await page.getByText('There is no Note yet.').waitFor()
        await page.getByRole('status').getByText('Running').waitFor()
        expect(await page.getByText('This is the recording').count()).toBe(0)
        await openRecording(page, [objectWith('one')])
        await page.getByText('This is the recording recorded.json.').waitFor()
        await page.getByRole('button', { name: 'Back to live' }).click()
      }
    })
  },
)

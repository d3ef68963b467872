import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { hasBrowser } from '../browser.ts'
import { Note, PASSWORD } from './shown-operator.ts'
import { it, note, SLOW } from './shown-page.ts'

/** Waits until the page shows what was clicked. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

/** Holds a file over the page, and drops it. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const held = await page.evaluateHandle(`(() => {
    const held = new DataTransfer()
    held.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, { type: 'application/json' }))
    return held
  })()`)
  await page.dispatchEvent('.page', 'dragover', { dataTransfer: held })
  await page.getByText('Drop the recording to open it.').waitFor()
  await page.dispatchEvent('.page', 'drop', { dataTransfer: held })
}

describe.skipIf(!hasBrowser)(
  `an earlier moment on the page${hasBrowser ? '' : ' (skipped: no Chromium on the PATH)'}`,
  { timeout: 240_000 },
  () => {
    it('goes back to a moment and forward again, and every view follows', async ({
      shown,
      page,
      row,
      details,
    }) => {
      await shown.client.create(Note, note('one', 'hello'))
      await row(/Secret one/).waitFor()
      const between = Date.now() + 2
      await expect.poll(() => Date.now()).toBeGreaterThan(between + 2)
      await shown.client.create(Note, note('two', 'hello'))
      await row(/Secret two/).waitFor()
      await page.getByRole('slider').fill(String(between))
      await page.getByText('Everything shows this moment.').waitFor()
      await expect.poll(() => row(/two/).count(), { timeout: SLOW }).toBe(0)
      await row(/Note default\/one/).click()
      await details().getByText('text: hello').last().waitFor()
      expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
      const next = page.getByRole('button', { name: 'To what happened next' })
      await next.click()
      await row(/Note default\/two/).waitFor()
      await page.getByRole('button', { name: 'To what happened before' }).click()
      await expect.poll(() => row(/two/).count(), { timeout: SLOW }).toBe(0)
      await page.getByRole('button', { name: 'Back to now' }).click()
      await row(/Secret two/).waitFor()
      await page.getByRole('button', { name: 'Edit' }).waitFor()
    })

    it('says of a moment before all objects that there were none', async ({ shown, page, row }) => {
      await page.getByText('There is no Note yet.').waitFor()
      const before = Date.now()
      await expect.poll(() => Date.now()).toBeGreaterThan(before)
      await shown.client.create(Note, note('one', 'hello'))
      await row(/Secret one/).waitFor()
      await page.getByRole('slider', { name: 'The moment that is shown' }).fill(String(before))
      await page.getByText('There was no Note at this moment.').waitFor()
      expect(await page.getByText('Create one').count()).toBe(0)
      await page.getByRole('button', { name: 'Back to now' }).click()
      await row(/Secret one/).waitFor()
    })

    it('goes back while the timeline is dragged, and forward to now', async ({
      shown,
      page,
      row,
      details,
    }) => {
      await shown.client.create(Note, note('one', 'hello'))
      await row(/Secret one/).waitFor()
      await page.getByRole('button', { name: '10 s' }).click()
      const track = (await page.getByRole('group', { name: 'Reconciles of notes' }).boundingBox())!
      // It stays in its place, whatever is said about the moment.
      const y = track.y + track.height / 2
      const drag = async (from: number, to: number): Promise<void> => {
        await page.mouse.move(track.x + from * track.width, y)
        await page.mouse.down()
        await page.mouse.move(track.x + to * track.width, y, { steps: 5 })
        await page.mouse.up()
      }
      await drag(0.05, 0.9)
      await page.getByText('Everything shows this moment.').waitFor()
      const at = page.getByRole('slider', { name: 'The moment that is shown' })
      const first = Number(await at.inputValue())
      await row(/Secret one/)
        .first()
        .waitFor({ state: 'detached' })
      await drag(0.5, 0.4)
      await expect.poll(async () => Number(await at.inputValue()), { timeout: SLOW }).toBeGreaterThan(first)
      // Time has passed meanwhile, so one drag may not reach now.
      await expect
        .poll(
          async () => {
            await drag(0.95, 0.05)
            return page.getByText('Everything shows this moment.').count()
          },
          { timeout: SLOW },
        )
        .toBe(0)
      await row(/Secret one/).waitFor()
      // In the past nothing moves. A drag from a bar does not choose it, and a click does.
      await page.getByRole('button', { name: 'To what happened before' }).click()
      await page.getByText('Everything shows this moment.').waitFor()
      const box = (await page.locator('.bar').last().boundingBox())!
      const x = box.x + box.width / 2
      const moment = await at.inputValue()
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x - 100, y, { steps: 3 })
      await page.mouse.move(x + 100, y, { steps: 3 })
      await page.mouse.up()
      await expect.poll(() => at.inputValue(), { timeout: SLOW }).not.toBe(moment)
      await details().getByRole('heading', { name: 'Queues' }).waitFor()
      await page.getByRole('button', { name: 'Back to now' }).click()
      await page.getByRole('button', { name: 'To what happened before' }).click()
      await page.locator('.bar').last().click()
      await details().getByRole('button', { name: 'Close' }).waitFor()
    })

    it('shows a reconcile as far as it had come', async ({ shown, page, details }) => {
      await shown.client.create(Note, note('one', 'hello'))
      await details()
        .getByRole('button', { name: /wrote ConfigMap/ })
        .first()
        .click()
      await details().getByText('Applied ConfigMap one').waitFor()
      const before = page.getByRole('button', { name: 'To what happened before' })
      for (const text of ['It is running.', 'It had not started at this moment.'])
        do {
          await before.click()
          await drawn(page)
        } while ((await details().getByText(text).count()) === 0)
      await page.getByRole('button', { name: 'Back to now' }).click()
      await details().getByText('Applied ConfigMap one').waitFor()
    })

    it('shows with each step the queue that follows from it', async ({ shown, page, details }) => {
      await shown.client.create(Note, note('one', 'fail'))
      await details()
        .getByText(/attempt [2-9] failed/)
        .waitFor()
      await page.getByRole('slider', { name: 'The moment that is shown' }).fill('0')
      await page.getByText('Everything shows this moment.').waitFor()
      let failures = 0
      while (failures < 2) {
        await page.getByRole('button', { name: 'To what happened next' }).click()
        await drawn(page)
        const runs = await details().locator('.runs .result').allTextContents()
        failures = runs.filter((result) => result === 'the note cannot be copied').length
        if (runs[0] !== 'the note cannot be copied') continue
        expect(await details().locator('.queued .cause').allTextContents()).toEqual([
          `attempt ${failures} failed: the note cannot be copied`,
        ])
      }
    })

    it('saves a recording as one file, and opens it again', async ({ shown, page, row }) => {
      await shown.client.create(Note, note('one', 'hello'))
      await row(/Secret one/).waitFor()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save recording' }).click()
      const file = await (await download).path()
      expect(readFileSync(file, 'utf8')).not.toContain(btoa(PASSWORD))
      await shown.client.create(Note, note('later', 'hello'))
      await row(/Note default\/later/).waitFor()
      await page.locator('input[type=file]').setInputFiles({
        name: 'notes.json',
        mimeType: 'application/json',
        buffer: readFileSync(file),
      })
      await page.getByText('This is the recording notes.json.').waitFor()
      await row(/Secret one/).waitFor()
      await row(/later/).first().waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Back to live' }).click()
      await row(/Note default\/later/).waitFor()
      await page.locator('input[type=file]').setInputFiles({
        name: 'other.json',
        mimeType: 'application/json',
        buffer: Buffer.from('{"format":"another"}'),
      })
      await page.getByText('other.json is not a recording of this page.').waitFor()
      await drop(page, 'dropped.json', readFileSync(file, 'utf8'))
      await page.getByText('This is the recording dropped.json.').waitFor()
      await row(/later/).first().waitFor({ state: 'detached' })
    })
  },
)

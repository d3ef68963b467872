import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasBrowser, openBrowser, type Browser } from '../browser.ts'
import { axeFindings } from './axe-findings.ts'
import { showOperator, type ShownOperator } from './shown-operator.ts'
import { findForgottenLabel, recordStory } from './told-story.ts'

/** A browser that draws on a machine that runs other tests. */
const SLOW = 60_000

let browser: Browser
let shown: ShownOperator
let page: Page
let recording: string
const problems: string[] = []

const row = (name: RegExp) => page.getByRole('treeitem', { name })
const details = () => page.getByRole('region', { name: 'Details' })
const said = () => page.getByRole('group', { name: 'Story' }).getByRole('status')

async function openStory(): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({
    name: '1-history.json',
    mimeType: 'application/json',
    buffer: Buffer.from(recording),
  })
  await said().getByText('Step 1 of 3').waitFor()
}

describe.skipIf(!hasBrowser)(
  `the story of a finding${hasBrowser ? '' : ' (skipped: no Chromium on the PATH)'}`,
  { timeout: 240_000 },
  () => {
    beforeAll(async () => {
      recording = await recordStory(await findForgottenLabel())
      browser = await openBrowser()
    })
    afterAll(() => browser[Symbol.asyncDispose]())
    beforeEach(async () => {
      shown = await showOperator()
      page = await browser.context.newPage()
      page.setDefaultTimeout(SLOW)
      page.on('pageerror', ({ message }) => problems.push(message))
      page.on('console', (line) => {
        if (line.type() === 'error' && !/Failed to load resource/.test(line.text()))
          problems.push(line.text())
      })
      await page.goto(shown.dashboard.address)
      await page.getByRole('heading', { name: 'notes-operator' }).waitFor()
    })
    afterEach(async () => {
      await page.close()
      await shown[Symbol.asyncDispose]()
      const found = problems.splice(0)
      if (found.length > 0) throw new Error(`the page reported: ${found.join('; ')}`)
    })

    it('leads through each step, forward and back, with every view at that moment', async () => {
      await openStory()
      await said().getByText('Step 1 of 3 the user creates the Note default/one').waitFor()
      await row(/Note default\/one/).waitFor()
      await row(/ConfigMap/)
        .first()
        .waitFor({ state: 'detached' })
      const next = page.getByRole('button', { name: 'Next step' })
      await next.click()
      await said().getByText('Step 2 of 3 the user changes the Note default/one').waitFor()
      await row(/Note default\/one/).click()
      await expect.poll(() => details().getByText('label: b').count(), { timeout: SLOW }).toBe(0)
      await next.click()
      await said().getByText('Step 3 of 3 the operator runs until it has nothing left to do').waitFor()
      expect(await next.isDisabled()).toBe(true)
      await row(/ConfigMap one/).click()
      await details().getByText('label: b').first().waitFor()
      await page.locator('.bar').last().waitFor()
      await page.getByRole('button', { name: 'Step before' }).click()
      await said().getByText('Step 2 of 3').waitFor()
      await page.getByRole('button', { name: 'Step before' }).click()
      await details().getByText('The object did not exist at this moment.').waitFor()
      await page.getByRole('button', { name: 'Whole story' }).click()
      await details().getByText('A finding of the check').waitFor()
      expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    })

    it('says what is wrong at the end, and works by keyboard alone', async () => {
      await openStory()
      const step = details().getByRole('button', { name: /the operator runs until/ })
      expect(await step.getAttribute('aria-current')).toBeNull()
      await step.focus()
      await page.keyboard.press('Enter')
      await said().getByText('Step 3 of 3').waitFor()
      expect(await step.getAttribute('aria-current')).toBe('step')
      await details().getByText('data.label', { exact: true }).waitFor()
      await details().locator('.is-found').getByText('"b"').waitFor()
      await details().locator('.is-expected').getByText('absent').waitFor()
      await details().getByRole('heading', { name: 'What to do' }).waitFor()
      await page.getByRole('button', { name: 'To what happened before' }).press('Enter')
      await page.getByRole('button', { name: 'Back to live' }).press('Enter')
      await page.getByText('There is no Note yet.').waitFor()
      expect(await page.getByRole('group', { name: 'Story' }).count()).toBe(0)
    })

    it('keeps its story when it is saved again', async () => {
      await openStory()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save recording' }).click()
      const stream = await (await download).createReadStream()
      let text = ''
      for await (const chunk of stream) text += String(chunk)
      expect(JSON.parse(text).story).toEqual(JSON.parse(recording).story)
    })

    it.each([
      ['ja', '次のステップ', '対処', 'ユーザーが Note default/one を'],
      ['zh-Hans', '下一步', '如何处理', '用户创建 Note default/one'],
      ['zh-Hant', '下一步', '如何處理', '使用者建立 Note default/one'],
    ])('speaks %s, also in what the finding says', async (tag, next, remedy, step) => {
      await openStory()
      await page.getByRole('combobox', { name: 'Language' }).selectOption(tag)
      await page.getByRole('button', { name: next }).waitFor()
      const panel = page.locator('section.panel').last()
      await panel.getByRole('heading', { name: remedy }).waitFor()
      await panel.getByRole('button', { name: step }).first().waitFor()
      await page.locator('.story-bar').getByText(step).waitFor()
      // No sentence is left in English.
      expect(await panel.innerText()).not.toMatch(/[a-z]+ [a-z]+ [a-z]+/)
      expect(await page.evaluate('document.documentElement.lang')).toBe(tag)
      await page.evaluate('localStorage.clear()')
    })

    it.each(['light', 'dark'] as const)(
      'has no finding of axe and fits a phone, in %s',
      async (colorScheme) => {
        await page.emulateMedia({ colorScheme })
        await openStory()
        await page.getByRole('button', { name: 'Next step' }).click()
        await said().getByText('Step 2 of 3').waitFor()
        expect(await axeFindings(page)).toEqual([])
        await page.setViewportSize({ width: 390, height: 844 })
        await expect
          .poll(() => page.evaluate('document.documentElement.scrollWidth'), { timeout: SLOW })
          .toBe(390)
        expect(await axeFindings(page)).toEqual([])
      },
    )
  },
)

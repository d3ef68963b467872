import { describe, expect } from 'vitest'
import { hasBrowser } from '../browser.ts'
import { axeFindings } from './axe-findings.ts'
import { Note, PASSWORD } from './shown-operator.ts'
import { at, it, note } from './shown-page.ts'

const SIZES = [
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
] as const

describe.skipIf(!hasBrowser)(
  `the page for everyone${hasBrowser ? '' : ' (skipped: no Chromium on the PATH)'}`,
  { timeout: 240_000 },
  () => {
    it.for([
      ['ja', 'オブジェクト', '実行された理由'],
      ['zh-Hans', '对象', '运行的原因'],
      ['zh-Hant', '物件', '執行的原因'],
    ] as const)(
      'speaks %s, also the next time, and fits a phone',
      async ([tag, objects, why], { shown, page, row }) => {
        await shown.client.create(Note, note('one', 'hello'))
        await row(/Secret one/).waitFor()
        await page.getByRole('combobox', { name: 'Language' }).selectOption(tag)
        await page.getByRole('heading', { name: objects }).waitFor()
        await page.reload()
        await page.getByRole('heading', { name: objects }).waitFor()
        expect(await page.evaluate('document.documentElement.lang')).toBe(tag)
        await row(/Note default\/one/).click()
        await page.locator('.bar').last().press('Enter')
        const first = page.locator('.panel .run-link').first()
        await page.getByRole('heading', { name: why }).or(first).first().waitFor()
        if ((await page.getByRole('heading', { name: why }).count()) === 0) await first.click()
        await page.getByRole('heading', { name: why }).waitFor()
        await page.setViewportSize(SIZES[1])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(SIZES[1].width)
        expect(await axeFindings(page)).toEqual([])
        await page.evaluate('localStorage.clear()')
      },
    )

    it('works by keyboard alone', async ({ shown, page, row, details }) => {
      await shown.client.create(Note, note('one', 'hello'))
      await row(/Secret one/).waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('one')
      await page.getByRole('treeitem').first().focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await details().getByRole('heading', { name: 'default/one' }).waitFor()
      await page.keyboard.press('Escape')
      await details().getByRole('heading', { name: 'Queues' }).waitFor()
      expect(await page.getByRole('searchbox').inputValue()).toBe('one')
    })

    it('has the landmarks and roles by which screen readers lead through it', async ({
      shown,
      page,
      row,
    }) => {
      await shown.client.create(Note, note('one', 'hello'))
      await row(/Secret one/).waitFor()
      for (const name of ['Timeline', 'Objects', 'Details'])
        expect(await page.getByRole('region', { name, exact: true }).count()).toBe(1)
      expect(await page.getByRole('banner').count()).toBe(1)
      expect(await page.getByRole('main').count()).toBe(1)
      expect(await page.getByRole('tree', { name: 'Objects and what belongs to them' }).count()).toBe(1)
      expect(await page.getByRole('slider', { name: 'The moment that is shown' }).count()).toBe(1)
      expect(await page.getByRole('status').filter({ hasText: 'Running' }).count()).toBe(1)
      expect(
        await page.getByRole('group', { name: 'Reconciles of notes' }).getByRole('button').count(),
      ).toBeGreaterThan(0)
      expect(await row(/Note default\/one/).getAttribute('aria-expanded')).toBe('true')
    })

    it.for(['light', 'dark'] as const)(
      'has no finding of axe in any view, in %s and on a phone',
      async (colorScheme, { shown, page, row, details }) => {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        const check = async (view: string): Promise<void> => {
          for (const size of SIZES) {
            await page.setViewportSize(size)
            const width = await page.evaluate('document.documentElement.scrollWidth')
            expect({ view, width, findings: await axeFindings(page) }).toEqual({
              view,
              width: size.width,
              findings: [],
            })
          }
          await page.setViewportSize(SIZES[0])
        }
        const button = (name: string) => page.getByRole('button', { name, exact: true })
        await page.getByText('There is no Note yet.').waitFor()
        await check('nothing yet')

        const finalizers = ['page.example.com/kept']
        const kept = { metadata: { ...at('kept'), finalizers }, spec: { text: 'kept' } }
        await shown.client.create(Note, kept)
        await shown.client.create(Note, note('one', 'hello'))
        await shown.client.create(Note, note('two', 'fail'))
        await shown.client.delete(Note, at('kept'))
        await row(/Secret one/).waitFor()
        await row(/Deleting.*Note default\/kept/).waitFor()
        await row(/Failing.*Note default\/two/).waitFor()
        await check('objects, timeline and queues')
        await page.getByRole('searchbox').fill('nothing has this name')
        await page.getByText('No object matches.').waitFor()
        await check('a search that finds nothing')
        await page.getByRole('searchbox').fill('')

        await shown.client.patch(Note, at('one'), { type: 'merge', body: { spec: { text: 'again' } } })
        await row(/ConfigMap one/).click()
        await details()
          .getByRole('button', { name: /changed by notes/ })
          .first()
          .click()
        await details().locator('.diff').waitFor()
        await check('an object with its history')
        await button('Edit').click()
        const text = page.getByRole('textbox', { name: 'Edit one' })
        const yaml = await text.inputValue()
        await text.fill('{')
        await button('Show what would change').click()
        await page.getByRole('alert').waitFor()
        await check('an edit that is refused')
        await text.fill(yaml.replace('text: again', 'text: edited'))
        await button('Show what would change').click()
        await details().getByText('This is what the server would store:').waitFor()
        await check('an edit that is accepted')
        await button('Cancel').click()
        await button('Delete').click()
        await details().getByText('The server accepts it. It would delete:').waitFor()
        await check('a deletion')
        await row(/Secret one/).click()
        await button('Show values').click()
        await details().getByText(PASSWORD).waitFor()
        await check('the values of a Secret')
        await button('Create').click()
        await check('a new object')

        await page.keyboard.press('Escape')
        await details()
          .getByRole('button', { name: /wrote ConfigMap/ })
          .first()
          .click()
        await details().getByRole('heading', { name: 'What it logged' }).waitFor()
        await check('a reconcile')
        await button('To what happened before').click()
        await page.getByText('Everything shows this moment.').waitFor()
        await check('the past')
        await button('Back to now').click()
        shown.dashboard.operatorDisturbed({ isPaused: true, api: 'failing' })
        await page.getByText('The operator is paused: its reconciles wait.').waitFor()
        await check('a paused operator')
        await shown.restartPage()
        await page.getByText('Not allowed: open the address that the terminal shows now').waitFor()
        await check('a program that was started again')
      },
    )

    it('fits a phone', async ({ shown, page, row, details }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await shown.client.create(Note, note('one', 'hello'))
      await row(/Secret one/).waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
      await row(/Note default\/one/).click()
      await details().getByRole('button', { name: 'Close' }).click()
      await row(/Note default\/one/).waitFor()
    })
  },
)

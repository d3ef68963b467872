import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { openBrowser, type Browser } from '../browser.ts'
import { showOperator, type ShownOperator } from './shown-operator.ts'

/** A browser that draws on a machine that runs other tests. */
export const SLOW = 60_000

/** What a test of the page uses. */
export interface ShownPage {
  readonly browser: Browser
  /** An operator of this test. */
  readonly shown: ShownOperator
  /** Its page. The test fails if the page reports an error. */
  readonly page: Page
  /** The objects in the tree with this name. */
  readonly row: (name: RegExp) => Locator
  /** What was chosen. */
  readonly details: () => Locator
}

/** Tests of the page in a browser: each has an operator and a tab of its own. */
export const it = test.extend<ShownPage>({
  browser: [
    // oxlint-disable-next-line no-empty-pattern -- vitest reads from it what a fixture needs
    async ({}, use) => {
      await using browser = await openBrowser()
      await use(browser)
    },
    { scope: 'file' },
  ],
  // oxlint-disable-next-line no-empty-pattern -- the same
  shown: async ({}, use) => {
    await using shown = await showOperator()
    await use(shown)
  },
  page: async ({ browser, shown }, use) => {
    const problems: string[] = []
    const page = await browser.context.newPage()
    page.setDefaultTimeout(SLOW)
    page.on('pageerror', ({ message }) => problems.push(message))
    page.on('console', (line) => {
      if (line.type() === 'error' && !/Failed to load resource|ERR_/.test(line.text()))
        problems.push(line.text())
    })
    await page.goto(shown.dashboard.address)
    await page.getByRole('heading', { name: 'notes-operator' }).waitFor()
    await use(page)
    await page.close()
    if (problems.length > 0) throw new Error(`the page reported: ${problems.join('; ')}`)
  },
  row: ({ page }, use) => use((name) => page.getByRole('treeitem', { name })),
  details: ({ page }, use) => use(() => page.getByRole('region', { name: 'Details' })),
})

/** The key of an object in the default namespace. */
export const at = (name: string) => ({ namespace: 'default', name })

/** A Note with this text. */
export const note = (name: string, text: string) => ({ metadata: at(name), spec: { text } })

import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe says against a page as it is drawn now, a line for each rule. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  return page.evaluate<string[]>(`axe.run().then(({ violations }) => violations.map(({ id, nodes }) =>
    id + ': ' + nodes.map(({ html, any }) => html.slice(0, 120) + ' ' + (any[0]?.message ?? '')).join(' | ')))`)
}

import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { SITE_FOLDER } from '../../scripts/docs/build-site.ts'
import { serveFolder } from '../../scripts/docs/serve-folder.ts'
import { hasBrowser, openBrowser } from '../browser.ts'

/** The built documentation site. `npm test docs` builds it and runs this. */
const root = resolve(import.meta.dirname, '../..')
const isAsked = process.env['HOMEOSTAT_DOCS'] === '1'

/** The site in a browser that reaches nothing but this machine's loopback, and notes what it would have asked elsewhere. */
async function openSite() {
  const served = await serveFolder(SITE_FOLDER, 0)
  const browser = await openBrowser()
  const elsewhere: string[] = []
  await browser.context.route('**/*', async (route) => {
    const { hostname, protocol } = new URL(route.request().url())
    if (hostname === '127.0.0.1' || protocol === 'data:' || protocol === 'blob:') return route.continue()
    elsewhere.push(route.request().url())
    return route.abort()
  })
  const page = await browser.context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  return {
    page,
    elsewhere,
    errors,
    open: async (path: string) => {
      await page.goto(new URL(path, served.url).href)
      await page.locator('main h1').first().waitFor()
    },
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]()
      await served[Symbol.asyncDispose]()
    },
  }
}

async function search(page: Page, words: string): Promise<readonly string[]> {
  await page.locator('.VPNavBarSearch button').first().click()
  await page.locator('.VPLocalSearchBox input').fill(words)
  const results = page.locator('.VPLocalSearchBox a.result')
  await results.first().waitFor()
  const links = await results.evaluateAll((found) => found.map((each) => each.getAttribute('href') ?? ''))
  await page.keyboard.press('Escape')
  return links
}

describe.skipIf(!isAsked || !hasBrowser)('the documentation site in a browser', { timeout: 240_000 }, () => {
  it('shows its pages in four languages, finds words without a network, and asks no other machine', async () => {
    await using site = await openSite()
    const { page } = site
    for (const [path, heading] of [
      ['/', 'Homeostat'],
      ['/guide/1-the-loop', '1. The loop'],
      ['/zh-Hant/guide/1-the-loop', titleOf('zh-Hant')],
      ['/zh-Hans/guide/1-the-loop', titleOf('zh-Hans')],
      ['/ja/guide/1-the-loop', titleOf('ja')],
      ['/decisions/0001-absent-objects-are-not-requeued', '0001'],
      ['/reference/homeostat', 'homeostat'],
    ] as const) {
      await site.open(path)
      expect(await page.locator('main h1').first().innerText(), path).toContain(heading)
    }
    await site.open('/guide/4-owners')
    const tryIt = page.getByRole('button', { name: 'Try it here' })
    // Each stands below the loop that its example continues.
    const above = page.locator('main div[class*=language-]:has(+ .tried)')
    const controllers = (await above.allInnerTexts()).map((code) => /controller\('(\w+)'\)/.exec(code)?.[1])
    expect(controllers).toEqual(['greeting', 'counting', 'greeter'])
    expect(await tryIt.count()).toBe(3)
    await tryIt.nth(1).click()
    const second = page.frameLocator('iframe[title=Playground]')
    await second.getByRole('treeitem', { name: /Job hello-2/ }).waitFor({ timeout: 90_000 })
    await page.getByRole('button', { name: 'Close the playground' }).click()
    await page.locator('iframe').waitFor({ state: 'detached' })
    await tryIt.first().click()
    const playground = page.frameLocator('iframe[title=Playground]')
    await playground.getByRole('treeitem', { name: /ConfigMap welcome/ }).waitFor({ timeout: 90_000 })
    await page.getByRole('button', { name: 'Close the playground' }).click()
    await page.locator('iframe').waitFor({ state: 'detached' })
    // These chapters show no loop, and have their examples at the top, also where a link leads from one to another.
    await site.open('/guide/16-webhooks')
    expect(await tryIt.count()).toBe(1)
    const alone = page.getByRole('link', { name: 'Open it as a page' })
    expect(await alone.getAttribute('href')).toContain('example=16-webhooks&')
    await page.locator('.VPSidebar a[href*="14-coming-from-kopf"]').click()
    await expect.poll(() => alone.getAttribute('href')).toContain('example=14-coming-from-kopf&')
    expect(await tryIt.count()).toBe(1)
    await site.open('/')
    const found = await search(page, 'finalizer')
    expect(found.some((link) => link.startsWith('/guide/5-finalizers'))).toBe(true)
    await site.open('/ja/')
    const japanese = await search(page, 'サーモスタット')
    expect(japanese.some((link) => link.startsWith('/ja/guide/1-the-loop'))).toBe(true)
    await site.open('/reference/homeostat')
    await page
      .locator('pre a.name', { hasText: /^Finalizable$/ })
      .first()
      .click()
    await expect.poll(() => page.url()).toMatch(/\/reference\/homeostat#Finalizable$/)
    expect(site.elsewhere).toEqual([])
    expect(site.errors).toEqual([])
  })

  it('is no wider than a phone', async () => {
    await using site = await openSite()
    await site.page.setViewportSize({ width: 360, height: 740 })
    const wide: string[] = []
    for (const file of globSync(
      '{*,guide/*,ja/guide/*,recipes/*,reference/{index,homeostat,cli},decisions/{index,0005*}}.html',
      { cwd: SITE_FOLDER },
    )) {
      if (file === '404.html') continue
      await site.open(`/${file}`)
      const width = await site.page.evaluate('document.documentElement.scrollWidth')
      if (width !== 360) wide.push(`${file}: ${String(width)}`)
    }
    expect(wide).toEqual([])
  })
})

describe.skipIf(!isAsked)('the API reference', () => {
  const manifests = globSync('packages/*/package.json', { cwd: root })
  it.each(manifests)('has every name that the modules of %s export', async (manifest) => {
    const { name, exports } = JSON.parse(readFileSync(join(root, manifest), 'utf8'))
    for (const [path, target] of Object.entries<any>(exports)) {
      if (typeof target.source !== 'string' || path.includes('*')) continue
      const file = `${name}${path.slice(1)}`.replace('@homeostat/', '').replaceAll('/', '-')
      const page = join(SITE_FOLDER, 'reference', `${file}.html`)
      expect(existsSync(page), page).toBe(true)
      const html = readFileSync(page, 'utf8')
      const values = Object.keys(await import(join(root, manifest, '..', target.source)))
      const missing = values.filter(
        (value) => !html.includes(`id="${value}"`) && !html.includes(`>${value}</code></a>`),
      )
      expect(missing, file).toEqual([])
    }
  })
})

function titleOf(language: string): string {
  return (
    /^# (.+)$/m.exec(readFileSync(join(root, 'docs/guide', language, '1-the-loop.md'), 'utf8'))?.[1] ?? ''
  )
}

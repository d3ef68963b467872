import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildPlayground } from '../../docs/playground/build/build-playground.ts'
import { readCatalogue } from '../../docs/playground/build/catalogue.ts'
import { hasBrowser, openBrowser, type Browser } from '../browser.ts'
import { axeFindings } from '../dashboard/axe-findings.ts'
import { changed, linkTo } from './linked-code.ts'
import { serveFiles } from './serve-files.ts'

/** A browser that draws on a machine that runs other tests. */
const SLOW = 90_000
const { examples } = readCatalogue()

let served: Awaited<ReturnType<typeof serveFiles>>
let browser: Browser
let page: Page
const problems: string[] = []
const elsewhere: string[] = []

const row = (name: RegExp) => page.getByRole('treeitem', { name })
const alert = () => page.getByRole('alert')
const open = async (address = ''): Promise<void> => {
  await page.goto(new URL(address, served.url).href)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Does something until a text is shown: what a pointer or a key opens is closed again where the code changes meanwhile. */
async function untilShown(shown: Locator, act: () => Promise<void>): Promise<void> {
  await vi.waitFor(
    async () => {
      await page.mouse.move(0, 0)
      await act()
      await shown.waitFor({ timeout: 5000 })
    },
    { timeout: SLOW },
  )
}

describe.skipIf(!hasBrowser)(
  `the playground in a browser${hasBrowser ? '' : ' (skipped: no Chromium on the PATH)'}`,
  { timeout: 240_000 },
  () => {
    beforeAll(async () => {
      served = await serveFiles(await buildPlayground())
      browser = await openBrowser()
      await browser.context.route('**/*', async (route) => {
        const { hostname, protocol } = new URL(route.request().url())
        if (hostname === '127.0.0.1' || protocol === 'data:' || protocol === 'blob:') return route.continue()
        elsewhere.push(route.request().url())
        return route.abort()
      })
    })
    afterAll(async () => {
      await browser[Symbol.asyncDispose]()
      await served[Symbol.asyncDispose]()
    })
    beforeEach(async () => {
      page = await browser.context.newPage()
      page.setDefaultTimeout(SLOW)
      page.on('pageerror', ({ message }) => problems.push(message))
      page.on('console', (line) => {
        if (line.type() === 'error' && !/ERR_INTERNET_DISCONNECTED/.test(line.text()))
          problems.push(line.text())
      })
    })
    afterEach(async () => {
      await page.close()
      const found = [
        ...problems.splice(0),
        ...elsewhere.splice(0).map((address) => `it asked for ${address}`),
      ]
      if (found.length > 0) throw new Error(`the page reported: ${found.join('; ')}`)
    })

    it('runs the first example as soon as it is open, with Pods, and heals what is deleted', async () => {
      await open()
      await row(/Pod hello/).waitFor()
      const took = await page.evaluate<number>("performance.getEntriesByName('first reconcile')[0].startTime")
      process.stdout.write(`the first reconcile ended ${Math.round(took)} ms after the page was opened\n`)
      await row(/Deployment hello.*1 of 1 ready/).click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('button', { name: 'Yes, delete it' }).click()
      await page.getByText('It was deleted.').waitFor()
      await row(/Deployment hello.*1 of 1 ready/).waitFor()
      expect(await alert().count()).toBe(0)
    })

    it.each(examples.map(({ id }) => id))('runs the example %s without a problem', async (id) => {
      await open(`?example=${id}`)
      await row(/./).first().waitFor()
      await page.getByRole('button', { name: '+1 min' }).click()
      await page.locator('.clock', { hasText: /:0[1-9]:\d\d/ }).waitFor()
      expect(await alert().count()).toBe(0)
      // Some of their objects are there to show what errors lead to.
      const failing = page.getByRole('button', { name: /Failing/ })
      expect(await failing.count()).toBe(['2-results', '9-debugging'].includes(id) ? 1 : 0)
    })

    it('runs the code again after each change, and names the line of a mistake', async () => {
      await open('?example=4-owners')
      await row(/ConfigMap welcome/).waitFor()
      const editor = page.getByRole('textbox', { name: 'Code' })
      await editor.press('ControlOrMeta+Home')
      await page.keyboard.type('const broken = (')
      await alert().getByText('controller.ts, line').waitFor()
      for (let count = 0; count < 20; count++) await page.keyboard.press('ControlOrMeta+z')
      await alert().waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'operator.ts' }).click()
      await editor.press('ControlOrMeta+End')
      await editor.press('ControlOrMeta+Home')
      await page.keyboard.type(`import { nothing } from './nothing.ts'\nnothing()\n`)
      await alert().getByText('operator.ts imports ./nothing.ts, which is not here').waitFor()
      expect(await alert().count()).toBe(1)
    })

    it('marks mistakes of types, completes names by their types, and tells what a name is', async () => {
      const mistaken = changed('4-owners', 'controller.ts', 'greeting.spec.name', 'greeting.spec.nam')
      await open(linkTo(mistaken))
      await page.getByRole('button', { name: 'controller.ts , 1 type error' }).waitFor()
      const marked = page.locator('.cm-lintRange-error')
      await expect.poll(() => marked.allTextContents()).toEqual(['nam'])
      await untilShown(page.getByText("Property 'nam' does not exist on type"), () => marked.hover())
      await marked.click()
      await page.keyboard.press('End')
      await page.keyboard.type('\ngreeting.spec.')
      await untilShown(page.getByRole('option', { name: 'name', exact: true }), () =>
        page.keyboard.press('Control+Space'),
      )
      await page.keyboard.press('Escape')
      const name = page.getByText('createOrUpdate', { exact: true }).last()
      await untilShown(page.getByText('Brings an object to the state'), () => name.hover())
    })

    it('shows code of a link, and runs it only when it is told to', async () => {
      await open(linkTo(changed('3-when-it-is-called', 'operator.ts', "name: 'welcome'", "name: 'linked'")))
      await page.getByText('This code came with the link.').waitFor()
      await row(/./).first().waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await row(/Greeting.*linked/).waitFor()
      expect(await alert().count()).toBe(0)
    })

    it('makes a link that holds the code', async () => {
      await open('?example=4-owners')
      await row(/ConfigMap welcome/).waitFor()
      await page.getByRole('button', { name: 'Copy link' }).click()
      await page.getByText(/link/i).nth(1).waitFor()
      await expect.poll(() => page.url()).toContain('#code=')
      await page.reload()
      await page.getByText('This code came with the link.').waitFor()
      await page.getByRole('button', { name: 'operator.ts' }).click()
      await page.getByText("name: 'welcome'").waitFor()
    })

    it('ends code that does not end, and stays usable', async () => {
      const endless = changed('4-owners', 'controller.ts', 'if (!greeting) return\n', 'for (;;) {}\n')
      await open(linkTo(endless))
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await alert().getByText('Look for a loop that does not end').waitFor()
      await page.getByLabel('Example').selectOption('4-owners')
      await row(/ConfigMap welcome/).waitFor()
      expect(await alert().count()).toBe(0)
    })

    it('shows how far code came that does not end after a while', async () => {
      const endless = changed(
        '4-owners',
        'controller.ts',
        'if (!greeting) return\n',
        'while (!greeting) {}\n',
      )
      await open(linkTo(endless))
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await row(/Greeting default.welcome/).click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('button', { name: 'Yes, delete it' }).click()
      await alert().getByText('Look for a loop that does not end').waitFor()
      await page.getByRole('status').getByText('Stopped').waitFor()
      expect(await row(/ConfigMap hello/).count()).toBe(1)
    })

    it('says what an operator does again and again without an end', async () => {
      const restless = changed(
        '3-when-it-is-called',
        'controller.ts',
        'const text = `Hello, ${greeting.spec.name}!`',
        'const text = `Hello, ${greeting.spec.name}! ${Math.random()}`',
      )
      const code = restless['controller.ts']!.replace(', { predicate: predicates.generationChanged }', '')
      await open(linkTo({ ...restless, 'controller.ts': code }))
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await row(/Greeting.*welcome/).waitFor()
      await page.getByRole('button', { name: '+1 h' }).click()
      await alert()
        .getByText(/greeting/)
        .waitFor()
      expect(await page.getByText('Time stands still').count()).toBe(1)
    })

    it('lets time pass: a reminder that is due in 45 minutes', async () => {
      await open('?example=8-time-and-tests')
      await row(/Reminder.*bread/).click()
      await page.getByRole('button', { name: '+5 min' }).click()
      await page.locator('.clock', { hasText: / 12:0[5-9]:/ }).waitFor()
      const told = page.getByRole('region', { name: 'Details' }).getByText('told: true')
      expect(await told.count()).toBe(0)
      await page.getByRole('button', { name: '+1 h' }).click()
      await told.first().waitFor()
      await page.getByRole('slider', { name: 'How fast time runs' }).fill('0')
      await page.getByText('Time stands still').waitFor()
      expect(await alert().count()).toBe(0)
    })

    it('shows what waits for a worker, and for how long another reconcile runs', async () => {
      await open('?example=3-when-it-is-called.2')
      const lane = page.locator('.lane-name').filter({ hasText: '1 running, 1 waiting' })
      await lane.waitFor()
      // The lane is narrow here, and both lines fit into it.
      expect((await lane.boundingBox())?.height).toBeLessThanOrEqual(38)
      const details = page.getByRole('region', { name: 'Details' })
      await details
        .locator('.queued')
        .filter({ hasText: 'default/welcome' })
        .getByText('waiting for a worker')
        .waitFor()
      const running = details.locator('.queued').filter({ hasText: 'default/hello' })
      await running.getByText(/^running for (\d|1[0-4])/).waitFor()
      // Nothing moves but the mark of what is reconciled, and nothing for readers who want no motion.
      const moving = (): Promise<string[]> =>
        page.evaluate<string[]>(
          'document.getAnimations().filter((one) => one.playState === "running").map((one) => one.effect.target.getAttribute("class"))',
        )
      expect([...new Set(await moving())]).toEqual([expect.stringContaining('is-turning')])
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await expect.poll(moving).toEqual([])
      await page.getByRole('button', { name: '+1 min' }).click()
      await page.getByText('Nothing to do.').waitFor()
      expect(await alert().count()).toBe(0)
    })

    it('draws the arrows of a ping-pong where its reconciles are drawn', async () => {
      const writer = (name: string) => `
export const ${name} = controller('${name}')
  .for(Greeting)
  .watches(ConfigMap, ({ metadata: { namespace, name } }) => ({ namespace, name }))
  .writes(ConfigMap, 'apply')
  .reconcile(async (request, { client }) => {
    if (await client.get(Greeting, request)) await client.apply(ConfigMap, { metadata: request, data: { text: '${name}' } })
  })
`
      const code = `import { controller, defineKind, schema as s } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
export const Greeting = defineKind({ group: 'guide.example.com', version: 'v1', kind: 'Greeting', spec: s.object({}) })
${writer('left')}${writer('right')}`
      const operator = `import { operator, sample } from 'homeostat'
import { Greeting, left, right } from './controller.ts'
export default operator('both', {
  controllers: [left, right],
  samples: [sample(Greeting, { metadata: { namespace: 'default', name: 'hello' }, spec: {} })],
})
`
      await open(linkTo({ 'controller.ts': code, 'operator.ts': operator }))
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByText('ping-pong with right').waitFor()
      await page.locator('.links .is-loop').first().waitFor({ state: 'attached' })
      const track = (await page.locator('.track').first().boundingBox())!
      const arrows = (await page.locator('.links').boundingBox())!
      expect([arrows.x, arrows.width]).toEqual([track.x, track.width])
      const labels = await page.locator('.axis span').evaluateAll((all) => all.length)
      for (let index = 0; index < labels; index++) {
        const label = await page.locator('.axis span').nth(index).boundingBox()
        if (label) expect(label.x + label.width).toBeLessThanOrEqual(track.x + track.width)
      }
    })

    it('pauses the operator while time runs, and lets one reconcile run', async () => {
      await open('?example=4-owners')
      await row(/ConfigMap welcome/).click()
      await page.getByRole('button', { name: 'Pause', exact: true }).click()
      await page.getByText('The operator is paused: its reconciles wait.').waitFor()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('button', { name: 'Yes, delete it' }).click()
      await page.getByText('It was deleted.').waitFor()
      await page.getByRole('button', { name: '+1 h' }).click()
      await page.locator('.clock', { hasText: / 13:/ }).waitFor()
      await row(/ConfigMap welcome/)
        .first()
        .waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Run one' }).click()
      await row(/ConfigMap welcome/).waitFor()
      await page.getByRole('button', { name: 'Resume' }).click()
      await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
      expect(await alert().count()).toBe(0)
    })

    it('crashes the operator, which starts again and heals what is deleted', async () => {
      await open('?example=4-owners')
      await row(/ConfigMap welcome/).waitFor()
      await page.getByRole('button', { name: 'Crash' }).click()
      const details = page.getByRole('region', { name: 'Details' })
      const close = details.getByRole('button', { name: 'Close' })
      // The first link leads to a reconcile of the process before, until the new process has reconciled.
      const newest = async (): Promise<string> => {
        if (await close.isVisible()) await close.click()
        await details.locator('.run-link').first().click()
        return details.innerText()
      }
      await expect
        .poll(newest, { timeout: SLOW })
        .toContain('Greeting default/welcome was there when the controller started')
      await page.getByRole('status').getByText('Running').waitFor()
      await row(/ConfigMap welcome/).click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('button', { name: 'Yes, delete it' }).click()
      await page.getByText('It was deleted.').waitFor()
      await row(/ConfigMap welcome/).waitFor()
      expect(await alert().count()).toBe(0)
    })

    it('makes the API slow and then failing, and the operator heals all the same', async () => {
      await open('?example=4-owners')
      const details = page.getByRole('region', { name: 'Details' })
      const remove = async (): Promise<void> => {
        await row(/ConfigMap welcome/).click()
        await page.getByRole('button', { name: 'Delete', exact: true }).click()
        await page.getByRole('button', { name: 'Yes, delete it' }).click()
        await page.getByText('It was deleted.').waitFor()
      }
      const api = page.getByRole('combobox', { name: 'API' })
      await row(/ConfigMap welcome/).waitFor()
      await api.selectOption('slow')
      await page.getByText('The API answers each request of the operator two seconds late.').waitFor()
      await remove()
      await page.getByRole('button', { name: '+1 min' }).click()
      await row(/ConfigMap welcome/).waitFor()
      // The reconcile that made it may end after its write is seen.
      const took = async (): Promise<string> => {
        await details.getByRole('button', { name: 'Close' }).click()
        await details
          .getByRole('button', { name: /wrote ConfigMap/ })
          .first()
          .click()
        return details.locator('dt:text-is("Took") + dd').innerText()
      }
      await expect.poll(took, { timeout: SLOW }).toMatch(/^[2-9](\.\d)? s$/)
      await api.selectOption('failing')
      await page.getByText('The API refuses every second request of the operator.').waitFor()
      await remove()
      await page.getByRole('button', { name: '+1 min' }).click()
      await row(/ConfigMap welcome/).waitFor()
      await api.selectOption('normal')
      await page.getByText('The API refuses every second request').waitFor({ state: 'detached' })
      expect(await alert().count()).toBe(0)
    })

    it('checks the operator, and shows what it found', async () => {
      // The example has a fault, and gets another one, which has a line.
      const line = '    if (!greeting) return\n'
      await open(linkTo(changed('18-check', 'controller.ts', line, `${line}    Date.now()\n`)))
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await row(/ConfigMap welcome/).waitFor()
      await page.getByRole('button', { name: 'Check', exact: true }).click()
      await page
        .getByRole('status')
        .filter({ hasText: /2 findings$/ })
        .waitFor()
      const found = page.getByRole('region', { name: 'Check' })
      await found.getByText(/^controller\.ts:\d+:\d+$/).waitFor()
      await found.getByText('The operator uses the clock, timers, random numbers').waitFor()
      await page.getByRole('combobox', { name: 'Language' }).selectOption('ja')
      const inJapanese = page.getByRole('region', { name: 'チェック' })
      await inJapanese.getByText('オペレーターが、マシンの Date.now を呼び出します').waitFor()
      // No sentence is left in English.
      expect(await inJapanese.innerText()).not.toMatch(/[a-z]+ [a-z]+ [a-z]+/)
      await page.getByRole('combobox', { name: '言語' }).selectOption('en')
      expect(await alert().count()).toBe(0)
      await page.getByRole('button', { name: 'Step through it' }).first().click()
      const said = page.getByRole('group', { name: 'Story' }).getByRole('status')
      await said.getByText(/Step 1 of \d/).waitFor()
      await page.getByRole('button', { name: 'Next step' }).click()
      await said.getByText(/Step 2 of \d/).waitFor()
      await row(/Greeting default.hello/).waitFor()
      await row(/welcome/)
        .first()
        .waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Back to live' }).click()
      await row(/ConfigMap welcome/).waitFor()
      expect(await page.getByRole('group', { name: 'Story' }).count()).toBe(0)
      expect(await alert().count()).toBe(0)
    })

    it('works without a network after the first visit', async () => {
      await open()
      await page.evaluate('navigator.serviceWorker.ready')
      await page.waitForFunction('navigator.serviceWorker.controller !== null')
      await browser.context.setOffline(true)
      try {
        await open('?example=6-server-side-apply')
        await row(/Pod shop/)
          .first()
          .waitFor()
        await open('?example=18-check')
        await page.getByRole('button', { name: 'Check', exact: true }).click()
        await page
          .getByRole('status')
          .filter({ hasText: /1 finding$/ })
          .waitFor()
        expect(await alert().count()).toBe(0)
      } finally {
        await browser.context.setOffline(false)
      }
    })

    it('saves a recording, which it opens again beside other code', async () => {
      await open('?example=4-owners')
      await row(/ConfigMap welcome/).waitFor()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save recording' }).click()
      const file = await (await download).path()
      await page.getByLabel('Example').selectOption('8-time-and-tests')
      await row(/Reminder.*bread/).waitFor()
      await page.locator('input[type=file]').setInputFiles(file)
      await page.getByText('This is the recording').waitFor()
      await row(/ConfigMap welcome/).waitFor()
      await row(/Reminder/)
        .first()
        .waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Back to live' }).click()
      await row(/Reminder.*bread/).waitFor()
      expect(await alert().count()).toBe(0)
    })

    it.each(['light', 'dark'] as const)('has no finding of axe, in %s', async (colorScheme) => {
      const check = async (): Promise<void> => {
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 844 })
          expect(await axeFindings(page)).toEqual([])
        }
      }
      await page.emulateMedia({ colorScheme })
      await open('?example=18-check')
      await row(/ConfigMap welcome/).waitFor()
      await check()
      await page.getByRole('button', { name: 'Check', exact: true }).click()
      await page.getByRole('button', { name: 'Step through it' }).click()
      await page.getByRole('group', { name: 'Story' }).waitFor()
      await check()
      await open(linkTo({ 'operator.ts': 'export default (' }))
      await page.getByText('This code came with the link.').waitFor()
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await alert().waitFor()
      await check()
    })

    it('fits a phone', async () => {
      await page.setViewportSize({ width: 360, height: 740 })
      await open()
      await row(/Pod hello/).waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    })

    it.each([
      ['ja', 'プレイグラウンド', '実行'],
      ['zh-Hans', '演练场', '运行'],
      ['zh-Hant', '演練場', '執行'],
      ['en', 'Playground', 'Run'],
    ])('speaks %s', async (language, title, run) => {
      await open(`?language=${language}`)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await page.getByRole('button', { name: run, exact: true }).waitFor()
      expect(await page.evaluate('document.documentElement.lang')).toBe(language)
    })
  },
)

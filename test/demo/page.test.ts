import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it } from 'vitest'
import { hasBrowser, openBrowser } from '../browser.ts'
import { runDemo } from './run-demo.ts'

/** A browser that draws on a machine that runs other tests. */
const SLOW = 60_000

it.skipIf(process.platform !== 'linux')(
  'prints the address of the page that shows the loop, and --open opens one that works once',
  { timeout: 240_000 },
  async () => {
    await using cleanUp = new AsyncDisposableStack()
    const folder = mkdtempSync(join(tmpdir(), 'homeostat-open-'))
    cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }))
    const opened = join(folder, 'opened')
    const program = `#!/bin/sh\nprintf %s "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`
    writeFileSync(join(folder, 'xdg-open'), program, { mode: 0o755 })
    const env = { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` }
    const demo = cleanUp.use(runDemo(['--open'], undefined, env))
    const [, printed = ''] = await demo.printed(/See the loop: (http:\/\/127\.0\.0\.1:\d+\/\?token=\S+)/)
    await expect.poll(() => existsSync(opened), { timeout: SLOW }).toBe(true)
    const address = readFileSync(opened, 'utf8')
    expect(new URL(address).origin).toBe(new URL(printed).origin)
    expect(address).not.toBe(printed)
    expect((await fetch(address)).status).toBe(200)
    expect((await fetch(address)).status).toBe(401)
    expect((await fetch(printed)).status).toBe(200)
  },
)

it.skipIf(!hasBrowser)(
  `shows the loop of the demo in a browser, and heals what is deleted there${hasBrowser ? '' : ' (skipped: no Chromium on the PATH)'}`,
  { timeout: 240_000 },
  async () => {
    await using demo = runDemo()
    const [, address = ''] = await demo.printed(/See the loop: (\S+)/)
    await demo.printed(/Ctrl-C/)
    await using browser = await openBrowser()
    const page = await browser.context.newPage()
    page.setDefaultTimeout(SLOW)
    await page.goto(address)
    const row = page.getByRole('treeitem', { name: /Deployment viewer-markdownview-sample.*1 of 1 ready/ })
    await row.click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The server accepts it. It would delete:').waitFor()
    await page.getByRole('button', { name: 'Yes, delete it' }).click()
    await page.getByText('It was deleted.').waitFor()
    await row.waitFor()
    expect(page.url()).not.toContain('token')
  },
)

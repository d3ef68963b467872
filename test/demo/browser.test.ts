import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createClient, loadConfig, networkTransport, SystemClock } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import { MarkdownView } from '@homeostat/example-markdownview'
import { chromium } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { runDemo } from './run-demo.ts'

const executablePath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
  .find(isExecutable)

if (!executablePath && process.env['CI'])
  throw new Error('CI needs a Chromium on the PATH for the browser test')

describe('the page of MarkdownView in a browser', { timeout: 90_000 }, () => {
  it.skipIf(!executablePath)(
    `shows the rendered Markdown, follows an edit, and comes back after its Deployment is deleted${executablePath ? '' : ' (skipped: no Chromium on the PATH)'}`,
    async () => {
      await using demo = runDemo()
      const [, url = ''] = await demo.printed(/The rendered page: (\S+)/)
      await demo.printed(/Ctrl-C/)
      const profile = mkdtempSync(join(tmpdir(), 'homeostat-chromium-'))
      const browser = await chromium.launchPersistentContext(profile, {
        executablePath: executablePath ?? '',
        args: [
          '--no-sandbox',
          '--disable-gpu',
          '--disable-quic',
          '--no-first-run',
          '--disable-background-networking',
          '--disable-component-update',
          '--disable-sync',
        ],
      })
      try {
        const page = await browser.newPage()
        await page.goto(url)
        await page.getByRole('heading', { name: 'Page One' }).waitFor()

        const clock = new SystemClock()
        const client = createClient({
          transport: networkTransport(loadConfig({ kubeconfig: demo.kubeconfig }), { clock }),
          clock,
          fieldManager: 'browser-test',
        })
        const key = { namespace: 'default', name: 'markdownview-sample' }
        await client.patch(MarkdownView, key, {
          type: 'merge',
          body: { spec: { markdowns: { 'page1.md': '# Edited\n\nIt *follows*.' } } },
        })
        await page.getByRole('heading', { name: 'Edited' }).waitFor({ timeout: 30_000 })
        expect(await page.locator('em').innerText()).toBe('follows')

        const viewer = { namespace: 'default', name: 'viewer-markdownview-sample' }
        const before = await client.getOrThrow(Deployment, viewer)
        await client.delete(Deployment, viewer)
        await expect
          .poll(async () => (await client.get(Deployment, viewer))?.status?.availableReplicas, {
            timeout: 30_000,
          })
          .toBe(1)
        expect((await client.getOrThrow(Deployment, viewer)).metadata.uid).not.toBe(before.metadata.uid)
        await expect
          .poll(
            () =>
              page.reload().then(
                () => true,
                () => false,
              ),
            { timeout: 30_000 },
          )
          .toBe(true)
        await page.getByRole('heading', { name: 'Edited' }).waitFor()
      } finally {
        await browser.close()
        rmSync(profile, { recursive: true, force: true })
      }
    },
  )
})

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

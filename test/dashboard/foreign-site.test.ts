import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect } from 'vitest'
import { hasBrowser } from '../browser.ts'
import { Note } from './shown-operator.ts'
import { at, it, note } from './shown-page.ts'

/** Another site. Its host is the same, so the browser sends it the cookie of the page, as it does to every port. */
async function serveOtherSite(html: string) {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await ended
    },
  }
}

describe.skipIf(!hasBrowser)(
  `another site in the browser of a user${hasBrowser ? '' : ' (skipped: no Chromium on the PATH)'}`,
  { timeout: 240_000 },
  () => {
    it('reads nothing, writes nothing, and cannot frame the page', async ({ browser, shown, row }) => {
      const { metadata } = await shown.client.create(Note, note('one', 'hello'))
      await row(/Note default\/one/).waitFor()
      const origin = new URL(shown.dashboard.address).origin
      await using site = await serveOtherSite('<title>other</title><iframe></iframe>')
      const tab = await browser.context.newPage()
      await tab.goto(site.url)
      const about = { apiVersion: 'page.example.com/v1', kind: 'Note', ...at('one') }
      const deletion = JSON.stringify({ ...about, uid: metadata.uid, dryRun: false })
      const tried = await tab.evaluate(`(async () => {
        const [page, body] = ${JSON.stringify([origin, deletion])}
        const credentials = 'include'
        const outcome = (asked) => asked.then(({ status, type }) => type + ' ' + status, () => 'refused')
        const source = new EventSource(page + '/stream', { withCredentials: true })
        const stream = new Promise((resolve) => {
          source.addEventListener('open', () => resolve('open'))
          source.addEventListener('error', () => resolve('refused'))
        })
        const sent = { method: 'POST', body, credentials }
        return {
          stream: await stream,
          read: await outcome(fetch(page + '/', { credentials })),
          script: await outcome(fetch(page + '/page.js', { credentials })),
          write: await outcome(fetch(page + '/actions/delete', sent)),
          // A browser sends this without asking first, and hides the answer.
          blind: await outcome(fetch(page + '/actions/delete', { ...sent, mode: 'no-cors' })),
        }
      })()`)
      expect(tried).toEqual({
        stream: 'refused',
        read: 'refused',
        script: 'refused',
        write: 'refused',
        blind: 'refused',
      })
      expect((await shown.client.get(Note, at('one')))?.metadata.uid).toBe(metadata.uid)
      await tab.evaluate(`document.querySelector('iframe').src = ${JSON.stringify(`${origin}/`)}`)
      const framed = tab.frames().find((frame) => frame !== tab.mainFrame())
      await expect.poll(() => framed?.url()).toMatch(/^chrome-error:/)
      await tab.close()
    })

    it('has no script of its own in the page', async ({ browser, shown, page }) => {
      await page.getByText('There is no Note yet.').waitFor()
      const tab = await browser.context.newPage()
      await tab.goto(shown.dashboard.address)
      await tab.getByText('There is no Note yet.').waitFor()
      await using site = await serveOtherSite('elsewhere')
      const tried = await tab.evaluate(`(async () => {
        const attempt = (act) => {
          try {
            act()
            return 'done'
          } catch (error) {
            return error.name
          }
        }
        const script = attempt(() => {
          const inline = document.createElement('script')
          inline.textContent = 'window.hasRun = true'
          document.body.append(inline)
        })
        const markup = attempt(() => document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.hasRun = true">'))
        const evaluated = attempt(() => setTimeout('window.hasRun = true'))
        const sent = await fetch(${JSON.stringify(site.url)}).then(() => 'sent', () => 'refused')
        return { script, markup, evaluated, sent, hasRun: window.hasRun }
      })()`)
      expect(tried).toEqual({
        script: 'TypeError',
        markup: 'TypeError',
        evaluated: 'TypeError',
        sent: 'refused',
        hasRun: undefined,
      })
      await tab.close()
    })
  },
)

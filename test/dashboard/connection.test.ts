import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect } from 'vitest'
import { hasBrowser } from '../browser.ts'
import { Note } from './shown-operator.ts'
import { it, note } from './shown-page.ts'

describe.skipIf(!hasBrowser)(
  `the connection of the page${hasBrowser ? '' : ' (skipped: no Chromium on the PATH)'}`,
  { timeout: 240_000 },
  () => {
    it('goes on by itself after the connection was cut', async ({ shown, page, row }) => {
      const sockets = new Set<Socket>()
      const note1 = note('one', 'hello')
      const collect = (message: unknown): void => {
        const { request } = message as { request: IncomingMessage }
        if (request.url === '/stream') sockets.add(request.socket)
      }
      subscribe('http.server.request.start', collect)
      await page.reload()
      await shown.client.create(Note, note1)
      await row(/Note default\/one/).waitFor()
      for (const socket of sockets) socket.destroy()
      await page.getByText('Connection lost, trying again').waitFor()
      await shown.client.create(Note, note('two', 'hello'))
      await row(/Note default\/two/).waitFor()
      await page.getByRole('status').getByText('Running').waitFor()
      expect(await row(/Note default\/one/).count()).toBe(1)
      unsubscribe('http.server.request.start', collect)
    })

    it('says which address to open after the program was started again', async ({ shown, page, row }) => {
      await shown.client.create(Note, note('one', 'hello'))
      await row(/Note default\/one/).waitFor()
      await shown.restartPage()
      await page.getByText('Not allowed: open the address that the terminal shows now').waitFor()
      expect(await page.getByRole('button', { name: /Crash|Create/ }).count()).toBe(0)
      await page.goto(shown.dashboard.address)
      await row(/Note default\/one/).waitFor()
      expect(page.url()).not.toContain('token')
    })
  },
)

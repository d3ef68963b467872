import { microTimestamp } from '@homeostat/api'
import { describe, expect } from 'vitest'
import { ConfigMap, Deployment, Event, Role } from 'homeostat/kinds'
import { hasBrowser } from '../browser.ts'
import { Note, PASSWORD } from './shown-operator.ts'
import { at, it, note, SLOW } from './shown-page.ts'

describe.skipIf(!hasBrowser)(
  `the page in a browser${hasBrowser ? '' : ' (skipped: no Chromium on the PATH)'}`,
  { timeout: 240_000 },
  () => {
    it('says what to do while there is nothing to show, and keeps no token in the address', async ({
      page,
    }) => {
      await page.getByText('There is no Note yet.').waitFor()
      expect(page.url()).not.toContain('token')
      expect(await page.evaluate('history.length')).toBeLessThan(4)
    })

    it('shows objects, what belongs to them, and that a reconcile fails and why', async ({
      shown,
      page,
      row,
    }) => {
      await shown.client.create(Note, note('one', 'hello'))
      await row(/Note default\/one/).waitFor()
      await row(/ConfigMap one/).waitFor()
      expect(await row(/ConfigMap one/).getAttribute('aria-level')).toBe('2')
      await shown.client.create(Note, note('two', 'fail'))
      await row(/Failing.*Note default\/two.*the note cannot be copied/).waitFor()
      await page.getByRole('button', { name: /Failing/ }).click()
      await expect.poll(() => page.getByRole('treeitem').count(), { timeout: SLOW }).toBe(1)
      await page.getByRole('button', { name: /Failing/ }).click()
      await page.getByRole('searchbox').fill('configmap one')
      await row(/ConfigMap one/).waitFor()
      await expect.poll(() => row(/two/).count(), { timeout: SLOW }).toBe(0)
    })

    it('shows a reconcile with its cause, what it wrote as a diff, and when it runs again', async ({
      shown,
      page,
      details,
    }) => {
      await shown.client.create(Note, note('one', 'hello'))
      await details().getByText('asked to be called again after 20 s').waitFor()
      await page.locator('.requeue').first().waitFor({ state: 'attached' })
      await page.locator('.bar').first().press('Enter')
      const first = details()
        .getByRole('button', { name: /default\/one/ })
        .first()
      await expect
        .poll(async () => (await first.count()) + (await details().getByText('Why it ran').count()), {
          timeout: SLOW,
        })
        .toBeGreaterThan(0)
      if ((await details().getByText('Why it ran').count()) === 0) await first.click()
      await details().getByText('Note default/one was created').waitFor()
      await details().getByText('text: hello').waitFor()
      await details().getByText('Applied ConfigMap one').waitFor()
    })

    it('never shows a value of a Secret', async ({ shown, page, row, details }) => {
      await shown.client.create(Note, note('one', 'hello'))
      await row(/Secret one/).click()
      await details().getByText('password: (hidden)').waitFor()
      await details().getByText('edited with kubectl').waitFor()
      const stream = await page.evaluate(async () => {
        const answer = await fetch('/stream')
        const reader = answer.body!.getReader()
        const decoder = new TextDecoder()
        let text = ''
        while (!/event: recording\n[^]*\n\n/.test(text))
          text += decoder.decode((await reader.read()).value, { stream: true })
        await reader.cancel()
        return text
      })
      expect(stream).toContain('"Secret"')
      for (const text of [stream, await page.content()]) {
        expect(text).not.toContain(PASSWORD)
        expect(text).not.toContain(btoa(PASSWORD))
      }
    })

    it('shows names and texts that look like markup as they are', async ({ shown, page, row, details }) => {
      const text = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
      const owner = await shown.client.create(Note, note('one', text))
      const { uid } = owner.metadata
      const ownerReferences = [{ apiVersion: 'page.example.com/v1', kind: 'Note', name: 'one', uid }]
      await shown.client.create(Role, { metadata: { ...at('<script>alert(1)'), ownerReferences } })
      await row(/Role <script>alert\(1\)/).click()
      await details().getByRole('heading', { name: 'default/<script>alert(1)' }).waitFor()
      await row(/Note default\/one/).click()
      await details().getByText('onerror').last().waitFor()
      expect(await page.title()).toBe('notes-operator · Homeostat')
      expect(await page.locator('#page script, #page img[onerror]').count()).toBe(0)
    })

    it('asks the program for what a user does to the operator', async ({ shown, page }) => {
      await page.getByRole('button', { name: 'Crash' }).click()
      await expect.poll(() => shown.actions, { timeout: SLOW }).toEqual(['crash'])
    })

    it('pauses the operator and lets one reconcile run, and makes the API slow', async ({ shown, page }) => {
      await page.getByRole('button', { name: 'Pause' }).click()
      await expect.poll(() => shown.actions, { timeout: SLOW }).toEqual(['pause'])
      shown.dashboard.operatorDisturbed({ isPaused: true, api: 'normal' })
      await page.getByText('The operator is paused: its reconciles wait.').waitFor()
      expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Run one' }).click()
      await page.getByRole('button', { name: 'Resume' }).click()
      await page.getByRole('combobox', { name: 'API' }).selectOption('failing')
      await expect
        .poll(() => shown.actions, { timeout: SLOW })
        .toEqual(['pause', 'step', 'resume', 'api-failing'])
      shown.dashboard.operatorDisturbed({ isPaused: false, api: 'failing' })
      await page.getByText('The API refuses every second request of the operator.').waitFor()
    })

    it('shows how often a request failed, and when it is tried again', async ({ shown, details }) => {
      await shown.client.create(Note, note('one', 'fail'))
      const queued = details().locator('.queued').filter({ hasText: 'default/one' })
      await queued.getByText(/attempt \d+ failed: the note cannot be copied/).waitFor()
      await queued.getByText(/^in \d/).waitFor()
      expect(await queued.count()).toBe(1)
    })

    it('draws few elements for many objects, and finds each of them', async ({ shown, page, row }) => {
      const owner = await shown.client.create(Note, note('one', 'hello'))
      const { uid } = owner.metadata
      const ownerReferences = [{ apiVersion: 'page.example.com/v1', kind: 'Note', name: 'one', uid }]
      for (let index = 0; index < 5000; index++) {
        await shown.client.create(ConfigMap, { metadata: { ...at(`many-${index}`), ownerReferences } })
      }
      await page.getByRole('button', { name: /5,?00\d/ }).waitFor()
      expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(1500)
      await page.getByRole('searchbox').fill('many-4321')
      await row(/ConfigMap many-4321/).waitFor()
      await page.getByRole('searchbox').fill('')
      await row(/Note default\/one/).focus()
      await page.keyboard.press('End')
      await row(/Secret one/).waitFor()
    })

    it('shows who set each field by colour, and the history with diffs', async ({ shown, row, details }) => {
      await shown.client.create(Note, note('one', 'hello'))
      await row(/Secret one/).waitFor()
      await shown.client.patch(Note, at('one'), { type: 'merge', body: { spec: { text: 'again' } } })
      await row(/ConfigMap one/).click()
      const owners = details().getByRole('list', { name: 'Who set the fields' })
      await owners.getByText('notes', { exact: true }).waitFor()
      const colour = await owners.getByText('notes', { exact: true }).getAttribute('class')
      await expect
        .poll(() => details().locator('.yaml .line', { hasText: 'text: again' }).getAttribute('class'))
        .toContain(colour)
      const changed = details().getByRole('button', { name: /changed by notes/ })
      await changed.first().click()
      await details().locator('.diff .is-removed', { hasText: 'text: hello' }).waitFor()
      await details().locator('.diff .is-added', { hasText: 'text: again' }).waitFor()
    })

    it('shows conditions and events of an object', async ({ shown, row, details }) => {
      const owner = await shown.client.create(Note, note('one', 'hello'))
      const { uid } = owner.metadata
      await row(/Secret one/).waitFor()
      await shown.client.create(Event, {
        metadata: at('one.event'),
        regarding: { apiVersion: 'page.example.com/v1', kind: 'Note', ...at('one'), uid },
        reason: 'Copied',
        action: 'Copy',
        note: 'the note was copied',
        type: 'Normal',
        eventTime: microTimestamp(Date.now()),
        reportingController: 'page.example.com/notes',
        reportingInstance: 'notes-1',
      })
      await row(/Note default\/one/).click()
      await details().getByText('the note was copied').waitFor()
      const owned = { apiVersion: 'page.example.com/v1', kind: 'Note', name: 'one', uid }
      const labels = { app: 'one' }
      const spec = {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'main' }] } },
      }
      await shown.client.create(Deployment, { metadata: { ...at('one'), ownerReferences: [owned] }, spec })
      await shown.client.status.apply(Deployment, at('one'), {
        conditions: [{ type: 'Available', status: 'False', reason: 'Waiting', message: 'no Pod is ready' }],
      })
      await row(/Working.*Deployment one.*no Pod is ready/).click()
      const condition = details().locator('.conditions li')
      await expect.poll(() => condition.allTextContents()).toEqual(['AvailableFalseno Pod is ready'])
      expect(await condition.locator('.value').getAttribute('class')).toBe('value is-bad')
    })
  },
)

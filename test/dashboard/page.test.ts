import { readFileSync } from 'node:fs'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Page } from 'playwright-core'
import { microTimestamp } from '@homeostat/api'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  ConfigMap,
  Deployment,
  Event,
  Role,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from 'homeostat/kinds'
import { hasBrowser, openBrowser, type Browser } from '../browser.ts'
import { axeFindings } from './axe-findings.ts'
import { Note, PASSWORD, showOperator, type ShownOperator } from './shown-operator.ts'

/** A browser that draws on a machine that runs other tests. */
const SLOW = 60_000

let browser: Browser
let shown: ShownOperator
let page: Page
const problems: string[] = []

const at = (name: string) => ({ namespace: 'default', name })
const note = (name: string, text: string) => ({ metadata: at(name), spec: { text } })
const row = (name: RegExp) => page.getByRole('treeitem', { name })
const details = () => page.getByRole('region', { name: 'Details' })

async function open(): Promise<Page> {
  const opened = await browser.context.newPage()
  opened.setDefaultTimeout(SLOW)
  opened.on('pageerror', ({ message }) => problems.push(message))
  opened.on('console', (line) => {
    if (line.type() === 'error' && !/Failed to load resource|ERR_/.test(line.text()))
      problems.push(line.text())
  })
  await opened.goto(shown.dashboard.address)
  await opened.getByRole('heading', { name: 'notes-operator' }).waitFor()
  return opened
}

describe.skipIf(!hasBrowser)(
  `the page in a browser${hasBrowser ? '' : ' (skipped: no Chromium on the PATH)'}`,
  { timeout: 240_000 },
  () => {
    beforeAll(async () => {
      browser = await openBrowser()
    })
    afterAll(() => browser[Symbol.asyncDispose]())
    beforeEach(async () => {
      shown = await showOperator()
      page = await open()
    })
    afterEach(async () => {
      await page.close()
      await shown[Symbol.asyncDispose]()
      const found = problems.splice(0)
      if (found.length > 0) throw new Error(`the page reported: ${found.join('; ')}`)
    })

    it('says what to do while there is nothing to show, and keeps no token in the address', async () => {
      await page.getByText('There is no Note yet.').waitFor()
      expect(page.url()).not.toContain('token')
      expect(await page.evaluate('history.length')).toBeLessThan(4)
    })

    it('shows objects, what belongs to them, and that a reconcile fails and why', async () => {
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

    it('shows a reconcile with its cause, what it wrote as a diff, and when it runs again', async () => {
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

    it('never shows a value of a Secret', async () => {
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

    it('edits an object after it showed what would change, and the operator follows', async () => {
      await shown.client.create(Note, note('one', 'hello'))
      await row(/Note default\/one/).click()
      await page.getByRole('button', { name: 'Edit' }).click()
      const text = page.getByRole('textbox', { name: /Edit/ })
      await text.fill((await text.inputValue()).replace('text: hello', 'text: edited here'))
      await page.getByRole('button', { name: 'Show what would change' }).click()
      await details().getByText('text: edited here').last().waitFor()
      expect((await shown.client.get(Note, at('one')))?.spec.text).toBe('hello')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect
        .poll(async () => (await shown.client.get(ConfigMap, at('one')))?.data?.['text'], { timeout: SLOW })
        .toBe('edited here')
    })

    it('changes a field of a child, and shows that the operator sets it back', async () => {
      await shown.client.create(Note, note('one', 'hello'))
      await row(/ConfigMap one/).click()
      await page.getByRole('button', { name: 'Edit' }).click()
      const text = page.getByRole('textbox', { name: /Edit/ })
      await text.fill((await text.inputValue()).replace('text: hello', 'text: disturbed'))
      await page.getByRole('button', { name: 'Show what would change' }).click()
      await details().getByText('text: disturbed').last().waitFor()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await details()
        .getByRole('button', { name: /changed by homeostat-page/ })
        .waitFor()
      await details()
        .getByRole('button', { name: /changed by notes/ })
        .first()
        .click()
      await details().locator('.diff .is-removed', { hasText: 'text: disturbed' }).waitFor()
      await details().locator('.diff .is-added', { hasText: 'text: hello' }).waitFor()
      expect((await shown.client.get(ConfigMap, at('one')))?.data?.['text']).toBe('hello')
    })

    it('shows what the server says of an edit that it refuses', async () => {
      await shown.client.create(Note, note('one', 'hello'))
      await row(/Note default\/one/).click()
      await page.getByRole('button', { name: 'Edit' }).click()
      const text = page.getByRole('textbox', { name: /Edit/ })
      await text.fill((await text.inputValue()).replace('text: hello', 'text: 7'))
      await page.getByRole('button', { name: 'Show what would change' }).click()
      await page.getByRole('alert').getByText('spec.text').waitFor()
      await text.fill('{')
      await page.getByRole('button', { name: 'Show what would change' }).click()
      await page.getByRole('alert').getByText('this is not YAML').waitFor()
      expect((await shown.client.get(Note, at('one')))?.spec.text).toBe('hello')
    })

    it('creates an object of YAML after it showed what the server would store', async () => {
      await page.getByRole('button', { name: 'Create a Note here' }).click()
      const text = page.getByRole('textbox', { name: 'One or more objects as YAML' })
      expect(await text.inputValue()).toContain('kind: Note')
      await text.fill((await text.inputValue()).replace('spec: {}', 'spec:\n  text: written here'))
      await page.getByRole('button', { name: 'Show what would change' }).click()
      await details().getByText('text: written here').last().waitFor()
      expect(await shown.client.list(Note)).toEqual([])
      await details().getByRole('button', { name: 'Create', exact: true }).click()
      await details().getByText('The server has stored:').waitFor()
      await row(/ConfigMap new-note/).waitFor()
      await details().getByRole('button', { name: 'Show' }).click()
      await details().getByRole('heading', { name: 'default/new-note' }).waitFor()
      expect((await shown.client.get(Note, at('new-note')))?.spec.text).toBe('written here')
    })

    it('applies several objects at once, and says what is wrong with which', async () => {
      await shown.client.create(Note, note('one', 'hello'))
      await row(/Secret one/).waitFor()
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      const text = page.getByRole('textbox', { name: 'One or more objects as YAML' })
      const noteYaml = (name: string, value: string) =>
        `apiVersion: page.example.com/v1\nkind: Note\nmetadata:\n  name: ${name}\nspec:\n  text: ${value}\n`
      const tryText = page.getByRole('button', { name: 'Show what would change' })
      for (const [yaml, problem] of [
        [`${noteYaml('two', 'x')}---\n${noteYaml('three', '7')}`, /object 2, Note three: .*spec.text/],
        [noteYaml('one', 'changed'), /conflict.*spec.text/],
        ['apiVersion: v1\nkind: Nothing\nmetadata:\n  name: a\n', /does not serve v1 Nothing/],
        ['kind: Note', /needs apiVersion, kind and metadata/],
        ['a: [', /this is not YAML/],
        ['apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\ndata:\n  b: (hidden)\n', /write the value/],
      ] as const) {
        await text.fill(yaml)
        await tryText.click()
        await page.getByRole('alert').getByText(problem).waitFor()
      }
      await text.fill(`${noteYaml('two', 'second')}---\n${noteYaml('three', 'third')}`)
      await tryText.click()
      await details().getByRole('heading', { name: 'Note default/three' }).waitFor()
      expect((await shown.client.list(Note)).length).toBe(1)
      await details().getByRole('button', { name: 'Create', exact: true }).click()
      await row(/Note default\/three/).waitFor()
      await row(/Note default\/two/).waitFor()
    })

    it('scales an object after the server accepted it, and shows why it refuses', async () => {
      const owner = await shown.client.create(Note, note('one', 'hello'))
      const { uid } = owner.metadata
      const ownerReferences = [{ apiVersion: 'page.example.com/v1', kind: 'Note', name: 'one', uid }]
      const labels = { app: 'one' }
      const container = { name: 'main', image: 'main' }
      await shown.client.create(Deployment, {
        metadata: { ...at('one'), ownerReferences },
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [container] } },
        },
      })
      await row(/Deployment one/).click()
      await details().getByRole('button', { name: 'Scale' }).press('Enter')
      const replicas = details().getByRole('spinbutton', { name: 'Replicas' })
      await replicas.fill('-1')
      await details().getByRole('button', { name: 'Show what would change' }).press('Enter')
      await page.getByRole('alert').getByText('replicas must be a whole number').waitFor()
      await replicas.fill('3')
      await details().getByRole('button', { name: 'Show what would change' }).press('Enter')
      await details().getByText('The server accepts it: from 1 to 3.').waitFor()
      expect((await shown.client.get(Deployment, at('one')))?.spec.replicas).toBe(1)
      await details().getByRole('button', { name: 'Save', exact: true }).press('Enter')
      await details().getByText('replicas: 3').last().waitFor()
      expect((await shown.client.get(Deployment, at('one')))?.spec.replicas).toBe(3)
    })

    it('deletes a child, and shows that the operator makes it again', async () => {
      await shown.client.create(Note, note('one', 'hello'))
      await row(/ConfigMap one/).click()
      const before = (await shown.client.get(ConfigMap, at('one')))?.metadata.uid
      await page.getByRole('button', { name: 'Delete' }).click()
      const asked = details().getByRole('group', { name: 'Delete this object?' })
      await asked.getByText('The server accepts it. It would delete:').waitFor()
      expect(await asked.getByRole('listitem').allTextContents()).toEqual(['−ConfigMap default/one'])
      expect((await shown.client.get(ConfigMap, at('one')))?.metadata.uid).toBe(before)
      await page.getByRole('button', { name: 'Yes, delete it' }).click()
      await details().getByText('It was deleted.').waitFor()
      await expect
        .poll(async () => (await shown.client.get(ConfigMap, at('one')))?.metadata.uid ?? before, {
          timeout: SLOW,
        })
        .not.toBe(before)
      await page.keyboard.press('Escape')
      await row(/ConfigMap one/).waitFor()
    })

    it('shows what goes with an object before it is deleted, and why the server refuses', async () => {
      const finalizers = ['page.example.com/kept']
      const owner = await shown.client.create(Note, {
        metadata: { ...at('one'), finalizers },
        spec: { text: 'x' },
      })
      await row(/Secret one/).waitFor()
      // It has another owner, so it stays.
      const { uid } = owner.metadata
      const owners = [uid, 'another'].map((each) => ({
        apiVersion: 'v1',
        kind: 'Note',
        name: 'one',
        uid: each,
      }))
      await shown.client.create(Role, { metadata: { ...at('shared'), ownerReferences: owners } })
      await row(/Role shared/).waitFor()
      await row(/Note default\/one/).click()
      await page.getByRole('button', { name: 'Delete' }).click()
      const asked = details().getByRole('group', { name: 'Delete this object?' })
      await asked.getByText('It stays until its finalizers are removed: page.example.com/kept.').waitFor()
      expect((await asked.getByRole('listitem').allTextContents()).toSorted()).toEqual([
        '−ConfigMap default/one',
        '−Note default/one',
        '−Secret default/one',
      ])
      expect(await axeFindings(page)).toEqual([])
      await asked.getByRole('button', { name: 'No', exact: true }).click()
      expect((await shown.client.get(Note, at('one')))?.metadata.deletionTimestamp).toBeUndefined()
      await shown.client.create(ValidatingAdmissionPolicy, {
        metadata: { name: 'keep-notes' },
        spec: {
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: ['page.example.com'],
                apiVersions: ['v1'],
                resources: ['notes'],
                operations: ['DELETE'],
              },
            ],
          },
          validations: [{ expression: 'false', message: 'notes are kept today' }],
        },
      })
      await shown.client.create(ValidatingAdmissionPolicyBinding, {
        metadata: { name: 'keep-notes' },
        spec: { policyName: 'keep-notes', validationActions: ['Deny'] },
      })
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('alert').getByText('notes are kept today').waitFor()
      expect(await asked.count()).toBe(0)
    })

    it('goes back to a moment and forward again, and every view follows', async () => {
      await shown.client.create(Note, note('one', 'hello'))
      await row(/Secret one/).waitFor()
      const between = Date.now() + 2
      await expect.poll(() => Date.now()).toBeGreaterThan(between + 2)
      await shown.client.create(Note, note('two', 'hello'))
      await row(/Secret two/).waitFor()
      await page.getByRole('slider').fill(String(between))
      await page.getByText('Everything is shown as it was at').waitFor()
      await expect.poll(() => row(/two/).count(), { timeout: SLOW }).toBe(0)
      await row(/Note default\/one/).click()
      await details().getByText('text: hello').last().waitFor()
      expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
      const next = page.getByRole('button', { name: 'To what happened next' })
      await next.click()
      await row(/Note default\/two/).waitFor()
      await page.getByRole('button', { name: 'To what happened before' }).click()
      await expect.poll(() => row(/two/).count(), { timeout: SLOW }).toBe(0)
      await page.getByRole('button', { name: 'Back to now' }).click()
      await row(/Secret two/).waitFor()
      await page.getByRole('button', { name: 'Edit' }).waitFor()
    })

    it('saves a recording as one file, and opens it again', async () => {
      await shown.client.create(Note, note('one', 'hello'))
      await row(/Secret one/).waitFor()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save recording' }).click()
      const file = await (await download).path()
      expect(readFileSync(file, 'utf8')).not.toContain(btoa(PASSWORD))
      await shown.client.create(Note, note('later', 'hello'))
      await row(/Note default\/later/).waitFor()
      await page.locator('input[type=file]').setInputFiles({
        name: 'notes.json',
        mimeType: 'application/json',
        buffer: readFileSync(file),
      })
      await page.getByText('This is the recording notes.json.').waitFor()
      await row(/Secret one/).waitFor()
      expect(await row(/later/).count()).toBe(0)
      await page.getByRole('button', { name: 'Back to live' }).click()
      await row(/Note default\/later/).waitFor()
      await page.locator('input[type=file]').setInputFiles({
        name: 'other.json',
        mimeType: 'application/json',
        buffer: Buffer.from('{"format":"another"}'),
      })
      await page.getByText('other.json is not a recording of this page.').waitFor()
    })

    it('goes on by itself after the connection was cut', async () => {
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

    it('says which address to open after the program was started again', async () => {
      await shown.client.create(Note, note('one', 'hello'))
      await row(/Note default\/one/).waitFor()
      await shown.restartPage()
      await page.getByText('Not allowed: open the address that the terminal shows now').waitFor()
      await page.goto(shown.dashboard.address)
      await row(/Note default\/one/).waitFor()
      expect(page.url()).not.toContain('token')
    })

    it('shows names and texts that look like markup as they are', async () => {
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

    it('asks the program for what a user does to the operator', async () => {
      await page.getByRole('button', { name: 'Crash' }).click()
      await expect.poll(() => shown.actions, { timeout: SLOW }).toEqual(['crash'])
    })

    it('pauses the operator and lets one reconcile run, and makes the API slow', async () => {
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

    it('shows how often a request failed, and when it is tried again', async () => {
      await shown.client.create(Note, note('one', 'fail'))
      const queued = details().locator('.queued').filter({ hasText: 'default/one' })
      await queued.getByText(/attempt \d+ failed: the note cannot be copied/).waitFor()
      await queued.getByText(/^in \d/).waitFor()
      expect(await queued.count()).toBe(1)
    })

    it.each([
      ['ja', 'オブジェクト', '実行された理由'],
      ['zh-Hans', '对象', '运行的原因'],
      ['zh-Hant', '物件', '執行的原因'],
    ])('speaks %s, also the next time', async (tag, objects, why) => {
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
      await page.evaluate('localStorage.clear()')
    })

    it('draws few elements for many objects, and finds each of them', async () => {
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

    it('works by keyboard alone', async () => {
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

    it('edits and deletes by keyboard alone', async () => {
      await shown.client.create(Note, note('one', 'hello'))
      await row(/Secret one/).waitFor()
      await row(/Note default\/one/).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Edit' }).press('Enter')
      const text = page.getByRole('textbox', { name: 'Edit one' })
      await text.focus()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.insertText((await text.inputValue()).replace('text: hello', 'text: typed'))
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
      await expect
        .poll(async () => (await shown.client.get(ConfigMap, at('one')))?.data?.['text'], { timeout: SLOW })
        .toBe('typed')
      await page.getByRole('button', { name: 'Delete' }).press('Enter')
      await page.getByRole('button', { name: 'Yes, delete it' }).press('Enter')
      await details().getByText('It was deleted.').waitFor()
    })

    it('has the landmarks and roles by which screen readers lead through it', async () => {
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

    it.each(['light', 'dark'] as const)('has no finding of axe, in %s', async (colorScheme) => {
      await page.emulateMedia({ colorScheme })
      await shown.client.create(Note, note('one', 'hello'))
      await shown.client.create(Note, note('two', 'fail'))
      await row(/Secret one/).waitFor()
      await row(/Failing/)
        .first()
        .waitFor()
      const check = () => axeFindings(page)
      expect(await check()).toEqual([])
      await row(/Note default\/one/).click()
      await details().getByText('YAML').waitFor()
      expect(await check()).toEqual([])
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await details().getByRole('heading', { name: 'Create an object' }).waitFor()
      expect(await check()).toEqual([])
      await page.locator('.bar').last().press('Enter')
      expect(await check()).toEqual([])
      await page.keyboard.press('Escape')
      await details()
        .getByRole('button', { name: /wrote ConfigMap/ })
        .first()
        .click()
      await details().getByRole('heading', { name: 'What it logged' }).waitFor()
      expect(await check()).toEqual([])
      await row(/Note default\/one/).click()
      await page.getByRole('button', { name: 'Edit' }).click()
      const text = page.getByRole('textbox', { name: /Edit/ })
      await text.fill((await text.inputValue()).replace('text: hello', 'text: 7'))
      await page.getByRole('button', { name: 'Show what would change' }).click()
      await page.getByRole('alert').waitFor()
      expect(await check()).toEqual([])
      await page.getByRole('button', { name: 'To what happened before' }).click()
      await page.getByText('Everything is shown as it was at').waitFor()
      expect(await check()).toEqual([])
    })

    it('shows who set each field by colour, and the history with diffs', async () => {
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

    it('shows conditions and events of an object', async () => {
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
    })

    it('fits a phone', async () => {
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

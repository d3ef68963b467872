import { describe, expect } from 'vitest'
import {
  ConfigMap,
  Deployment,
  Role,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from 'homeostat/kinds'
import { hasBrowser } from '../browser.ts'
import { axeFindings } from './axe-findings.ts'
import { Note } from './shown-operator.ts'
import { at, it, note, SLOW } from './shown-page.ts'

describe.skipIf(!hasBrowser)(
  `a change of an object on the page${hasBrowser ? '' : ' (skipped: no Chromium on the PATH)'}`,
  { timeout: 240_000 },
  () => {
    it('edits an object after it showed what would change, and the operator follows', async ({
      shown,
      page,
      row,
      details,
    }) => {
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

    it('changes a field of a child, and shows that the operator sets it back', async ({
      shown,
      page,
      row,
      details,
    }) => {
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

    it('shows what the server says of an edit that it refuses', async ({ shown, page, row }) => {
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

    it('creates an object of YAML after it showed what the server would store', async ({
      shown,
      page,
      row,
      details,
    }) => {
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

    it('applies several objects at once, and says what is wrong with which', async ({
      shown,
      page,
      row,
      details,
    }) => {
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

    it('scales an object after the server accepted it, and shows why it refuses', async ({
      shown,
      page,
      row,
      details,
    }) => {
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
      // One change is asked for at a time.
      await details().getByRole('button', { name: 'Delete' }).press('Enter')
      await details().getByRole('group', { name: 'Delete this object?' }).waitFor()
      expect(await replicas.count()).toBe(0)
      await details().getByRole('button', { name: 'Scale' }).press('Enter')
      await details().getByRole('group', { name: 'Delete this object?' }).waitFor({ state: 'detached' })
      await replicas.fill('3')
      await details().getByRole('button', { name: 'Show what would change' }).press('Enter')
      await details().getByText('The server accepts it: from 1 to 3.').waitFor()
      expect((await shown.client.get(Deployment, at('one')))?.spec.replicas).toBe(1)
      await details().getByRole('button', { name: 'Save', exact: true }).press('Enter')
      await details().getByText('replicas: 3').last().waitFor()
      expect((await shown.client.get(Deployment, at('one')))?.spec.replicas).toBe(3)
    })

    it('deletes a child, and shows that the operator makes it again', async ({
      shown,
      page,
      row,
      details,
    }) => {
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

    it('shows what goes with an object before it is deleted, and why the server refuses', async ({
      shown,
      page,
      row,
      details,
    }) => {
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

    it('edits and deletes by keyboard alone', async ({ shown, page, row, details }) => {
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
  },
)

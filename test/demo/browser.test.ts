import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient, loadConfig, networkTransport, SystemClock } from 'homeostat'
import { ConfigMap, Deployment, Pod, ReplicaSet, Service } from 'homeostat/kinds'
import { MarkdownView } from '@homeostat/example-markdownview'
import { describe, expect, it } from 'vitest'
import { hasBrowser, openBrowser } from '../browser.ts'
import { hasKubectl } from '../kubectl/has-kubectl.ts'
import { runDemo, type RunningDemo } from './run-demo.ts'

describe('the page of MarkdownView in a browser', { timeout: 240_000 }, () => {
  it.skipIf(!hasBrowser || !hasKubectl)(
    `shows the rendered Markdown, follows an edit, comes back after its Deployment is deleted, and goes with the MarkdownView${hasBrowser && hasKubectl ? '' : ' (skipped: no Chromium or kubectl on the PATH)'}`,
    async () => {
      await using demo = runDemo()
      const [, url = ''] = await demo.printed(/The rendered page: (\S+)/)
      await demo.printed(/Ctrl-C/)
      await using browser = await openBrowser()
      const page = await browser.context.newPage()
      await page.goto(url)
      await page.getByRole('heading', { name: 'Page One' }).waitFor()

      const clock = new SystemClock()
      const client = createClient({
        transport: networkTransport(loadConfig({ kubeconfig: demo.kubeconfig }), { clock }),
        clock,
        fieldManager: 'browser-test',
      })
      const key = { namespace: 'default', name: 'markdownview-sample' }
      await edit(
        demo,
        'markdownview',
        key.name,
        's/# Page One/# Edited/; s/A controller/It *follows*. A controller/',
      )
      await page.getByRole('heading', { name: 'Edited' }).waitFor({ timeout: 60_000 })
      expect(await page.locator('em').innerText()).toBe('follows')

      const viewer = { namespace: 'default', name: 'viewer-markdownview-sample' }
      const before = await client.getOrThrow(Deployment, viewer)
      await client.delete(Deployment, viewer)
      await expect
        .poll(async () => (await client.get(Deployment, viewer))?.status?.availableReplicas, {
          timeout: 60_000,
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
          { timeout: 60_000 },
        )
        .toBe(true)
      await page.getByRole('heading', { name: 'Edited' }).waitFor()

      await client.delete(MarkdownView, key)
      const labels = 'app.kubernetes.io/instance=markdownview-sample'
      const left = async () => [
        ...(await Promise.all(
          [Deployment, ReplicaSet, Pod, Service].map((kind) =>
            client.list(kind, { namespace: 'default', labels }),
          ),
        )),
        await client.get(ConfigMap, { namespace: 'default', name: 'markdowns-markdownview-sample' }),
      ]
      await expect.poll(async () => (await left()).flat().filter(Boolean), { timeout: 60_000 }).toEqual([])
      // The port is closed by a watcher of what was just seen to be gone.
      const answers = () =>
        fetch(url).then(
          () => true,
          () => false,
        )
      await expect.poll(answers).toBe(false)
    },
  )
})

/** Changes an object as a person does, in an editor that `kubectl edit` opens. */
async function edit(demo: RunningDemo, resource: string, name: string, change: string): Promise<void> {
  const editor = join(demo.folder, 'editor.sh')
  writeFileSync(editor, `#!/bin/sh\nsed -i '${change}' "$1"\n`, { mode: 0o755 })
  const env = { ...process.env, KUBECONFIG: demo.kubeconfig, HOME: demo.folder, KUBE_EDITOR: editor }
  await promisify(execFile)('kubectl', ['edit', resource, name], { env })
}

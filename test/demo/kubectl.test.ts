import { execFile, spawn } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { hasKubectl } from '../kubectl/has-kubectl.ts'
import { runDemo, type RunningDemo } from './run-demo.ts'

const run = promisify(execFile)

describe.skipIf(!hasKubectl)('kubectl on the running demo', { timeout: 240_000 }, () => {
  it('prints what the operator made', async () => {
    await using demo = runDemo()
    await demo.printed(/Ctrl-C/)
    // Reconciles after the last edit of the demo may take a moment.
    await expect
      .poll(() => kubectl(demo, 'get', 'deployment,service,configmap'))
      .toMatch(
        new RegExp(
          [
            String.raw`NAME +READY +UP-TO-DATE +AVAILABLE +AGE`,
            String.raw`deployment\.apps/viewer-markdownview-sample +1/1 +1 +1 +\d+s`,
            '',
            String.raw`NAME +TYPE +CLUSTER-IP +EXTERNAL-IP +PORT\(S\) +AGE[^]*`,
            String.raw`service/viewer-markdownview-sample +ClusterIP +10\.96\.\d+\.\d+ +<none> +80/TCP +\d+s`,
            '',
            String.raw`NAME +DATA +AGE[^]*`,
            String.raw`configmap/markdowns-markdownview-sample +2 +\d+s`,
          ].join('\n'),
        ),
      )
    await expect
      .poll(() => kubectl(demo, 'get', 'markdownview', 'markdownview-sample'))
      .toBe('NAME                  REPLICAS   STATUS\nmarkdownview-sample   1          Healthy\n')
    const described = await kubectl(demo, 'describe', 'markdownview', 'markdownview-sample')
    expect(described).toMatch(/^Name: +markdownview-sample$/m)
    expect(described).toMatch(/^ +Viewer Image: +peaceiris\/mdbook:latest$/m)
    expect(described).toMatch(/^ +Type: +Healthy$/m)
    const deployment = await kubectl(demo, 'describe', 'deployment', 'viewer-markdownview-sample')
    expect(deployment).toMatch(
      /^Replicas: +1 desired \| 1 updated \| 1 total \| 1 available \| 0 unavailable$/m,
    )
    expect(deployment).toMatch(/^ +Mounts:\n +\/book\/src from markdowns \(rw\)$/m)
  })

  it('applies, edits, watches and deletes a MarkdownView', async () => {
    await using demo = runDemo()
    await demo.printed(/Ctrl-C/)
    const file = join(demo.folder, 'second.yaml')
    writeFileSync(file, manifest(1))
    const watching = watch(demo, 'markdownview')
    expect(await kubectl(demo, 'apply', '-f', file)).toBe(
      'markdownview.view.zoetrope.github.io/second created\n',
    )
    expect(await kubectl(demo, 'apply', '-f', file)).toBe(
      'markdownview.view.zoetrope.github.io/second unchanged\n',
    )
    await watching.printed(/second +1 +Healthy/)
    writeFileSync(file, manifest(2))
    expect(await kubectl(demo, 'apply', '-f', file)).toBe(
      'markdownview.view.zoetrope.github.io/second configured\n',
    )
    await watching.printed(/second +2 +Healthy/)

    const editor = join(demo.folder, 'editor.sh')
    writeFileSync(editor, '#!/bin/sh\nsed -i "s/replicas: 2/replicas: 3/" "$1"\n')
    chmodSync(editor, 0o755)
    const edited = await run('kubectl', ['edit', 'markdownview', 'second'], {
      env: { ...environment(demo), KUBE_EDITOR: editor },
    })
    expect(edited.stdout).toBe('markdownview.view.zoetrope.github.io/second edited\n')
    await watching.printed(/second +3 +Healthy/)

    expect(await kubectl(demo, 'delete', 'markdownview', 'second')).toBe(
      'markdownview.view.zoetrope.github.io "second" deleted\n',
    )
    await expect
      .poll(
        () =>
          kubectl(
            demo,
            'get',
            'deployment,replicaset,pod,service,configmap',
            '-o',
            'name',
            '-l',
            'app.kubernetes.io/instance=second',
          ),
        {
          timeout: 60_000,
        },
      )
      .toBe('')
    await watching.end()
  })

  it('changes by patch, edit and scale what the operator made, and the operator heals it', async () => {
    await using demo = runDemo()
    await demo.printed(/Ctrl-C/)
    const deployment = ['deployment', 'viewer-markdownview-sample']
    const healed = async (path: string, value: string, object: readonly string[] = deployment) => {
      const get = () => kubectl(demo, 'get', ...object, '-o', `jsonpath={${path}}`)
      await expect.poll(get).toBe(value)
    }
    await kubectl(demo, 'scale', ...deployment, '--replicas=3')
    await healed('.spec.replicas', '1')

    const files = ['configmap', 'markdowns-markdownview-sample']
    const before = await kubectl(demo, 'get', ...files, '-o', String.raw`jsonpath={.data.page1\.md}`)
    await kubectl(demo, 'patch', ...files, '--type=merge', '-p', '{"data":{"page1.md":"# Vandalised"}}')
    await healed(String.raw`.data.page1\.md`, before, files)

    const editor = join(demo.folder, 'editor.sh')
    writeFileSync(editor, '#!/bin/sh\nsed -i "s/image: peaceiris/image: intruder/" "$1"\n', { mode: 0o755 })
    const edited = await run('kubectl', ['edit', ...deployment], {
      env: { ...environment(demo), KUBE_EDITOR: editor },
    })
    expect(edited.stdout).toBe('deployment.apps/viewer-markdownview-sample edited\n')
    await healed('.spec.template.spec.containers[0].image', 'peaceiris/mdbook:latest')
    expect(await kubectl(demo, 'get', 'events')).not.toContain('FieldContested')
  })

  it('applies and edits a native object', async () => {
    await using demo = runDemo()
    await demo.printed(/Ctrl-C/)
    const file = join(demo.folder, 'settings.yaml')
    writeFileSync(
      file,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {colour: red, size: "1"}\n',
    )
    expect(await kubectl(demo, 'apply', '-f', file)).toBe('configmap/settings created\n')
    writeFileSync(file, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {colour: blue}\n')
    expect(await kubectl(demo, 'apply', '-f', file)).toBe('configmap/settings configured\n')
    expect(await kubectl(demo, 'get', 'configmap', 'settings', '-o', 'jsonpath={.data}')).toBe(
      '{"colour":"blue"}',
    )
    expect(await kubectl(demo, 'apply', '--server-side', '--force-conflicts', '-f', file)).toBe(
      'configmap/settings serverside-applied\n',
    )
    expect(await kubectl(demo, 'delete', '-f', file)).toBe('configmap "settings" deleted\n')
  })

  it('refuses an invalid MarkdownView and names the field', async () => {
    await using demo = runDemo()
    await demo.printed(/Ctrl-C/)
    const file = join(demo.folder, 'invalid.yaml')
    writeFileSync(file, manifest(0))
    await expect(kubectl(demo, 'apply', '-f', file)).rejects.toThrow(
      /The MarkdownView "second" is invalid: spec\.replicas: Invalid value: 0: spec\.replicas in body should be greater than or equal to 1/,
    )
    writeFileSync(file, manifest(1).replace(/ +markdowns:[^]*(?= +replicas)/, ''))
    await expect(kubectl(demo, 'apply', '--validate=false', '-f', file)).rejects.toThrow(
      /The MarkdownView "second" is invalid: spec\.markdowns: Required value/,
    )
  })

  it("refuses a MarkdownView by the operator's webhook, without a certificate of the user's", async () => {
    await using demo = runDemo()
    await demo.printed(/Ctrl-C/)
    const file = join(demo.folder, 'invalid.yaml')
    writeFileSync(file, manifest(1).replace('SUMMARY.md', 'README.md'))
    await expect(kubectl(demo, 'apply', '-f', file)).rejects.toThrow(
      /The MarkdownView "second" is invalid: spec\.markdowns\[SUMMARY\.md\]: Required value: it is the table of contents/,
    )
    const patch = '[{"op":"remove","path":"/spec/markdowns/SUMMARY.md"}]'
    await expect(
      kubectl(demo, 'patch', 'markdownview', 'markdownview-sample', '--type=json', '-p', patch),
    ).rejects.toThrow(/spec\.markdowns\[SUMMARY\.md\]: Required value/)
    writeFileSync(file, manifest(1).replace('one.md: ', 'lost.md: "# Lost"\n    one.md: '))
    expect(await kubectl(demo, 'apply', '-f', file)).toBe(
      'markdownview.view.zoetrope.github.io/second created\n',
    )
  })

  it('sees an At through its life, and its Pod’s output', async () => {
    await using demo = runDemo(['--example', 'at'])
    await demo.printed(/Ctrl-C/)
    expect(await kubectl(demo, 'get', 'at')).toMatch(/^NAME +AT +PHASE\nat-sample +\S+Z +Done\n$/)
    expect(await kubectl(demo, 'get', 'pod', 'at-sample-pod')).toMatch(
      /at-sample-pod +0\/1 +Completed +0 +\d+s/,
    )
    expect(await kubectl(demo, 'logs', 'at-sample-pod')).toBe('YAY\n')
    const described = await kubectl(demo, 'describe', 'at', 'at-sample')
    expect(described).toMatch(/^Spec:\n +At: +\S+Z\n +Command: +echo YAY\nStatus:\n +Phase: +Done$/m)
    for (const reason of ['Scheduled', 'Pulled', 'Created', 'Started']) {
      // Events are written beside what they are about.
      await expect
        .poll(() => kubectl(demo, 'get', 'events'))
        .toMatch(new RegExp(String.raw`Normal +${reason} +pod/at-sample-pod`))
    }
    expect(await kubectl(demo, 'delete', 'at', 'at-sample')).toMatch(/"at-sample" deleted/)
    await expect.poll(() => kubectl(demo, 'get', 'pod', '-o', 'name'), { timeout: 60_000 }).toBe('')
  })
})

function manifest(replicas: number): string {
  return `apiVersion: view.zoetrope.github.io/v1
kind: MarkdownView
metadata:
  name: second
spec:
  markdowns:
    SUMMARY.md: "- [One](one.md)"
    one.md: "# One"
  replicas: ${replicas}
`
}

async function kubectl(demo: RunningDemo, ...args: string[]): Promise<string> {
  const { stdout } = await run('kubectl', args, { env: environment(demo) })
  // Newer versions of kubectl name the namespace when they delete.
  return stdout.replace(/ from \S+ namespace$/gm, '')
}

/** `kubectl get -w`, as it prints. */
function watch(demo: RunningDemo, resource: string) {
  const child = spawn('kubectl', ['get', resource, '-w'], { env: environment(demo) })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = new Promise((done) => child.once('close', done))
  return {
    printed: async (pattern: RegExp) => {
      await expect.poll(() => output, { timeout: 60_000 }).toMatch(pattern)
    },
    end: async () => {
      child.kill()
      await ended
    },
  }
}

function environment(demo: RunningDemo): NodeJS.ProcessEnv {
  return { ...process.env, KUBECONFIG: demo.kubeconfig, HOME: demo.folder }
}

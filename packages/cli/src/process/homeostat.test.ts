import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { commands } from '../commands/index.ts'
import { graphSvg, type OperatorGraph } from '../graph/index.ts'
import { homeostat } from './homeostat.ts'

const root = resolve(import.meta.dirname, '../../../..')
const example = (name: string): string => join(root, 'examples', name)

let folder: string
beforeEach(() => {
  // Inside the workspace, so that the packages are found; ignored by git.
  mkdirSync(join(root, '.homeostat'), { recursive: true })
  folder = mkdtempSync(join(root, '.homeostat', 'cli-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Called {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function call(...args: string[]): Promise<Called> {
  return callIn(folder, ...args)
}

async function callIn(cwd: string, ...args: string[]): Promise<Called> {
  let [out, err] = ['', '']
  const code = await homeostat(args, {
    cwd,
    env: {},
    isTerminal: false,
    out: (text) => void (out += text),
    err: (text) => void (err += text),
  })
  return { code, out, err }
}

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)

describe('homeostat', () => {
  it('lists its commands, and has a help with examples for each', async () => {
    const { code, out } = await call('--help')
    expect(code).toBe(0)
    for (const { name } of commands) {
      expect(out).toContain(`\n  ${name} `)
      const help = await call(name, '--help')
      expect([help.code, help.err]).toEqual([0, ''])
      expect(help.out).toMatch(
        new RegExp(`^Usage: homeostat ${name} .*\n[^]*Examples:\n {2}homeostat ${name}`),
      )
      expect((await call('help', name)).out).toBe(help.out)
    }
    expect((await call()).out).toBe(out)
  })

  it('fits its help into 80 columns', async () => {
    for (const args of [[], ...commands.map(({ name }) => [name])]) {
      const { out } = await call(...args, '--help')
      expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
    }
  })

  it('breaks lines between words in a terminal, and nowhere else', async () => {
    const printed = async (isTerminal: boolean): Promise<string> => {
      let text = ''
      const write = (part: string): void => void (text += part)
      const env = { NO_COLOR: '1' }
      const args = ['doctor', '--kubeconfig=gone']
      await homeostat(args, { cwd: folder, env, isTerminal, columns: 50, out: write, err: write })
      return text
    }
    const [terminal, pipe] = [await printed(true), await printed(false)]
    const wide = terminal.split('\n').filter((line) => line.length > 50)
    // A path is one word.
    expect(wide.filter((line) => line.trim().includes(' '))).toEqual([])
    expect(terminal.replaceAll(/\s+/g, ' ')).toBe(pipe.replaceAll(/\s+/g, ' '))
    expect(pipe.split('\n')[1]?.length).toBeGreaterThan(80)
  })

  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')) as {
      version: string
    }
    expect((await call('--version')).out).toBe(`homeostat ${version}\n`)
  })

  it.each([
    [['grpah'], 'there is no command grpah: did you mean graph?'],
    [['graph', '--mermiad'], 'homeostat graph has no option --mermiad: did you mean --mermaid?'],
    [['graph', 'something'], 'homeostat graph takes no argument, but got "something"'],
    [['graph', '--json=yes'], '--json takes no value, but got "yes"'],
    [['graph', '--operator'], '--operator needs a value: --operator=FILE'],
    [['graph', '--json', '--mermaid'], '--mermaid and --json exclude each other'],
    [['graph', '--svg', '--mermaid'], '--mermaid and --svg exclude each other'],
    [['openapi', 'v1', 'apps/v1'], 'name at most one group and version'],
    [['manifests', '--helm', '--kustomize'], '--helm and --kustomize cannot be used together'],
    [['manifests', '--olm', '--helm'], '--olm cannot be used with --helm or --kustomize'],
    [['manifests', '--olm', '--namespace=a'], 'leave --namespace out'],
    [['manifests', '--channel=a'], 'only a bundle has a channel'],
    [['manifests', '--print', '--check'], '--check and --print cannot be used together'],
    [['types'], 'name at least one YAML file, URL or --context'],
    [['compat', 'old.yaml'], 'name what to compare: homeostat compat OLD NEW'],
    [['check', '--only=crahs'], 'there is no class crahs: did you mean crash?'],
    ...(process.platform === 'win32'
      ? []
      : ([
          [['manifests', '--out=C:\\out'], '--out: C:\\out is a path of Windows'],
          [['graph', '--operator=src\\operator.ts'], 'write src/operator.ts'],
        ] as [string[], string][])),
    [['completion', 'powershell'], 'name a shell: homeostat completion bash|zsh|fish'],
  ])('refuses %j with 2', async (args, message) => {
    const { code, out, err } = await call(...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(message)
    expect(err).toContain('--help')
  })

  it('refuses options of a command with 2 only once it is loaded', async () => {
    const { code, err } = await callIn(example('at'), 'manifests', '--replicas=many', '--print')
    expect([code, err.includes('--replicas=many is not a number')]).toEqual([2, true])
  })
})

describe('the operator of a project', () => {
  it('is named where it is missing', async () => {
    const { code, err } = await call('graph')
    expect(code).toBe(1)
    expect(err).toContain(
      `there is no operator.ts in ${folder}: run this command in the folder of your operator`,
    )
    expect((await call('graph', '--operator=other.ts')).err).toContain(join(folder, 'other.ts'))
  })

  it.each([
    ['export const x = 1\n', 'has no operator as its default export'],
    ['export default { controllers: [] }\n', 'has no operator as its default export'],
    ['export default () => 3\n', 'expected an operator, but got a value of type number'],
    ['export default (\n', 'operator.ts cannot be loaded'],
    ["throw new Error('no database')\n", 'cannot be loaded: Error: no database'],
    ["import './gone.ts'\n", 'cannot be loaded'],
    [
      "import { defineKind, schema as s } from 'homeostat'\nconst spec = s.object({ a: s.string() }).not({ properties: { b: { type: 'string' } } })\ndefineKind({ group: 'a.example.com', version: 'v1', kind: 'A', spec })\n",
      'spec',
    ],
  ])('is refused in %j', async (text, message) => {
    write('operator.ts', text)
    const { code, err } = await call('graph')
    expect(code).toBe(1)
    expect(err).toContain(message)
    expect(err).not.toContain('    at homeostat')
    expect((await call('manifests')).code).toBe(1)
    expect(readdirSync(folder)).toEqual(['operator.ts'])
  })

  it('may be made by a function', async () => {
    write(
      'operator.ts',
      "import { operator } from 'homeostat'\nexport default async () => operator('made', {})\n",
    )
    expect(await call('graph')).toEqual({ code: 0, out: 'operator made\n', err: '' })
  })
})

describe('graph', () => {
  it('prints what an operator does, as text', async () => {
    const { out } = await callIn(example('vcap'), 'graph')
    expect(out).toMatchInlineSnapshot(`
      "operator vcap
        defines VcapServicesConverter.deployment.hsc.philips.com.cn/v1

      vcap
        reconciles  VcapServicesConverter.deployment.hsc.philips.com.cn/v1
        owns        Secret.v1
        watches     Secret.v1
        writes      VcapServicesConverter.deployment.hsc.philips.com.cn/v1 (status.apply)
        writes      Secret.v1 (apply, delete)
      "
    `)
  })

  it('prints a Mermaid flowchart', async () => {
    const { out } = await callIn(example('mariadb'), 'graph', '--mermaid')
    expect(out).toMatchInlineSnapshot(`
      "flowchart LR
        n0{{"mariadb"}} -- "reconciles" --> n1("MariaDB.mariadb.example.com/v1alpha1")
        n0{{"mariadb"}} -- "owns" --> n2["Service.v1"]
        n0{{"mariadb"}} -- "owns" --> n3["StatefulSet.apps/v1"]
        n0{{"mariadb"}} -- "writes: patch, status.apply" --> n1("MariaDB.mariadb.example.com/v1alpha1")
        n0{{"mariadb"}} -- "writes: createOrPatch" --> n2["Service.v1"]
        n0{{"mariadb"}} -- "writes: createOrPatch, delete" --> n3["StatefulSet.apps/v1"]
        n0{{"mariadb"}} -- "writes: deleteAllOf" --> n4["PersistentVolumeClaim.v1"]
      "
    `)
  })

  it('draws a picture with every kind, part and relation', async () => {
    const { out } = await callIn(example('mariadb'), 'graph', '--svg')
    const { out: json } = await callIn(example('mariadb'), 'graph', '--json')
    const { kinds, edges } = JSON.parse(json) as OperatorGraph
    expect(out).toMatch(/^<svg [^]*<\/svg>\n$/)
    expect(out.match(/<path /g)).toHaveLength(edges.length)
    for (const name of [...kinds, ...edges.flatMap(({ from, kind }) => [from, kind])])
      expect(out).toContain(`>${name}</text>`)
  })

  it('escapes names in a picture', () => {
    const from = 'webhook /a&<b>"'
    const drawn = graphSvg({
      operator: 'x',
      kinds: [],
      edges: [{ from, relation: 'admits', kind: 'Pod.v1' }],
    })
    expect(drawn).toContain('>webhook /a&amp;&lt;b&gt;&quot;</text>')
  })

  it('says in every form which kinds are used with their metadata only', async () => {
    write(
      'operator.ts',
      `import { controller, metadataOnly, operator } from 'homeostat'
       import { Namespace, Pod, Secret } from 'homeostat/kinds'
       const Metadata = metadataOnly(Secret)
       const copies = controller('copies').for(Namespace).watches(Metadata, () => undefined).owns(Secret)
         .indexes(Metadata, { team: () => 'a' }).reads(Secret, metadataOnly(Pod)).writes(Secret, 'delete').reconcile(() => {})
       export default operator('copies', { controllers: [copies], kinds: [] })`,
    )
    expect((await call('graph')).out).toMatchInlineSnapshot(`
      "operator copies

      copies
        reconciles  Namespace.v1
        watches     Secret.v1 (metadata only)
        owns        Secret.v1
        reads       Secret.v1 (metadata only)
        reads       Secret.v1
        reads       Pod.v1 (metadata only)
        writes      Secret.v1 (delete)
      "
    `)
    const { edges } = JSON.parse((await call('graph', '--json')).out) as OperatorGraph
    expect(edges.filter(({ relation }) => relation === 'watches')).toEqual([
      { from: 'copies', relation: 'watches', kind: 'Secret.v1', content: 'metadata' },
    ])
    expect((await call('graph', '--mermaid')).out).toContain(
      '-- "watches: metadata only" --> n2["Secret.v1"]',
    )
    expect((await call('graph', '--svg')).out).toContain('>watches: metadata only</text>')
  })

  it('prints JSON', async () => {
    const { out } = await callIn(example('tenant'), 'graph', '--json')
    expect(JSON.parse(out)).toMatchObject({
      operator: 'tenant',
      kinds: ['Tenant.multitenancy.example.com/v1'],
      edges: expect.arrayContaining([
        { from: 'tenant', relation: 'owns', kind: 'Namespace.v1' },
        expect.objectContaining({ relation: 'writes', kind: 'ClusterRole.rbac.authorization.k8s.io/v1' }),
      ]) as unknown,
    })
  })
})

describe('types', () => {
  const crd = (name: string): string => join(example(name), 'manifests/crd.yaml')

  it('makes one module of several files', async () => {
    const { code, out } = await call('types', crd('vcap'), crd('tenant'), '--out=kinds.ts')
    expect([code, out]).toEqual([0, `2 definitions are in ${join(folder, 'kinds.ts')}\n`])
    const text = readFileSync(join(folder, 'kinds.ts'), 'utf8')
    expect(text.match(/^import/gm)).toHaveLength(1)
    const made = (await import(join(folder, 'kinds.ts'))) as Record<string, { group: string }>
    expect(Object.keys(made)).toEqual(['VcapServicesConverter', 'Tenant'])
    expect(made['Tenant']?.group).toBe('multitenancy.example.com')
  })

  it('reads lists, leaves other kinds out, and prints to standard output', async () => {
    const [definition] = parseAllDocuments(readFileSync(crd('at'), 'utf8'))
    const items = [definition?.toJS(), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }]
    write('list.yaml', JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
    expect((await call('types', 'list.yaml')).out).toContain('export const At = defineKind({')
  })

  it.each<[string, string | undefined, string]>([
    ['gone.yaml', undefined, 'there is no file'],
    ['file:///gone/away.yaml', undefined, `there is no file or folder ${resolve('/gone/away.yaml')}`],
    ...(process.platform === 'win32'
      ? []
      : ([['C:\\crds\\a.yaml', undefined, 'C:\\crds\\a.yaml is a path of Windows']] as [
          string,
          undefined,
          string,
        ][])),
    ['other.yaml', 'apiVersion: v1\nkind: Secret\n', 'has no CustomResourceDefinition'],
    ['bad.yaml', 'a: [\n', 'bad.yaml, document 1'],
  ])('refuses %s, and writes nothing', async (name, text, message) => {
    if (text) write(name, text)
    const { code, err } = await call('types', name, '--out=kinds.ts')
    expect(code).toBe(1)
    expect(err).toContain(message)
    expect(readdirSync(folder)).not.toContain('kinds.ts')
  })

  it('puts the first word of the group before a kind that several groups have', async () => {
    const text = readFileSync(crd('at'), 'utf8')
    write('other.yaml', text.replaceAll('cnat.programming-kubernetes.info', 'more-times.example.com'))
    const { code, out } = await call('types', crd('at'), crd('vcap'), 'other.yaml')
    expect(code).toBe(0)
    expect(out.match(/^export const \w+/gm)).toEqual(
      expect.arrayContaining([
        'export const CnatAt',
        'export const MoreTimesAt',
        'export const VcapServicesConverter',
      ]),
    )
  })

  it('refuses two kinds of the same name', async () => {
    const { code, err } = await call('types', crd('at'), crd('at'))
    expect([code, err.includes('two definitions have the kind At')]).toEqual([1, true])
  })
})

describe('compat', () => {
  const crd = join(example('at'), 'manifests/crd.yaml')
  const changed = (edit: (text: string) => string): void => write('new.yaml', edit(readFileSync(crd, 'utf8')))

  it('ends with 0 where nothing is breaking', async () => {
    changed((text) => text.replace('plural: ats', 'plural: ats\n    shortNames: [soon]'))
    expect(await call('compat', crd, 'new.yaml')).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^safe {7}ats\.\S+ spec\.names\.shortNames: .*soon \(C3\)\n0 breaking, 0 ratcheting, 1 safe\n$/,
      ) as string,
      err: '',
    })
  })

  it('ends with 1 where something is, and prints JSON', async () => {
    changed((text) => text.replace('scope: Namespaced', 'scope: Cluster'))
    const { code, out } = await call('compat', crd, 'new.yaml', '--json')
    expect([code, JSON.parse(out)]).toMatchObject([
      1,
      { ok: false, findings: [{ rule: 'C1', level: 'breaking', path: 'spec.scope' }] },
    ])
  })

  it('ends with 1 for ratcheting changes where it is strict', async () => {
    const definition = (length: number): string =>
      JSON.stringify({
        kind: 'CustomResourceDefinition',
        spec: {
          group: 'example.com',
          scope: 'Cluster',
          names: { kind: 'A', plural: 'as' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: {
                openAPIV3Schema: { type: 'object', properties: { a: { type: 'string', maxLength: length } } },
              },
            },
          ],
        },
      })
    write('old.yaml', definition(2))
    write('new.yaml', definition(1))
    expect((await call('compat', 'old.yaml', 'new.yaml')).code).toBe(0)
    expect((await call('compat', 'old.yaml', 'new.yaml', '--strict')).code).toBe(1)
  })

  it('compares a folder with an operator and with a revision of git', async () => {
    const same = 'nothing changes for stored objects and clients\n'
    expect((await callIn(example('vcap'), 'compat', 'manifests', 'operator.ts')).out).toBe(same)
    writeFileSync(join(folder, 'crd.yaml'), readFileSync(crd))
    const git = (...args: string[]): void =>
      void execFileSync('git', [
        '-c',
        'user.name=test',
        '-c',
        'user.email=test@example.com',
        '-C',
        folder,
        ...args,
      ])
    git('init', '--quiet')
    git('add', 'crd.yaml')
    git('commit', '--quiet', '--no-verify', '--no-gpg-sign', '--message=first')
    changed((text) => text.replace('scope: Namespaced', 'scope: Cluster'))
    expect((await call('compat', 'HEAD:crd.yaml', 'crd.yaml')).out).toBe(same)
    expect((await call('compat', 'HEAD:', 'new.yaml')).out).toContain('spec.scope')
    const { code, err } = await call('compat', 'v9:crd.yaml', 'crd.yaml')
    expect([code, err]).toEqual([1, expect.stringContaining('git cannot read the revision v9')])
  })

  it.each([
    ['gone.yaml', 'there is no file or folder'],
    ['half.yaml', 'half.yaml has a CustomResourceDefinition without spec.group'],
    ['other.yaml', 'other.yaml has no CustomResourceDefinition'],
  ])('refuses %s', async (name, message) => {
    write('half.yaml', 'kind: CustomResourceDefinition\nspec: {}\n')
    write('other.yaml', 'kind: Secret\n')
    const { code, err } = await call('compat', crd, name)
    expect([code, err]).toEqual([1, expect.stringContaining(message)])
  })
})

describe('completion', () => {
  it.each(['bash', 'zsh', 'fish'])('knows all commands and options in %s', async (shell) => {
    const { code, out } = await call('completion', shell)
    expect(code).toBe(0)
    for (const { name, options } of commands) {
      expect(out).toContain(name)
      for (const option of Object.keys(options)) {
        expect(out).toContain(shell === 'fish' ? `-l ${option}` : `--${option}`)
      }
    }
  })

  it.skipIf(process.platform === 'win32').each([
    [['che'], 'check'],
    [['check', '--write'], '--write-test'],
    [['check', '--format', 'js'], 'json'],
    [['check', '--format', '='], 'text json junit sarif'],
    [['check', '--format', '=', 'js'], 'json'],
  ])('completes %j in bash to %s', async (words, expected) => {
    const { out } = await call('completion', 'bash')
    const typed = ['homeostat', ...words].map((word) => `'${word}'`).join(' ')
    const script = `${out}COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _homeostat; echo "\${COMPREPLY[@]}"`
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim()).toBe(expected)
  })
})

describe('homeostat check', () => {
  const controllerOf = (body: string): string => `
    import { controller, controllerReference, defineKind, operator, sample, schema as s } from 'homeostat'
    import { ConfigMap } from 'homeostat/kinds'

    const Note = defineKind({ group: 'check.example.com', version: 'v1', kind: 'Note', spec: s.object({ text: s.string() }) })
    const notes = controller('notes').for(Note).owns(ConfigMap).writes(ConfigMap, 'apply')
      .reconcile(async (key, { client }) => {
        const note = await client.get(Note, key)
        if (!note) return
        const metadata = { ...key, ownerReferences: [controllerReference(note)] }
        ${body}
      })
    export default operator('notes', {
      controllers: [notes],
      samples: [sample(Note, { metadata: { name: 'one', namespace: 'default' }, spec: { text: 'hello' } })],
    })
  `
  const right = 'await client.apply(ConfigMap, { metadata, data: { text: note.spec.text } })'
  const wrong = `await client.apply(ConfigMap, { metadata, data: { text: note.spec.text } }).catch(() => {})`

  it('ends with 0 where it finds nothing', async () => {
    write('operator.mjs', controllerOf(right))
    const { code, out } = await call('check', '--only=failed-request')
    expect([code, out]).toEqual([0, expect.stringMatching(/^no finding in \d+ runs of Note default\/one\n$/)])
  })

  it('prints what it finds as text or as JSON, and ends with 1', async () => {
    write('operator.mjs', controllerOf(wrong))
    const text = await call('check', '--only=failed-request')
    expect([text.code, text.err]).toEqual([
      1,
      expect.stringMatching(
        /^loading the checker\nchecking operator\.mjs\n0 of (\d+) trials, [^]*\n\1 of \1 trials, /,
      ),
    ])
    expect(text.out).toContain('1. A request that fails once leaves another state behind (failed-request)')
    const json = await call('check', '--only=failed-request', '--json')
    expect(JSON.parse(json.out)).toMatchObject({
      findings: [{ class: 'failed-request', summary: 'the ConfigMap default/one is missing' }],
    })
  })

  it('fails where a kind has no sample, and names the kind', async () => {
    write('operator.mjs', controllerOf(right).replace(/samples: .*/, ''))
    const { code, err } = await call('check')
    expect([code, err]).toEqual([1, expect.stringContaining('the operator notes has no sample of Note')])
  })
})

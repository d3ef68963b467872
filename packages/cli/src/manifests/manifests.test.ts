import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  admission,
  controller,
  conversion,
  defineKind,
  operator,
  sample,
  schema as s,
  type OperatorPage,
} from 'homeostat'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { helmChart } from './helm.ts'
import { kustomizeFiles } from './kustomize.ts'
import { olmBundle } from './olm.ts'
import { operatorManifests } from './operator-manifests.ts'
import { outdatedFiles, writeFiles } from './output-folder.ts'
import { toYaml } from './yaml.ts'

const note = (version: string) =>
  defineKind({
    group: 'example.com',
    version,
    kind: 'Note',
    spec: s.object({ text: s.string().describe('Such as {{ .Values.text }} or "on".') }),
  })
const [Old, Note] = [note('v1alpha1'), note('v1')]
const notes = controller('notes')
  .for(Note)
  .reconcile(() => {})
const versions = conversion(Note)
  .version(Old)
  .converts({ toStored: ({ spec }) => ({ spec }), fromStored: ({ spec }) => ({ spec }) })
const whole = operator('notes', {
  controllers: [notes],
  webhooks: [admission(Note).defaults(() => ({})), versions],
  samples: [sample(Note, { metadata: { namespace: 'default', name: 'a' }, spec: { text: 'on' } })],
})
const installation = { namespace: 'notes-system', image: 'notes:1.0.0', replicas: 2 }
const chart = { name: 'notes', version: '1.0.0', repository: 'example.com:5000/notes', tag: '1.0.0' }

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'homeostat-manifests-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const kindsOf = (objects: readonly object[] = []) =>
  objects.map((object) => (object as { kind: string }).kind)
const textOf = (files: Readonly<Record<string, readonly object[]>>) =>
  Object.fromEntries(Object.entries(files).map(([path, objects]) => [path, toYaml(objects)]))

describe('the manifests of an operator', () => {
  it('hold all objects that a cluster needs', () => {
    const files = operatorManifests(whole, installation)
    expect(
      Object.fromEntries(Object.entries(files).map(([path, objects]) => [path, kindsOf(objects)])),
    ).toEqual({
      'crd.yaml': ['CustomResourceDefinition'],
      'access.yaml': [
        'Namespace',
        'ServiceAccount',
        'ClusterRole',
        'ClusterRoleBinding',
        'Role',
        'RoleBinding',
      ],
      'manager.yaml': ['Deployment', 'PodDisruptionBudget', 'Service'],
      'webhooks.yaml': ['Service', 'MutatingWebhookConfiguration'],
      'network-policy.yaml': ['NetworkPolicy'],
      'monitoring/monitoring.yaml': ['ServiceMonitor', 'PrometheusRule'],
      'samples/sample.yaml': ['Note'],
    })
  })

  it('give API servers the Service of the webhooks', () => {
    const files = operatorManifests(whole, installation)
    const service = { name: 'notes-webhooks', namespace: 'notes-system' }
    expect(files['crd.yaml']).toMatchObject([
      { spec: { conversion: { webhook: { clientConfig: { service: { ...service, path: '/convert' } } } } } },
    ])
    expect(files['webhooks.yaml']).toMatchObject([
      { metadata: service, spec: { ports: [{ port: 443, targetPort: 'webhooks' }] } },
      { webhooks: [{ clientConfig: { service } }] },
    ])
    expect(JSON.stringify(files['manager.yaml'])).toContain('"name":"webhooks","containerPort":9443')
  })

  it('let the operator keep its certificates, and write caBundle', () => {
    const [, , everywhere, , inside] = operatorManifests(whole, installation)['access.yaml']!
    expect(JSON.stringify(everywhere)).toContain('"mutatingwebhookconfigurations"')
    expect(JSON.stringify(everywhere)).toContain('"customresourcedefinitions"')
    expect(JSON.stringify(inside)).toContain('"notes-webhook-certificates"')
  })

  it('open the port of a page, and have a role for users who may see it', () => {
    const files = (page: OperatorPage | undefined) =>
      toYaml(
        Object.values(
          operatorManifests(operator('notes', { controllers: [notes], manager: { page } }), installation),
        ).flat(),
      )
    const page: OperatorPage = {
      options: { port: 8083, host: '0.0.0.0' },
      rules: () => [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }],
      open: async () => ({ [Symbol.asyncDispose]: async () => {} }),
    }
    const [without, loopback, open] = [
      files(undefined),
      files({ ...page, options: { port: 8083 } }),
      files(page),
    ]
    expect(without).not.toMatch(/8083|\/page|tokenreviews/)
    expect(loopback).toMatch(/name: notes-page-viewer\nrules:\n +- nonResourceURLs:\n +- \/page\n/)
    expect(loopback.match(/8083/g)).toHaveLength(1)
    expect(open.match(/8083/g)).toHaveLength(2)
    for (const text of [loopback, open]) expect(text).toMatch(/- tokenreviews\n[^]*- pods\n/)
  })

  it('are the same text each time', () => {
    expect(textOf(operatorManifests(whole, installation))).toEqual(
      textOf(operatorManifests(whole, installation)),
    )
  })

  it('leave out objects that an operator does not need', () => {
    const files = operatorManifests(operator('empty', {}), installation)
    expect(Object.keys(files)).toEqual([
      'access.yaml',
      'manager.yaml',
      'network-policy.yaml',
      'monitoring/monitoring.yaml',
    ])
  })

  it('quote texts that YAML 1.1 would read as another type', () => {
    const values = ['on', 'no', '1e3', '0o17', '2026-01-01T00:00:00Z', '1:30', 'null', '~']
    expect(parse(toYaml([{ values }]), { version: '1.1' })).toEqual({ values })
  })
})

describe('a kustomization', () => {
  it.skipIf(!has('kubectl'))('is what kustomize builds, with monitoring as a component', () => {
    writeFiles(join(folder, 'base'), textOf(kustomizeFiles(operatorManifests(whole, installation))))
    const built = execFileSync('kubectl', ['kustomize', join(folder, 'base')], { encoding: 'utf8' })
    expect(parseAllDocuments(built)).toHaveLength(13)
    const overlay = { resources: ['../base'], components: ['../base/monitoring'], namespace: 'elsewhere' }
    writeFiles(join(folder, 'overlay'), { 'kustomization.yaml': toYaml([overlay]) })
    const other = execFileSync('kubectl', ['kustomize', join(folder, 'overlay')], { encoding: 'utf8' })
    expect(parseAllDocuments(other)).toHaveLength(15)
  })
})

describe('a Helm chart', () => {
  it('has no placeholder left, and does not evaluate texts of the operator as expressions', () => {
    const text = Object.values(helmChart(whole, chart)).join('\n')
    expect(text).not.toMatch(/homeostat-release|homeostat-image|918273645/)
    expect(text).toContain('Such as {{ "{{" }} .Values.text }}')
  })

  it('has a value for everything that its schema knows, and no other', () => {
    const files = helmChart(whole, chart)
    const values = parse(files['values.yaml']!) as object
    const { properties } = JSON.parse(files['values.schema.json']!) as { properties: object }
    expect(Object.keys(properties).filter((name) => name !== 'global')).toEqual(Object.keys(values))
  })

  const helms = helmPrograms()
  it.skipIf(helms.length === 0).each(helms)('passes lint and renders by %s', (helm) => {
    writeFiles(folder, helmChart(whole, chart))
    expect(execFileSync(helm, ['lint', folder], { encoding: 'utf8' })).toContain('0 chart(s) failed')
    const render = (...set: string[]) => {
      const text = execFileSync(
        helm,
        ['template', 'a', folder, '-n', 'other', ...set.flatMap((each) => ['--set', each])],
        {
          encoding: 'utf8',
        },
      )
      return parseAllDocuments(text).map((document) => document.toJS() as Record<string, any>)
    }
    const objects = render()
    expect(kindsOf(objects).toSorted()).toEqual(
      [
        'ClusterRole',
        'ClusterRoleBinding',
        'CustomResourceDefinition',
        'Deployment',
        'MutatingWebhookConfiguration',
        'NetworkPolicy',
        'PodDisruptionBudget',
        'Role',
        'RoleBinding',
        'Service',
        'Service',
        'ServiceAccount',
      ].toSorted(),
    )
    const deployment = objects.find(({ kind }) => kind === 'Deployment')!
    expect(deployment).toMatchObject({
      metadata: { namespace: 'other' },
      spec: { replicas: 2, template: { spec: { containers: [{ image: 'example.com:5000/notes:1.0.0' }] } } },
    })
    const definition = objects.find(({ kind }) => kind === 'CustomResourceDefinition')!
    const { schema } = definition['spec'].versions[0]
    expect(schema.openAPIV3Schema.properties.spec.properties.text.description).toBe(
      'Such as {{ .Values.text }} or "on".',
    )
    const set = render(
      'replicas=3',
      'image.tag=v2',
      'monitoring.enabled=true',
      'crds.install=false',
      'resources.limits.memory=1Gi',
      'nodeSelector.zone=a',
    )
    expect(kindsOf(set)).toContain('PrometheusRule')
    expect(kindsOf(set)).not.toContain('CustomResourceDefinition')
    const pods = set.find(({ kind }) => kind === 'Deployment')!['spec']
    expect(pods).toMatchObject({
      replicas: 3,
      template: {
        spec: {
          nodeSelector: { zone: 'a' },
          containers: [{ image: 'example.com:5000/notes:v2', resources: { limits: { memory: '1Gi' } } }],
        },
      },
    })
    expect(() => render('replica=3')).toThrow(/replica/)
  })
})

describe('an output folder', () => {
  it('names the files that are missing or out of date, and no others', () => {
    const files = { 'a.yaml': 'a: 1\n', 'b/c.yaml': 'b: 1\n' }
    expect(outdatedFiles(folder, files)).toEqual([
      `${join(folder, 'a.yaml')} is missing`,
      `${join(folder, 'b/c.yaml')} is missing`,
    ])
    writeFiles(folder, files)
    expect(outdatedFiles(folder, files)).toEqual([])
    writeFileSync(join(folder, 'a.yaml'), 'a: 2\n')
    expect(outdatedFiles(folder, files)).toEqual([`${join(folder, 'a.yaml')} is out of date`])
    // As git writes it on Windows.
    writeFileSync(join(folder, 'a.yaml'), 'a: 1\r\n')
    expect(outdatedFiles(folder, files)).toEqual([])
  })

  it('keeps the old file where a new one cannot be written', () => {
    writeFileSync(join(folder, 'a'), 'a file, not a folder')
    expect(() => writeFiles(folder, { 'a/b.yaml': 'b: 1\n' })).toThrow(
      expect.objectContaining({ code: 'FILE_NOT_WRITTEN' }),
    )
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('a file, not a folder')
  })
})

function has(program: string): boolean {
  try {
    execFileSync(program, ['--help'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The Helms that `npm test clients` has built, or the one of this machine. */
function helmPrograms(): string[] {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'homeostat/benchmarks')
  const built = existsSync(cache)
    ? readdirSync(cache)
        .filter((name) => name.startsWith('helm-v'))
        .map((name) => join(cache, name, 'helm'))
        .filter((file) => existsSync(file))
    : []
  return built.length > 0 ? built : has('helm') ? ['helm'] : []
}

describe('a bundle of OLM', () => {
  const bundle = { image: 'notes:1.2.0', replicas: 2, version: '1.2.0', channel: 'stable' }
  const plain = operator('notes', {
    controllers: [notes],
    samples: [sample(Note, { metadata: { namespace: 'default', name: 'a' }, spec: { text: 'on' } })],
  })

  it('has the service version, the definitions and the other objects that OLM installs', () => {
    const files = olmBundle(plain, bundle)
    expect(Object.keys(files)).toEqual([
      'manifests/notes.clusterserviceversion.yaml',
      'manifests/notes.example.com.crd.yaml',
      'manifests/notes.poddisruptionbudget.yaml',
      'manifests/notes-metrics.service.yaml',
      'metadata/annotations.yaml',
      'bundle.Dockerfile',
    ])
    expect(files).toEqual(olmBundle(plain, bundle))
    for (const text of Object.values(files)) expect(text).not.toContain('olm-decides')
    const version = parse(files['manifests/notes.clusterserviceversion.yaml'] ?? '') as {
      metadata: { name: string; annotations: Record<string, string> }
      spec: {
        install: { spec: { clusterPermissions: unknown[]; deployments: { spec: { template: unknown } }[] } }
        customresourcedefinitions: unknown
      }
    }
    expect(version.metadata.name).toBe('notes.v1.2.0')
    expect(JSON.parse(version.metadata.annotations['alm-examples'] ?? '')).toMatchObject([{ kind: 'Note' }])
    expect(version.spec.customresourcedefinitions).toMatchObject({
      owned: [{ name: 'notes.example.com', version: 'v1', kind: 'Note' }],
    })
    expect(version.spec.install.spec.clusterPermissions).toMatchObject([
      {
        serviceAccountName: 'notes',
        rules: expect.arrayContaining([expect.objectContaining({ resources: ['notes'] })]) as unknown,
      },
    ])
    expect(files['bundle.Dockerfile']).toContain(
      'LABEL operators.operatorframework.io.bundle.package.v1=notes\n',
    )
  })

  it.each([
    [whole, bundle, 'converts their versions'],
    [
      operator('notes', { controllers: [notes], webhooks: [admission(Note).defaults(() => ({}))] }),
      bundle,
      'webhookServer: { install: true }',
    ],
    [plain, { ...bundle, version: 'latest' }, 'its version latest is not a semantic version'],
  ])('is refused where OLM could not install it: %#', (given, options, message) => {
    expect(() => olmBundle(given, options)).toThrow(message)
  })

  it('lets the operator install its webhooks', () => {
    const installs = operator('notes', {
      controllers: [notes],
      webhooks: [admission(Note).defaults(() => ({}))],
      webhookServer: { install: true },
    })
    const files = olmBundle(installs, bundle)
    expect(Object.keys(files)).toContain('manifests/notes-webhooks.service.yaml')
    expect(files['manifests/notes.clusterserviceversion.yaml']).toContain('mutatingwebhookconfigurations')
  })
})

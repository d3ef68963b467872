import type { FuzzCase, FuzzRequest } from '../fuzz-case.ts'
import { again, number, type Tree, type TreeObject } from '../json-tree.ts'
import { APPLY, MERGE, NAMESPACED, container, labels, found, create, store } from './found-case.ts'

/** How parameters, patches and bodies are read. */
export function requests(): FuzzCase[] {
  return [...queries(), ...patches(), ...duplicates(), ...unreadable(), ...reviews(), boundTokens()]
}

/** Texts, a character for each byte, of which most are not an object in JSON. */
const MALFORMED = [
  '\u009e\u00e9e',
  '\u00ff',
  "'",
  '\\',
  '\u0007',
  'nul',
  'nulx',
  '{',
  '{"a"',
  '{"a":}',
  '{"a":1,}',
  '[1,]',
  '{} x',
  '-',
  '1.',
  '1e+',
  '["a',
  '["\\',
  '["\\u00',
  '[tru',
  '"\u0001"',
  '01',
  ' ',
  'null',
  'true',
  '1',
  '"a"',
  '[]',
  '{}',
  '{"a":1}',
]

/** Several wrong parameters: the server refuses the one that it reads first. */
function queries(): FuzzCase[] {
  const list = (query: Record<string, string>): FuzzRequest => ({
    method: 'GET',
    path: `${NAMESPACED}/configmaps?${new URLSearchParams(query).toString()}`,
  })
  return [
    found(
      'v1 ConfigMap',
      'a list with several wrong parameters',
      list({ limit: '1e3', labelSelector: '-=a', fieldSelector: 'a' }),
      list({ labelSelector: '-=a', fieldSelector: 'a' }),
      list({ fieldSelector: 'a' }),
      list({ fieldSelector: '=' }),
    ),
    found(
      'v1 ConfigMap',
      'continuations that are not JSON',
      ...MALFORMED.map((text) =>
        list({
          limit: '1',
          continue: btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
        }),
      ),
    ),
    found(
      'v1 Secret',
      'registries that are not JSON',
      ...['.dockerconfigjson', '.dockercfg'].flatMap((key) =>
        MALFORMED.map((text) =>
          create(`${NAMESPACED}/secrets`, {
            metadata: { name: 'registries' },
            type: `kubernetes.io/${key.slice(1)}`,
            data: { [key]: btoa(text) },
          }),
        ),
      ),
    ),
  ]
}

/** JSON patches that Kubernetes reads otherwise than RFC 6902 says. */
function patches(): FuzzCase[] {
  const body = { metadata: { name: 'patched' }, data: { a: 'b' } }
  const patch = (operation: Tree): FuzzRequest => ({
    method: 'PATCH',
    path: `${NAMESPACED}/configmaps/patched`,
    type: 'application/json-patch+json',
    body: [operation],
  })
  return [
    found(
      'v1 ConfigMap',
      'JSON patches of the whole object, of nothing, and of a path without a slash',
      { method: 'POST', path: `${NAMESPACED}/configmaps`, body },
      patch({ op: 'add', path: '', value: { kind: 'ConfigMap' } }),
      patch({ op: 'copy', from: '', path: '/data/c' }),
      patch({ op: 'replace', path: '', value: [{}] }),
      patch({ op: 'replace', path: '', value: 5 }),
      patch(null),
      patch({ op: 'add', path: 'data', value: { x: 'y' } }),
      patch({ op: 'add', path: 'ignored/data/x', value: 'y' }),
    ),
  ]
}

function duplicates(): FuzzCase[] {
  const twice = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'twice', [again('name')]: 'twice' } }
  const apply = (query: string): FuzzRequest => ({
    method: 'PATCH',
    path: `${NAMESPACED}/configmaps/twice?fieldManager=f&${query}`,
    type: APPLY,
    body: twice,
  })
  return [
    found('v1 ConfigMap', 'a field that is applied twice', apply('dryRun=All')),
    found('v1 ConfigMap', 'a field that is applied twice, strictly', apply('fieldValidation=Strict')),
    found(
      'v1 Pod',
      'an amount that stands twice, first as a text that is none',
      create(`${NAMESPACED}/pods`, {
        metadata: { name: 'p' },
        spec: { containers: [container], overhead: { cpu: 'x', [again('cpu')]: '1' } },
      }),
    ),
    found(
      'v1 PodTemplate',
      'a template with lists that stands twice',
      create(`${NAMESPACED}/podtemplates`, {
        metadata: { name: 't' },
        template: { metadata: { labels }, spec: { containers: [{ env: [{ name: 'e' }] }] } },
        [again('template')]: { spec: { containers: [container] } },
      }),
    ),
    withoutVersion(),
  ]
}

/** Patches in which a key stands twice, and after which the object has no version. */
function withoutVersion(): FuzzCase {
  const at = `${NAMESPACED}/configmaps/without-version`
  const patches: [type: string, body: Tree][] = [
    [
      'application/json-patch+json',
      [
        { op: 'add', path: '/data', value: { a: 'b', [again('a')]: 'c' } },
        { op: 'remove', path: '/apiVersion' },
      ],
    ],
    [MERGE, { apiVersion: null, data: { a: 'b', [again('a')]: 'c' } }],
  ]
  return found(
    'v1 ConfigMap',
    'patches that take the version away, with a key that stands twice',
    store(`${NAMESPACED}/configmaps`, { metadata: { name: 'without-version' } }),
    ...patches.flatMap(([type, body]) =>
      ['Warn', 'Strict', 'Ignore'].map((validation): FuzzRequest => ({
        method: 'PATCH',
        path: `${at}?dryRun=All&fieldValidation=${validation}`,
        type,
        body,
      })),
    ),
  )
}

/** Tokens for objects whose names cannot be part of a path. */
function boundTokens(): FuzzCase {
  const accounts = `${NAMESPACED}/serviceaccounts`
  const names = ['a/b', '..', 'a%b', 'A']
  return found(
    'v1 ServiceAccount',
    'tokens that are bound to objects with names that are none',
    store(accounts, { metadata: { name: 'bound' } }),
    ...names.flatMap((name) =>
      ['Pod', 'Secret', 'Node'].map((kind) =>
        create(`${accounts}/bound/token`, { spec: { boundObjectRef: { apiVersion: 'v1', kind, name } } }),
      ),
    ),
  )
}

/** Objects with several values that cannot be read: a type that reads its own text is told of before the others. */
function unreadable(): FuzzCase[] {
  const time = { creationTimestamp: 'now' }
  const probe = { failureThreshold: number('9007199254740992'), httpGet: { port: number('4294967296') } }
  return [
    found(
      'v1 Pod',
      'numbers, and then a time, that cannot be read',
      create(`${NAMESPACED}/pods`, { spec: { priority: 'x', hostPID: 1 }, metadata: { name: 1, ...time } }),
      create(`${NAMESPACED}/pods`, { metadata: time, spec: { overhead: { cpu: 'x' }, priority: 'x' } }),
      create(`${NAMESPACED}/pods`, { spec: { containers: [{ args: 1, livenessProbe: probe }] } }),
    ),
    found(
      'v1 Secret',
      'a type and bytes that cannot be read',
      create(`${NAMESPACED}/secrets`, { type: 1, data: { a: '%' }, metadata: { name: 's' } }),
      create(`${NAMESPACED}/secrets`, { data: { a: '%' }, type: 1, metadata: { name: 's' } }),
      create(`${NAMESPACED}/secrets`, { data: { a: '%' }, metadata: time }),
    ),
    found(
      'storage.k8s.io/v1 StorageClass',
      'fields of types of their own that cannot be read',
      create('/apis/storage.k8s.io/v1/storageclasses', { reclaimPolicy: [], metadata: { name: 's' } }),
      create('/apis/storage.k8s.io/v1/storageclasses', { volumeBindingMode: {}, metadata: { name: 's' } }),
    ),
  ]
}

function reviews(): FuzzCase[] {
  const spec = { user: 'u', resourceAttributes: { namespace: '{ns}', verb: 'get', resource: 'pods' } }
  const sent = { selfLink: 's', deletionGracePeriodSeconds: 5, creationTimestamp: '2020-01-02T03:04:05Z' }
  const token = (text: string, more: TreeObject = {}): FuzzRequest =>
    create('/apis/authentication.k8s.io/v1/tokenreviews', {
      spec: { token: text, ...more },
      status: { audiences: ['sent'], error: 'sent', user: { username: 'sent' } },
    })
  return [
    found(
      'authentication.k8s.io/v1 TokenReview',
      'white space for a token, and around it',
      ...[' ', '\t\n', '\u0085\u3000', '  t', ' t', 't ', 't u', '\tt', '\ufeff', ''].map((text) =>
        token(text),
      ),
      token(' ', { audiences: ['null', 'true'] }),
      token('t', { audiences: ['null', 'true'] }),
    ),
    found(
      'authorization.k8s.io/v1 SubjectAccessReview',
      'metadata and a status that were sent',
      create('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        metadata: { ...sent, namespace: 'n' },
        spec,
        status: { allowed: true },
      }),
    ),
    found(
      'authorization.k8s.io/v1 LocalSubjectAccessReview',
      'another namespace',
      create('/apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews', {
        metadata: { namespace: 'other', name: 'n' },
        spec,
      }),
    ),
    found(
      'v1 Binding',
      'another namespace',
      create(`${NAMESPACED}/bindings`, {
        metadata: { namespace: 'other', name: 'n' },
        target: { kind: 'Node', name: 'n' },
      }),
    ),
  ]
}

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { callJson, TestEnvironment } from '../testing/index.ts'

const PODS = '/api/v1/namespaces/default/pods'
const pod = (spec: object = {}) => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
})

let env: TestEnvironment
beforeEach(async () => {
  env = await TestEnvironment.start()
})
afterEach(() => env.close())

const post = async (path: string, body: object) => {
  const answer = await env.call('POST', path, { body })
  return answer.body
}

describe('PriorityClasses', () => {
  const CLASSES = '/apis/scheduling.k8s.io/v1/priorityclasses'

  test('a Pod gets the priority of its class, or of the default one', async () => {
    expect((await post(PODS, pod())).spec).toMatchObject({
      priority: 0,
      preemptionPolicy: 'PreemptLowerPriority',
    })
    await post(CLASSES, { metadata: { name: 'high' }, value: 100, preemptionPolicy: 'Never' })
    await post(CLASSES, { metadata: { name: 'usual' }, value: 7, globalDefault: true })
    const high = await post(PODS, { ...pod({ priorityClassName: 'high' }), metadata: { name: 'a' } })
    expect(high.spec).toMatchObject({ priority: 100, preemptionPolicy: 'Never' })
    const usual = await post(PODS, { ...pod(), metadata: { name: 'b' } })
    expect(usual.spec).toMatchObject({ priority: 7, priorityClassName: 'usual' })
    const system = await post(PODS, {
      ...pod({ priorityClassName: 'system-node-critical' }),
      metadata: { name: 'd' },
    })
    expect(system.spec.priority).toBe(2_000_001_000)
  })

  test('a class that does not exist, and a priority that the client sets, are refused', async () => {
    expect((await post(PODS, pod({ priorityClassName: 'none' }))).message).toBe(
      'pods "p" is forbidden: no PriorityClass with name none was found',
    )
    expect((await post(PODS, pod({ priority: 5 }))).message).toBe(
      'pods "p" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    )
  })

  test('a second default class is refused', async () => {
    await post(CLASSES, { metadata: { name: 'one' }, value: 1, globalDefault: true })
    expect((await post(CLASSES, { metadata: { name: 'two' }, value: 2, globalDefault: true })).message).toBe(
      'priorityclasses.scheduling.k8s.io "two" is forbidden: PriorityClass one is already marked as default. Only one default can exist',
    )
  })
})

test('claims and Ingresses without a class get the newest default', async () => {
  const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' }
  const classes = '/apis/storage.k8s.io/v1/storageclasses'
  await post(classes, { metadata: { name: 'old', annotations }, provisioner: 'x' })
  await env.advance('1s')
  await post(classes, { metadata: { name: 'new', annotations }, provisioner: 'x' })
  await post(classes, { metadata: { name: 'other' }, provisioner: 'x' })
  const claim = (name: string, spec: object = {}) => ({
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  })
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims'
  expect((await post(claims, claim('a'))).spec.storageClassName).toBe('new')
  expect((await post(claims, claim('b', { storageClassName: '' }))).spec.storageClassName).toBe('')
  await post('/apis/networking.k8s.io/v1/ingressclasses', {
    metadata: { name: 'gate', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
    spec: { controller: 'example.com/gate' },
  })
  const service = { name: 's', port: { number: 80 } }
  const ingress = await post('/apis/networking.k8s.io/v1/namespaces/default/ingresses', {
    metadata: { name: 'i' },
    spec: { defaultBackend: { service } },
  })
  expect(ingress.spec.ingressClassName).toBe('gate')
})

test('volumes and claims get the protection finalizers only when controllers run that remove them', async () => {
  const claim = {
    metadata: { name: 'data', finalizers: ['example.com/mine'] },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  }
  const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims'
  expect((await post(CLAIMS, claim)).metadata.finalizers).toEqual(['example.com/mine'])
  await using protecting = await TestEnvironment.start({ protectsVolumes: true })
  const { body } = await protecting.call('POST', CLAIMS, { body: claim })
  expect(body.metadata.finalizers).toEqual(['example.com/mine', 'kubernetes.io/pvc-protection'])
  const volume = {
    metadata: { name: 'disk' },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' } },
  }
  const made = await protecting.call('POST', '/api/v1/persistentvolumes', { body: volume })
  expect(made.body.metadata.finalizers).toEqual(['kubernetes.io/pv-protection'])
  const classes = '/apis/storage.k8s.io/v1/volumeattributesclasses'
  const gold = { metadata: { name: 'gold' }, driverName: 'disks.example.com', parameters: { iops: '3000' } }
  const kept = await protecting.call('POST', classes, { body: gold })
  expect(kept.body.metadata.finalizers).toEqual(['kubernetes.io/vac-protection'])
})

test('new nodes are tainted only when controllers run that remove the taint', async () => {
  const NODES = '/api/v1/nodes'
  expect((await post(NODES, { metadata: { name: 'plain' } })).spec.taints).toBeUndefined()
  await using tainting = await TestEnvironment.start({ taintsNodes: true })
  const { body } = await tainting.call('POST', NODES, { body: { metadata: { name: 'tainted' } } })
  expect(body.spec.taints).toEqual([{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }])
  const cleared = await tainting.call('PUT', `${NODES}/tainted`, { body: { metadata: { name: 'tainted' } } })
  expect(cleared.body.spec.taints).toBeUndefined()
})

describe('RuntimeClasses', () => {
  test('a Pod gets the overhead, the nodes and the tolerations of its class', async () => {
    await post('/apis/node.k8s.io/v1/runtimeclasses', {
      metadata: { name: 'box' },
      handler: 'box',
      overhead: { podFixed: { memory: '10Mi' } },
      scheduling: { nodeSelector: { box: 'yes' }, tolerations: [{ key: 'box', operator: 'Exists' }] },
    })
    const made = await post(PODS, pod({ runtimeClassName: 'box', nodeSelector: { a: 'b' } }))
    expect(made.spec).toMatchObject({ overhead: { memory: '10Mi' }, nodeSelector: { a: 'b', box: 'yes' } })
    expect(made.spec.tolerations).toContainEqual({ key: 'box', operator: 'Exists' })
    expect((await post(PODS, pod({ runtimeClassName: 'box', nodeSelector: { box: 'no' } }))).message).toBe(
      'pods "p" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[box] = yes; pod.spec.nodeSelector[box] = no',
    )
  })

  test('a class that does not exist, and an overhead that the client sets, are refused', async () => {
    expect((await post(PODS, pod({ runtimeClassName: 'none' }))).message).toBe(
      'pods "p" is forbidden: pod rejected: RuntimeClass "none" not found',
    )
    expect((await post(PODS, pod({ overhead: { memory: '1Mi' } }))).message).toBe(
      'pods "p" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    )
  })
})

describe('with ServiceAccounts for Pods', () => {
  beforeEach(async () => {
    await env.close()
    env = await TestEnvironment.start({ serviceAccounts: { admission: true } })
  })

  test('a Pod without a ServiceAccount gets the default one, if that exists', async () => {
    expect((await post(PODS, pod())).message).toBe(
      'pods "p" is forbidden: error looking up service account default/default: serviceaccount "default" not found',
    )
    await post('/api/v1/namespaces/default/serviceaccounts', {
      metadata: { name: 'default' },
      imagePullSecrets: [{ name: 'key' }],
    })
    const { spec } = await post(PODS, pod())
    expect(spec).toMatchObject({ serviceAccountName: 'default', imagePullSecrets: [{ name: 'key' }] })
    expect(spec.volumes).toEqual([
      {
        name: expect.stringMatching(/^kube-api-access-\w{5}$/),
        projected: {
          defaultMode: 420,
          sources: [
            { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
            { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
            {
              downwardAPI: {
                items: [
                  { path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } },
                ],
              },
            },
          ],
        },
      },
    ])
    expect(spec.containers[0].volumeMounts).toEqual([
      {
        name: spec.volumes[0].name,
        readOnly: true,
        mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
      },
    ])
  })

  test('a Pod with automountServiceAccountToken: false gets no token', async () => {
    await post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } })
    const { spec } = await post(PODS, pod({ automountServiceAccountToken: false }))
    expect(spec.serviceAccountName).toBe('default')
    expect(spec.volumes).toBeUndefined()
  })
})

test('a user who signs a certificate needs the right to sign for its signer', async () => {
  const csrs = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
  const rbac = '/apis/rbac.authorization.k8s.io/v1'
  const rules = [
    {
      apiGroups: ['certificates.k8s.io'],
      resources: ['certificatesigningrequests/status'],
      verbs: ['patch'],
    },
  ]
  await post(`${rbac}/clusterroles`, { metadata: { name: 'signers' }, rules })
  await post(`${rbac}/clusterrolebindings`, {
    metadata: { name: 'signers' },
    subjects: [{ kind: 'User', name: 'sue' }],
    roleRef: { kind: 'ClusterRole', name: 'signers' },
  })
  const made = await post(csrs, {
    metadata: { name: 'r' },
    spec: { request: CSR, signerName: 'example.com/mine', usages: ['client auth'] },
  })
  expect(made.message).toBeUndefined()
  const sign = () =>
    callJson(env.server.handlerFor({ name: 'sue', groups: [] }), 'PATCH', `${csrs}/r/status`, {
      body: { status: { conditions: [{ type: 'Failed', status: 'True', reason: 'no', message: 'no' }] } },
      headers: { 'content-type': 'application/merge-patch+json' },
    })
  expect((await sign()).body.message).toBe(
    'certificatesigningrequests.certificates.k8s.io "r" is forbidden: user not permitted to sign requests with signerName "example.com/mine"',
  )
  const signers = { apiGroups: ['certificates.k8s.io'], resources: ['signers'], verbs: ['sign'] }
  await env.call('PATCH', `${rbac}/clusterroles/signers`, {
    body: { rules: [...rules, { ...signers, resourceNames: ['example.com/*'] }] },
    headers: { 'content-type': 'application/merge-patch+json' },
  })
  expect((await sign()).code).toBe(200)
})

/** A request for a certificate of `CN=a`, made once by OpenSSL. */
const CSR = btoa(`-----BEGIN CERTIFICATE REQUEST-----
MIHFMG4CAQAwDDEKMAgGA1UEAwwBYTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
BHcy6j/T1KTniLAJaNLrXV03g1pF/sZrLEgstcgbyE3SNlTGNNKv17zrvv2MIW9e
cQPw0Xp+tAur4HgMKKBNCtmgADAKBggqhkjOPQQDAgNHADBEAiBnEs3wIsJvr9Or
JSnh9pApEmS591urtzSHZ7QDAQfZlQIgHBw83d2nqG+ahQZYk5v6QXf7QBX8UdC+
Pys7UWHCOjw=
-----END CERTIFICATE REQUEST-----
`)

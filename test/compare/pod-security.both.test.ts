import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'

const container = (name: string, securityContext: object = {}, more: object = {}) => ({
  name,
  image: 'i',
  securityContext,
  ...more,
})
const strict = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
}

/** Pods that break the rules, or do not, by what is special in them. */
const PODS: Record<string, object> = {
  plain: { containers: [container('a')] },
  strict: { containers: [container('a', strict)] },
  'strict by the pod': {
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'Localhost', localhostProfile: 'p' } },
    containers: [container('a', { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } })],
  },
  'host namespaces': {
    hostNetwork: true,
    hostPID: true,
    hostIPC: true,
    containers: [container('a', strict)],
  },
  capabilities: {
    initContainers: [
      container('i', { ...strict, capabilities: { add: ['NET_ADMIN', 'CHOWN'], drop: ['ALL'] } }),
    ],
    containers: [
      container('a', { ...strict, capabilities: { add: ['SYS_ADMIN'] } }),
      container('b', { ...strict, capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] } }),
    ],
  },
  volumes: {
    volumes: [
      { name: 'v', hostPath: { path: '/x' } },
      { name: 'n', nfs: { server: 's', path: '/' } },
      { name: 'e', emptyDir: {} },
    ],
    containers: [container('a', strict)],
  },
  'host ports': {
    containers: [
      container('a', strict, {
        ports: [
          { containerPort: 1, hostPort: 8080 },
          { containerPort: 2, hostPort: 80 },
        ],
      }),
      container('b', strict, { ports: [{ containerPort: 3, hostPort: 81 }] }),
    ],
  },
  probes: {
    containers: [
      container('a', strict, {
        livenessProbe: { httpGet: { port: 1, host: 'h' } },
        lifecycle: { preStop: { tcpSocket: { port: 1, host: 'g' } } },
      }),
    ],
  },
  privileged: { containers: [container('a', { privileged: true }), container('b', { privileged: true })] },
  root: {
    securityContext: { runAsUser: 0 },
    containers: [container('a', { ...strict, runAsUser: 0, runAsNonRoot: false })],
  },
  selinux: {
    securityContext: { seLinuxOptions: { type: 'bad_t', user: 'u' } },
    containers: [container('a', { ...strict, seLinuxOptions: { role: 'r', type: 'container_engine_t' } })],
  },
  seccomp: {
    securityContext: { seccompProfile: { type: 'Unconfined' } },
    containers: [container('a', { ...strict, seccompProfile: { type: 'Unconfined' } })],
  },
  apparmor: {
    securityContext: { appArmorProfile: { type: 'Unconfined' } },
    containers: [container('a', { ...strict, appArmorProfile: { type: 'Unconfined' } })],
  },
  sysctls: {
    securityContext: {
      sysctls: [
        { name: 'kernel.msgmax', value: '1' },
        { name: 'net.ipv4.tcp_rmem', value: '1' },
      ],
    },
    containers: [container('a', strict)],
  },
  'seccomp by annotations': { containers: [container('a'), container('b')] },
}

/** The annotations of these Pods, where they have some. */
const ANNOTATIONS: Record<string, object> = {
  'seccomp by annotations': {
    'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
    'container.seccomp.security.alpha.kubernetes.io/a': 'docker/default',
    'container.seccomp.security.alpha.kubernetes.io/b': 'b',
  },
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

/** Labels the test's namespace, and waits until Pods are held to it. */
async function label(
  labels: Record<string, string | null>,
): Promise<{ status: number; warning?: string; message?: string }> {
  const { status, headers, body } = await server.call('PATCH', `/api/v1/namespaces/${server.namespace}`, {
    body: { metadata: { labels } },
  })
  return { status, warning: headers['warning'], message: body.message }
}

const MODES = ['enforce', 'enforce-version', 'warn', 'warn-version'].map(
  (mode) => `pod-security.kubernetes.io/${mode}`,
)
const only = (labels: Record<string, string>) => ({
  ...Object.fromEntries(MODES.map((mode) => [mode, null])),
  ...Object.fromEntries(
    Object.entries(labels).map(([mode, level]) => [`pod-security.kubernetes.io/${mode}`, level]),
  ),
})

test.for([
  ['baseline', { enforce: 'baseline' }],
  ['restricted', { enforce: 'restricted' }],
  ['baseline-by-the-oldest-rules', { enforce: 'baseline', 'enforce-version': 'v1.0' }],
  ['restricted-by-the-oldest-rules', { enforce: 'restricted', 'enforce-version': 'v1.0' }],
  ['restricted-by-older-rules', { enforce: 'restricted', 'enforce-version': 'v1.19' }],
  ['restricted-by-old-rules', { enforce: 'restricted', 'enforce-version': 'v1.22' }],
  ['restricted-by-late-rules', { enforce: 'restricted', 'enforce-version': 'v1.34' }],
  ['warn-restricted', { warn: 'restricted', 'warn-version': 'v1.30' }],
] as const)('%s Pods are held to what Kubernetes holds them to', async ([title, labels]) => {
  await label(only(labels))
  const path = `/api/v1/namespaces/${server.namespace}`
  // The real server looks at a copy of the namespace.
  await server.until('the labels’ effect', async () => {
    const body = { metadata: { name: 'probe' }, spec: PODS['privileged'] }
    const { status, headers, body: answer } = await server.call('POST', `${path}/pods?dryRun=All`, { body })
    const [level, version] =
      'warn' in labels
        ? [labels.warn, labels['warn-version']]
        : [labels.enforce, 'enforce-version' in labels ? labels['enforce-version'] : 'latest']
    const told = 'warn' in labels ? status === 201 && headers['warning'] : status === 403 && answer.message
    return told && told.includes(`${level}:${version}`)
  })
  const answers: object[] = []
  for (const [name, spec] of Object.entries(PODS)) {
    const annotations = ANNOTATIONS[name]
    const pod = await server.call('POST', `${path}/pods?dryRun=All`, {
      body: { metadata: { name: 'p', annotations }, spec },
    })
    const template = { metadata: { labels: { a: 'b' }, annotations }, spec }
    const deployment = await server.call(
      'POST',
      `/apis/apps/v1/namespaces/${server.namespace}/deployments?dryRun=All`,
      {
        body: { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } },
      },
    )
    answers.push({
      name,
      pod: { status: pod.status, message: pod.body.message, warning: pod.headers['warning'] },
      deployment: { status: deployment.status, warning: deployment.headers['warning'] },
    })
  }
  const file = new URL(`recorded/pod-security-${title}.json`, import.meta.url)
  await expect(`${JSON.stringify(answers, undefined, 2)}\n`).toMatchFileSnapshot(file.pathname)
})

test('invalid labels are refused, and existing Pods cause warnings', async () => {
  await label(only({}))
  const path = `/api/v1/namespaces/${server.namespace}/pods`
  await server.until('Pods to be made', async () => {
    const { status } = await server.call('POST', path, {
      body: { metadata: { name: 'b' }, spec: PODS['privileged'] },
    })
    return status === 201 || status === 409
  })
  await server.call('POST', path, { body: { metadata: { name: 'a' }, spec: PODS['privileged'] } })
  await server.call('POST', path, { body: { metadata: { name: 'c' }, spec: PODS['host ports'] } })
  // The real server looks at copies of the Pods as well.
  await server.until('the Pods to be known', async () => {
    const restricted = { metadata: { labels: only({ enforce: 'restricted' }) } }
    const namespace = `/api/v1/namespaces/${server.namespace}?dryRun=All`
    const { headers } = await server.call('PATCH', namespace, { body: restricted })
    return headers['warning']?.includes('a (and 1 other pod)') && headers['warning'].includes('c: ')
  })
  const answers = [
    await label(only({ enforce: 'strict', 'warn-version': 'v2' })),
    await label(only({ enforce: 'baseline' })),
    await label(only({ enforce: 'restricted' })),
    await label(only({ enforce: 'baseline' })),
  ]
  const text = JSON.stringify(answers, undefined, 2).replaceAll(server.namespace, '~')
  const file = new URL('recorded/pod-security-labels.json', import.meta.url)
  await expect(`${text}\n`).toMatchFileSnapshot(file.pathname)
})

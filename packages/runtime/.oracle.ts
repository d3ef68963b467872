import { readFileSync } from 'node:fs'
import { SimulatedClock, SystemClock, type AnyKind } from '@homeostat/api'
import { networkTransport } from './src/transport/network-transport.ts'
import { createClient } from './src/client/index.ts'
import { applyMatches } from './src/client/apply-matches.ts'
const clock = new SystemClock()
const rng = new SimulatedClock({ seed: Number(process.argv[2] ?? 1) })
const r = () => rng.random(), pick = <T,>(...a: T[]): T => a[Math.floor(r() * a.length)]!, maybe = (p = 0.5) => r() < p
const t = networkTransport({ server: 'https://127.0.0.1:36943', tls: { ca: readFileSync('/tmp/rl/certs/apiserver.crt','utf8') }, token: 'rltoken', namespace: 'default', source: 'o' }, { clock })
const Deployment: AnyKind = { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', singular: 'deployment', listKind: 'DeploymentList', scope: 'Namespaced', shortNames: [], categories: [], columns: [], subresources: { status: true } }
const me = createClient({ transport: t, clock, fieldManager: 'me' }), other = createClient({ transport: t, clock, fieldManager: 'other' })
const some = (keys: string[], vals: any[]) => Object.fromEntries(keys.filter(() => maybe()).map((k) => [k, pick(...vals)]))
const shuffle = <T,>(a: T[]) => a.map((x) => [r(), x] as const).sort((p, q) => p[0] - q[0]).map((x) => x[1])
function doc() {
  const container = (name: string) => ({ name, image: pick('nginx', 'busybox'), ...(maybe() && { args: maybe(0.2) ? [] : pick([['a'], ['a', 'b'], ['b', 'a']]) }), ...(maybe() && { ports: shuffle([{ containerPort: 80, ...(maybe() && { protocol: 'TCP' }) }, { containerPort: 81, name: 'x' }].filter(() => maybe(0.7))) }), ...(maybe() && { env: shuffle([{ name: 'A', value: pick('1', '2') }, { name: 'B', value: '' }, { name: 'C', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }].filter(() => maybe(0.6))) }), ...(maybe(0.3) && { resources: pick<any>({}, { requests: { cpu: '1000m' } }, { requests: { cpu: '1' } }, { limits: {} }) }), ...(maybe(0.3) && { securityContext: pick<any>({}, { runAsUser: 5 }, null) }) })
  return { metadata: { name: 'oracle', namespace: 'default', ...(maybe() && { labels: some(['a', 'b', 'c'], ['1', '2']) }), ...(maybe(0.3) && { annotations: some(['x', 'y'], ['1', '']) }), ...(maybe(0.3) && { finalizers: shuffle(['e.com/a', 'e.com/b'].filter(() => maybe(0.7))) }) }, spec: { ...(maybe() && { replicas: pick(0, 1, 2) }), ...(maybe(0.2) && { minReadySeconds: pick(0, 5) }), ...(maybe(0.2) && { paused: pick(true, false) }), selector: { matchLabels: { app: 'o' } }, template: { metadata: { labels: { app: 'o', ...some(['q'], ['1', '2']) } }, spec: { containers: shuffle([container('c'), ...(maybe(0.4) ? [container('d')] : [])]), ...(maybe(0.3) && { nodeSelector: some(['n', 'm'], ['1']) }), ...(maybe(0.3) && { volumes: shuffle([{ name: 'v', emptyDir: {} }, { name: 'w', configMap: { name: 'a' } }].filter(() => maybe(0.7))) }), ...(maybe(0.2) && { tolerations: pick<any>([], [{ key: 'a', operator: 'Exists' }]) }) } } } }
}
const otherPatch = () => pick<any>({ metadata: { labels: { [pick('a', 'b', 'z')]: pick('1', '2', null) } } }, { spec: { replicas: pick(1, 2, 3) } }, { metadata: { annotations: { x: pick('1', null) } } }, { spec: { template: { spec: { nodeSelector: { n: pick('1', null) } } } } }, { metadata: { finalizers: pick<any>(['e.com/b', 'e.com/a'], ['e.com/a'], null) } }, { spec: { minReadySeconds: pick(0, 5, 7) } })
const stats = { rounds: 0, matched: 0, wrong: 0, missed: 0, sentChanged: 0, conflicts: 0 }
const key = { name: 'oracle', namespace: 'default' } as never
const memory: any[] = []
for (let i = 0; i < 400; i++) {
  stats.rounds++
  let desired: any = maybe(0.5) && memory.length ? structuredClone(pick(...memory)) : doc(); memory.push(desired); if (memory.length > 3) memory.shift()
  desired = { apiVersion: 'apps/v1', kind: 'Deployment', ...desired }
  try {
    if (maybe(0.3)) { const l: any = await me.get(Deployment, key); if (l) { if (maybe()) await other.patch(Deployment, key, { type: 'merge', body: otherPatch() }); else await other.apply(Deployment, { metadata: { name: 'oracle', namespace: 'default', ...otherPatch().metadata } } as never, { force: true }) } }
    const live: any = await me.get(Deployment, key)
    const says = live && applyMatches(live, desired, { manager: 'me', apiVersion: 'apps/v1' })
    const send = await t.send({ method: 'PATCH', path: '/apis/apps/v1/namespaces/default/deployments/oracle', query: new URLSearchParams({ fieldManager: 'me', force: 'true' }), headers: { 'content-type': 'application/apply-patch+yaml' }, body: new TextEncoder().encode(JSON.stringify(desired)) })
    let text = ''; for await (const c of send.body as any) text += Buffer.from(c).toString()
    const answer = JSON.parse(text)
    if (send.status >= 300) { stats.conflicts++; if (stats.conflicts < 4) console.log(answer.message.slice(0, 200)); continue }
    const noop = live && answer.metadata.resourceVersion === live.metadata.resourceVersion
    if (says) stats.matched++
    if (says && !noop) { stats.wrong++; console.log('WRONG', JSON.stringify(desired), JSON.stringify(live.metadata.managedFields), '\n   ', JSON.stringify(answer.metadata.managedFields)) }
    if (!says && noop) { stats.missed++; if (stats.missed < 4) console.log('missed', JSON.stringify(desired.spec.template.spec)) }
    if (!says && !noop) stats.sentChanged++
  } catch (e: any) { stats.conflicts++; if (stats.conflicts < 4) console.log(e.message) }
}
console.log(stats)
await me.patch(Deployment, key, { type: 'merge', body: { metadata: { finalizers: null } } }).catch(() => {}); await me.delete(Deployment, key)
await t.close()

import { defineKind, schema as s } from '@homeostat/api'
import {
  controller,
  controllerReference,
  createOrPatch,
  createOrUpdate,
  FinalizerRegistry,
  isForbidden,
  Manager,
  silentLogger,
  type Controller,
  type PolicyRule,
  type ReconcileReport,
} from 'homeostat'
import { ConfigMap, Deployment, Lease, Secret, ServiceAccount } from 'homeostat/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isUnmappedOwner, makeAccount } from './operators/account.ts'
import { startTestServer, type TestServer } from './test-server.ts'

const Note = defineKind({
  group: 'rights.homeostat.dev',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string().default('') }),
  status: s.object({ text: s.string().optional() }),
})

const finalizers = new FinalizerRegistry(Note).register('homeostat.dev/note', () => {})

/** Does once what each helper and each way to write does. */
const everything = controller('everything')
  .for(Note)
  .owns(ConfigMap)
  .uses(finalizers)
  .writes(ConfigMap, 'createOrUpdate')
  .writes(Secret, 'createOrPatch', 'deleteAllOf')
  .writes(ServiceAccount, 'apply', 'delete')
  .writes(Deployment, 'scale.apply')
  .writes(Note, 'status.apply')
  .reconcile(async (request, context) => {
    const { client, events } = context
    const found = await client.get(Note, request)
    if (!found) return
    const { deleting, object } = await finalizers.finalize(client, found, context)
    if (deleting) {
      await client.delete(ServiceAccount, request)
      await client.deleteAllOf(Secret, { namespace: request.namespace, labels: { note: request.name } })
      return
    }
    const ownerReferences = [controllerReference(object)]
    await createOrUpdate(client, ConfigMap, request, (draft) => {
      draft.data = { text: found.spec.text }
      draft.metadata.ownerReferences = ownerReferences
    })
    await createOrPatch(client, Secret, request, (draft) => {
      draft.stringData = { text: found.spec.text }
      draft.metadata.labels = { note: request.name }
      draft.metadata.ownerReferences = ownerReferences
    })
    await client.apply(ServiceAccount, { metadata: { ...request, ownerReferences } })
    await client.scale.apply(Deployment, request, { replicas: 0 })
    await client.status.apply(Note, request, { text: found.spec.text })
    events.normal(object, 'Seen', 'it was seen')
  })

let server: TestServer
beforeEach(async () => {
  server = await startTestServer({ kinds: [Note] })
  const labels = { app: 'a' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } }
  const spec = { replicas: 1, selector: { matchLabels: labels }, template }
  await server.client.create(Deployment, { metadata: { namespace: server.namespace, name: 'a' }, spec })
})
afterEach(() => server.close())

/** Runs the manager as an account with these rules, while the body runs; gives what was refused. */
async function runAs(
  rules: (manager: Manager) => readonly PolicyRule[],
  value: Controller,
  body: (reports: readonly ReconcileReport[]) => Promise<void>,
): Promise<string[]> {
  const { namespace } = server
  const refused: string[] = []
  const reports: ReconcileReport[] = []
  const leaderElection = { name: 'everything', namespace, releaseOnStop: true }
  const declared = new Manager({ leaderElection }).add(value)
  await using account = await makeAccount(server, rules(declared))
  const transport: typeof account.transport = {
    ...account.transport,
    async send(request) {
      const response = await account.transport.send(request)
      if (response.status !== 403) return response
      const body = await bytesOf(response.body)
      if (!isUnmappedOwner(new TextDecoder().decode(body))) refused.push(`${request.method} ${request.path}`)
      return { ...response, body }
    },
  }
  const stop = new AbortController()
  const { clock } = server
  const onReconcile = (report: ReconcileReport): void => void reports.push(report)
  const cache = { namespaces: [namespace] }
  const manager = new Manager({
    transport,
    clock,
    logger: silentLogger,
    leaderElection,
    onReconcile,
    cache,
  }).add(value)
  const running = manager.start({ signal: stop.signal })
  try {
    await body(reports)
  } finally {
    stop.abort()
    await running
  }
  return refused
}

async function bytesOf(body: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A Note from its creation to its end. */
async function live(): Promise<void> {
  const { client, namespace } = server
  const key = { namespace, name: 'a' }
  const text = async () => (await client.get(Note, key))?.status?.text
  await client.create(Note, { metadata: key, spec: { text: 'one' } })
  await server.until('the status to be written', async () => (await text()) === 'one')
  await client.patch(Note, key, { type: 'merge', body: { spec: { text: 'two' } } })
  await server.until('the status to be written again', async () => (await text()) === 'two')
  expect((await client.getOrThrow(ConfigMap, key)).data).toEqual({ text: 'two' })
  await client.delete(Note, key)
  await server.until('the Note to go', async () => (await client.get(Note, key)) === undefined)
  await client.deleteAllOf(ConfigMap, { namespace })
}

describe('an operator as the account of its declared rules', () => {
  it('is refused nothing, whatever helper it uses', async () => {
    expect(await runAs((manager) => manager.rules(), everything, live)).toEqual([])
    expect(await server.client.get(Lease, { namespace: server.namespace, name: 'everything' })).toBeDefined()
  })

  /** Runs a controller with the rights that it declares, and waits until one of its writes for a new Note is refused. */
  async function refusalOf(
    refused: Controller,
    metadata: { readonly namespace: string; readonly name: string },
  ): Promise<string> {
    let message = ''
    await runAs(
      (manager) => manager.rules(),
      refused,
      async (reports) => {
        await server.client.create(Note, { metadata, spec: {} })
        message = await server.until('a refusal', async () => {
          const error = reports
            .map((report) => report.error)
            .find((each) => isForbidden(each) && !isUnmappedOwner(each.message))
          return error instanceof Error && error.message
        })
      },
    )
    return message
  }

  it('may not set owner references that block, without the right of owns', async () => {
    const blocking = controller('blocking')
      .for(Note)
      .writes(ConfigMap, 'create')
      .reconcile(async (request, { client }) => {
        const owner = await client.get(Note, request)
        if (!owner) return
        const ownerReferences = [controllerReference(owner)]
        await client.create(ConfigMap, { metadata: { ...request, ownerReferences } })
      })
    const metadata = { namespace: server.namespace, name: 'b' }
    expect(await refusalOf(blocking, metadata)).toContain(
      "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>",
    )
    await server.client.delete(Note, metadata)
  })

  it('may not change the owners of an object that it may not delete', async () => {
    const adopting = controller('adopting')
      .for(Note)
      .owns(ConfigMap)
      .writes(ConfigMap, 'patch')
      .reconcile(async (request, { client }) => {
        const owner = await client.get(Note, request)
        if (!owner) return
        const body = { metadata: { ownerReferences: [controllerReference(owner)] } }
        await client.patch(ConfigMap, request, { type: 'merge', body })
      })
    const metadata = { namespace: server.namespace, name: 'c' }
    await server.client.create(ConfigMap, { metadata })
    expect(await refusalOf(adopting, metadata)).toContain(
      "cannot set an ownerRef on a resource you can't delete: , <nil>",
    )
    await server.client.delete(Note, metadata)
  })
})

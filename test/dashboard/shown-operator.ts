import { ApiServer } from '@homeostat/apiserver'
import { Dashboard, type OperatorAction } from '@homeostat/dashboard'
import {
  Activity,
  controller,
  controllerReference,
  createClient,
  customResourceDefinition,
  defineKind,
  directTransport,
  Manager,
  schema as s,
  silentLogger,
  SystemClock,
  type Client,
} from 'homeostat'
import { ConfigMap, CustomResourceDefinition, Secret } from 'homeostat/kinds'

export const Note = defineKind({
  group: 'page.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string() }),
})

/** What a Secret of each Note holds; no page may show it. */
export const PASSWORD = 'correct-horse-battery-staple'

/** Copies each Note into a ConfigMap and makes a Secret for it. The text `fail` makes the reconcile fail. */
export const notes = controller('notes')
  .for(Note)
  .owns(ConfigMap)
  .owns(Secret)
  .reconcile(async (key, { client, log }) => {
    const note = await client.get(Note, key)
    if (!note || note.metadata.deletionTimestamp) return undefined
    if (note.spec.text === 'fail') throw new Error('the note cannot be copied')
    log.info({ textOfNote: note.spec.text }, 'copies the note')
    const metadata = { ...key, ownerReferences: [controllerReference(note)] }
    await client.apply(ConfigMap, { metadata, data: { text: note.spec.text } })
    await client.apply(Secret, { metadata, data: { password: btoa(PASSWORD) } })
    return { requeueAfter: '20s' }
  })

/** An operator on a server in this process, and its page. */
export interface ShownOperator extends AsyncDisposable {
  readonly client: Client
  readonly dashboard: Dashboard
  readonly actions: readonly OperatorAction[]
  /** Ends the page, and serves it again under the same port. */
  restartPage(): Promise<void>
}

export async function showOperator(): Promise<ShownOperator> {
  await using cleanUp = new AsyncDisposableStack()
  const clock = new SystemClock()
  const server = cleanUp.use(await ApiServer.start({ clock }))
  const transport = directTransport(server.handler, { clock })
  const client = createClient({ transport, clock, fieldManager: 'test' })
  await client.create(CustomResourceDefinition, customResourceDefinition(Note))
  const activity = new Activity()
  const stop = new AbortController()
  const running = new Manager({ transport, clock, logger: silentLogger, activity })
    .add(notes)
    .start({ signal: stop.signal })
  cleanUp.defer(async () => {
    stop.abort()
    await running
  })
  const actions: OperatorAction[] = []
  const start = async (port?: number): Promise<Dashboard> => {
    const onOperatorAction = (action: OperatorAction): void => void actions.push(action)
    const dashboard = await Dashboard.start({ transport, clock, port, onOperatorAction })
    dashboard.operatorStarted({
      name: 'notes-operator',
      kinds: [{ apiVersion: 'page.example.com/v1', kind: 'Note' }],
      owned: [
        { apiVersion: 'v1', kind: 'ConfigMap' },
        { apiVersion: 'v1', kind: 'Secret' },
        { apiVersion: 'apps/v1', kind: 'Deployment' },
        { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role' },
      ],
      controllers: ['notes'],
      actions: ['crash', 'pause', 'resume', 'step', 'api-normal', 'api-slow', 'api-failing'],
    })
    dashboard.follow(activity)
    return dashboard
  }
  let dashboard = await start()
  cleanUp.defer(() => dashboard[Symbol.asyncDispose]())
  const owned = cleanUp.move()
  return {
    client,
    actions,
    get dashboard() {
      return dashboard
    },
    async restartPage() {
      const port = Number(new URL(dashboard.address).port)
      await dashboard[Symbol.asyncDispose]()
      dashboard = await start(port)
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

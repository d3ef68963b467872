import {
  controllerReference,
  defineKind,
  operator,
  sample,
  schema as s,
  type Controller,
  type ObjectOf,
  type Operator,
} from 'homeostat'
import { Secret } from 'homeostat/kinds'

const group = 'corpus.example.com'

/** A program that serves requests. */
export const App = defineKind({
  group,
  version: 'v1',
  kind: 'App',
  spec: s.object({
    image: s.string().minLength(1),
    replicas: s.integer().min(1).max(3).default(1),
    port: s.integer().min(1).max(65_535).optional(),
    env: s.map(s.string()).optional(),
  }),
  status: s.object({
    observedGeneration: s.integer().optional(),
    phase: s.string().optional(),
    ready: s.integer().optional(),
    note: s.string().optional(),
    conditions: s.conditions().optional(),
  }),
})
export type App = ObjectOf<typeof App>

/** A server with data on volumes, and a password that a Secret holds. */
export const Database = defineKind({
  group,
  version: 'v1',
  kind: 'Database',
  spec: s.object({
    version: s.string().minLength(1),
    nodes: s.integer().min(1).max(3),
    storageGi: s.integer().min(1).max(100),
    users: s
      .list(s.string().pattern(/^[a-z]+$/))
      .set()
      .optional(),
    passwordSecret: s.string().minLength(1),
  }),
  status: s.object({
    observedGeneration: s.integer().optional(),
    phase: s.string().optional(),
    backup: s.string().optional(),
    volumes: s.list(s.string()).optional(),
  }),
})
export type Database = ObjectOf<typeof Database>

/** A command that runs once, or again and again. */
export const Task = defineKind({
  group,
  version: 'v1',
  kind: 'Task',
  spec: s.object({
    command: s.string().minLength(1),
    everyMinutes: s.integer().min(1).max(60).optional(),
    attempts: s.integer().min(1).max(3).optional(),
  }),
  status: s.object({
    observedGeneration: s.integer().optional(),
    phase: s.string().optional(),
    job: s.string().optional(),
    lastRun: s.string().optional(),
    runs: s.integer().optional(),
  }),
})
export type Task = ObjectOf<typeof Task>

const metadata = (name: string) => ({ namespace: 'default', name })

/** An operator of Apps, with a sample. */
export function appOperator(...controllers: Controller[]): Operator {
  const spec = { image: 'registry.example/web:1', replicas: 2, port: 8080, env: { LEVEL: 'info' } }
  return operator('apps', { controllers, samples: [sample(App, { metadata: metadata('shop'), spec })] })
}

/** An operator of Databases, with a sample and the Secret that it names. */
export function databaseOperator(...controllers: Controller[]): Operator {
  const spec = {
    version: '15',
    nodes: 2,
    storageGi: 10,
    users: ['ann', 'bob'],
    passwordSecret: 'root-password',
  }
  return operator('databases', {
    controllers,
    samples: [
      sample(Secret, { metadata: metadata('root-password'), data: { password: 'c2VjcmV0' } }),
      sample(Database, { metadata: metadata('orders'), spec }),
    ],
  })
}

/** An operator of Tasks, with a sample. */
export function taskOperator(...controllers: Controller[]): Operator {
  const spec = { command: 'clean-up', everyMinutes: 10, attempts: 2 }
  return operator('tasks', { controllers, samples: [sample(Task, { metadata: metadata('nightly'), spec })] })
}

/** The metadata of a child that the garbage collector deletes with its owner. */
export function childOf(owner: App | Database | Task, suffix = '') {
  const { namespace, name } = owner.metadata
  return {
    namespace,
    name: `${name}${suffix}`,
    labels: { 'corpus.example.com/owner': name },
    ownerReferences: [controllerReference(owner)],
  }
}

/** The template of Pods that run an image. */
export function podTemplate(name: string, image: string) {
  return {
    metadata: { labels: { app: name } },
    spec: { containers: [{ name: 'main', image }] },
  }
}

/** The Deployment that an App asks for. */
export function deploymentOf(app: App) {
  const { name } = app.metadata
  const { image, replicas } = app.spec
  return {
    metadata: childOf(app),
    spec: { replicas, selector: { matchLabels: { app: name } }, template: podTemplate(name, image) },
  }
}

/** The Service that leads to the Pods of an App. */
export function serviceOf(app: App, port: number) {
  return { metadata: childOf(app), spec: { selector: { app: app.metadata.name }, ports: [{ port }] } }
}

/** The Job that runs the command of a Task once. */
export function jobOf(task: Task, suffix = '') {
  const { name } = task.metadata
  const containers = [{ name: 'main', image: 'busybox', command: [task.spec.command] }]
  return {
    metadata: childOf(task, suffix),
    spec: {
      template: {
        metadata: { labels: { task: name } },
        spec: { restartPolicy: 'Never' as const, containers },
      },
    },
  }
}

import {
  apiVersionOf,
  checkOptionNames,
  optionNames,
  type AnyKind,
  type Clock,
  type Timer,
} from '@homeostat/api'
import {
  createClient,
  type Client,
  type Controller,
  type OperatorPage,
  type PageCertificate,
  type PolicyRule,
  type ReviewedUser,
  type ShownManager,
} from 'homeostat'
import { namesOf, ObjectFeed, readRules, relatedKinds } from './objects/index.ts'
import {
  ReadableRecording,
  Recorder,
  withReasons,
  type KindName,
  type ReadQuestion,
} from './recording/index.ts'
import { PageHandler, ReviewedAccess, type RecordingSource } from './server/index.ts'

export interface OperatorPageOptions {
  /** 0 takes any free port. Default: 8083. */
  port?: number | undefined
  /** Default: `127.0.0.1`, which `kubectl port-forward` reaches. */
  host?: string | undefined
  /** Serves it over HTTPS. Default: over HTTP. */
  tls?: PageCertificate | undefined
  /** The names under which browsers reach it, such as that of an Ingress. Those of loopback are always known. Default: none. */
  hosts?: readonly string[] | undefined
  /** Whether viewers may change and delete objects, with their own rights. Default: false. */
  writes?: boolean | undefined
}

const OPTIONS = optionNames<OperatorPageOptions>('operatorPage', {
  port: true,
  host: true,
  tls: true,
  hosts: true,
  writes: true,
})

const PORT = 8083
/** How many entries and characters are kept in a process that has other work to do. */
const LIMITS = { limit: 5000, maxCharacters: 8_000_000 }
/** How long objects are still watched after the last viewer has gone, in milliseconds. */
const WATCHED_AFTER = 600_000
/** The age of an answer about a right to list with which a stream goes on, in milliseconds. */
const LIST_MAX_AGE = 30_000

/**
 * The page of an operator in production, as the option `page` of its manager. It is for users whom the API server
 * authenticates by their token and allows to `get` `/page`. It shows each user the objects that this user may list, and
 * is read-only unless `writes` is set. It shows objects as the manager's cache keeps them, and watches further kinds, such as Pods,
 * while it has viewers and ten minutes longer.
 */
export function operatorPage(options: OperatorPageOptions = {}): OperatorPage {
  checkOptionNames(options, OPTIONS)
  const { port = PORT, host, tls } = options
  return {
    options: { port, host, tls },
    rules: (controllers): PolicyRule[] => readRules(namesOf(controllers)),
    async open(shown) {
      const { clock, logger, reviews, connectAs } = shown
      const recording = new LazyRecording(shown)
      const access = new ReviewedAccess({
        clock,
        logger,
        reviews,
        connectAs,
        canWrite: options.writes ?? false,
        isSecure: tls !== undefined,
        hosts: options.hosts ?? [],
        readableBy: (user) => recording.readableBy(user),
      })
      const handler = new PageHandler({ clock, source: recording, access })
      const open = await shown.listen(handler.answer)
      return {
        async [Symbol.asyncDispose]() {
          handler[Symbol.dispose]()
          await open[Symbol.asyncDispose]()
          await recording[Symbol.asyncDispose]()
        },
      }
    },
  }
}

/** A recording that exists while it has viewers: a process without them keeps the manager's activity alone. */
class LazyRecording implements RecordingSource, AsyncDisposable {
  readonly #shown: ShownManager
  readonly #clock: Clock
  readonly #client: Client
  #viewers = 0
  #open: { readonly recorder: Recorder; readonly end: AsyncDisposableStack } | undefined
  #timer: Timer | undefined

  constructor(shown: ShownManager) {
    this.#shown = shown
    this.#clock = shown.clock
    const { transport, clock } = shown
    this.#client = createClient({ transport, clock, fieldManager: 'homeostat-page' })
  }

  opened(): Recorder {
    this.#viewers++
    this.#timer?.cancel()
    this.#open ??= this.#start()
    return this.#open.recorder
  }

  closed(): void {
    if (--this.#viewers > 0) return
    this.#timer?.cancel()
    this.#timer = this.#clock.schedule(WATCHED_AFTER, () => void this.#stop())
  }

  readableBy(user: ReviewedUser): ReadableRecording {
    const { controllers } = this.#shown
    const kinds = relatedKinds(namesOf(controllers))
    return new ReadableRecording({
      kinds,
      kindOf: (name) => kindName(controllers.find((each) => each.name === name)),
      mayList: (question) => this.#mayList(user, question),
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.cancel()
    await this.#stop()
  }

  #start() {
    const { activity, clock, controllers, name = 'operator', namespaces, transport } = this.#shown
    const events = activity.events()
    const recorder = new Recorder({ clock, from: events[0]?.at, ...LIMITS })
    const sharedInformer = (kind: AnyKind) => this.#shown.informer(kind)
    const client = this.#client
    const feed = new ObjectFeed({ transport, client, clock, recorder, namespaces, sharedInformer })
    const names = new Set(controllers.map((each) => each.name))
    const isShown = ({ controller }: { readonly controller: string }): boolean => names.has(controller)
    const own = controllers.flatMap((each) => kindName(each) ?? [])
    recorder.add({ type: 'operator', name, kinds: own, actions: [], isRunning: true }, events[0]?.at)
    for (const event of events) if (isShown(event)) recorder.add(withReasons(event), event.at)
    const listening = activity.listen((event) => {
      if (isShown(event)) recorder.add(withReasons(event), event.at)
    })
    feed.watch(namesOf(controllers))
    const end = new AsyncDisposableStack()
    end.use(feed)
    end.use(listening)
    return { recorder, end }
  }

  async #stop(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    await open?.end.disposeAsync()
  }

  async #mayList(user: ReviewedUser, { kind, namespace }: ReadQuestion): Promise<boolean> {
    const { reviews } = this.#shown
    const verb = 'list'
    const age = { maxAge: LIST_MAX_AGE }
    if (!kind) return reviews.allows(user, { verb, group: '*', resource: '*' }, age)
    const found = await this.#client.kinds.find(kind.apiVersion, kind.kind)
    // The access to a kind that no longer exists cannot be reviewed.
    if (!found) return false
    const access = { verb, group: found.group, resource: found.plural }
    return (
      (await reviews.allows(user, access, age)) ||
      (namespace !== undefined && (await reviews.allows(user, { ...access, namespace }, age)))
    )
  }
}

function kindName(controller: Controller | undefined): KindName | undefined {
  const kind = controller?.kind
  return kind && { apiVersion: apiVersionOf(kind), kind: kind.kind }
}

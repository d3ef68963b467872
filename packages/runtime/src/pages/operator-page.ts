import type { AnyKind, Clock } from '@homeostat/api'
import type { Activity } from '../activity/index.ts'
import type { Informer } from '../cache/index.ts'
import type { Controller, PolicyRule } from '../controller/index.ts'
import type { Logger } from '../telemetry/index.ts'
import type { Transport } from '../transport/index.ts'
import type { AccessReviews } from './access-reviews.ts'
import type { OpenPages, RequestListener } from './http-pages.ts'
import type { PageOptions } from './page.ts'

/** A page that shows what a manager does. `operatorPage()` of `@homeostat/dashboard` makes one. */
export interface OperatorPage {
  /** Where it is served. */
  readonly options: PageOptions & { readonly port: number }
  /** The rules that the manager needs for it, besides those of the controllers. */
  rules(controllers: readonly Controller[]): readonly PolicyRule[]
  /** Serves it until the result is disposed of. */
  open(shown: ShownManager): Promise<AsyncDisposable>
}

/** The context of a page about a manager. */
export interface ShownManager {
  /** The name of the Lease, which is the operator's. Default: the manager elects no leader. */
  readonly name: string | undefined
  readonly controllers: readonly Controller[]
  readonly activity: Activity
  readonly clock: Clock
  readonly logger: Logger
  /** Carries requests in the name of the manager. */
  readonly transport: Transport
  /** The namespaces that the manager's cache keeps. Default: all. */
  readonly namespaces: readonly string[] | undefined
  /** The manager's own informer of a kind, if it keeps whole objects of the kind: they are not watched twice. */
  informer(kind: AnyKind): Informer | undefined
  /** Asks the API server for the user of a token and the user's rights. */
  readonly reviews: AccessReviews
  /**
   * A transport that sends this token to the API server, and no other credential. The caller closes it. Resolves with
   * `undefined` if the manager was given a transport.
   */
  readonly connectAs: (token: string) => Promise<Transport | undefined>
  /** Opens the port of the page. */
  listen(listener: RequestListener): Promise<OpenPages>
}

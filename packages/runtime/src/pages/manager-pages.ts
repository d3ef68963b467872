import { HomeostatError, type Clock } from '@homeostat/api'
import type { Client } from '../client/index.ts'
import type { Logger, MetricsRegistry } from '../telemetry/index.ts'
import type { CleanUp } from '../process/index.ts'
import type { HealthChecks } from './health-checks.ts'
import type { OperatorPage, ShownManager } from './operator-page.ts'
import type { Page, PageOptions } from './page.ts'

/** Which pages a manager serves, and what they show. */
export interface ManagerPagesOptions {
  readonly metrics: PageOptions | undefined
  readonly health: PageOptions | undefined
  readonly profiling: PageOptions | undefined
  readonly healthz: HealthChecks
  readonly readyz: HealthChecks
  readonly registry: MetricsRegistry
  readonly clock: Clock
  readonly logger: Logger
  /** Asks the API server whether the reader of a page is allowed to. */
  readonly client: () => Client
  readonly cleanUp: CleanUp
}

/** Where pages are open. */
export interface PageOrigins {
  readonly metrics?: string | undefined
  readonly health?: string | undefined
  readonly profiling?: string | undefined
}

type Subject = keyof PageOrigins

/** The default ports: those of controller-runtime and Kubebuilder. */
const PORTS: Readonly<Record<Subject, number>> = { metrics: 8080, health: 8081, profiling: 8082 }

/** Opens the pages; those on the same host and port share a server. They close with the clean-up. */
export async function openManagerPages(options: ManagerPagesOptions): Promise<PageOrigins> {
  const { cleanUp, clock, logger, registry: metrics } = options
  const origins: { -readonly [S in Subject]?: string } = {}
  for (const { subjects, where } of servers(options)) {
    const pages = new Map<string, Page>()
    for (const subject of subjects)
      for (const [path, page] of await pagesOf(subject, options)) pages.set(path, page)
    const { openPages } = await import('./http-pages.ts')
    const { origin } = cleanUp.use(await openPages(pages, where, { clock, logger, metrics }))
    logger.info({ url: origin, pages: [...pages.keys()] }, 'pages are served')
    for (const subject of subjects) origins[subject] = origin
  }
  return origins
}

/** Groups the pages by port. Options such as TLS apply to the whole port. */
function servers(options: ManagerPagesOptions) {
  const found: { subjects: Subject[]; where: PageOptions & { port: number } }[] = []
  for (const subject of ['metrics', 'health', 'profiling'] as const) {
    const asked = options[subject]
    if (!asked) continue
    const where = { ...asked, port: asked.port ?? PORTS[subject] }
    const shared = found.find((other) => other.where.port === where.port && where.port !== 0)
    if (shared) {
      mustAgree(shared.where, where, [...shared.subjects, subject])
      shared.subjects.push(subject)
    } else found.push({ subjects: [subject], where })
  }
  return found
}

/** Throws where two pages on one port have different options, so that none is ignored silently. */
function mustAgree(first: PageOptions, other: PageOptions, subjects: readonly Subject[]): void {
  const same = (a: unknown, b: unknown): boolean => b === undefined || JSON.stringify(a) === JSON.stringify(b)
  if (same(first.host, other.host) && same(first.tls, other.tls)) return
  throw new HomeostatError(
    'PAGE_PORT',
    `the options ${subjects.join(' and ')} name the same port, ${first.port}, but not the same host and tls: make them equal, or give one of them another port`,
  )
}

async function pagesOf(subject: Subject, options: ManagerPagesOptions): Promise<[string, Page][]> {
  const { cleanUp, clock, healthz, logger, readyz, registry } = options
  if (subject === 'health') {
    return [
      ['/healthz', (request) => healthz.answer(request, logger)],
      ['/readyz', (request) => readyz.answer(request, logger)],
    ]
  }
  const guard = await guardOf(options[subject], options)
  if (subject === 'profiling') {
    const { profilePage } = await import('./process-profiles.ts')
    return [['/debug', guard(profilePage(clock))]]
  }
  const { processMetrics } = await import('./process-metrics.ts')
  cleanUp.use(processMetrics(registry, clock))
  const type = 'text/plain; version=0.0.4; charset=utf-8'
  return [['/metrics', guard(() => ({ status: 200, type, body: registry.page() }))]]
}

async function guardOf(
  page: PageOptions | undefined,
  { client, clock, logger }: ManagerPagesOptions,
): Promise<(page: Page) => Page> {
  if (!page?.authorize) return (page) => page
  const { PageAccess } = await import('./page-access.ts')
  const access = new PageAccess({ client: client(), clock, logger })
  return (page) => access.guard(page)
}

/** Opens the page that shows what the manager does. It closes with the clean-up. */
export async function openOperatorPage(
  page: OperatorPage,
  shown: Omit<ShownManager, 'listen' | 'reviews'> & {
    readonly metrics: MetricsRegistry
    readonly cleanUp: CleanUp
    readonly client: () => Client
  },
): Promise<string | undefined> {
  const { metrics, cleanUp, client, ...rest } = shown
  const { clock, logger } = rest
  const [{ AccessReviews }, { openPort }] = await Promise.all([
    import('./access-reviews.ts'),
    import('./http-pages.ts'),
  ])
  let origin: string | undefined
  const opened = await page.open({
    ...rest,
    reviews: new AccessReviews({ client: client(), clock }),
    listen: async (listener) => {
      const port = await openPort(listener, page.options, {
        clock,
        logger,
        metrics,
        what: 'the page of the operator',
      })
      ;({ origin } = port)
      logger.info({ url: origin }, 'the page that shows the operator is served')
      return port
    },
  })
  cleanUp.use(opened)
  return origin
}

/** Keeps the files of the playground, so that it works without a network after the first visit. */
interface ServiceWorkerScope {
  readonly registration: { readonly scope: string }
  skipWaiting(): Promise<void>
  readonly clients: { claim(): Promise<void> }
  addEventListener(
    type: 'install' | 'activate',
    listener: (event: { waitUntil(work: Promise<unknown>): void }) => void,
  ): void
  addEventListener(
    type: 'fetch',
    listener: (event: { readonly request: Request; respondWith(answer: Promise<Response>): void }) => void,
  ): void
}

/** The build puts the list of files and a name that changes with them here. */
declare const FILES: readonly string[]
declare const VERSION: string

const scope = globalThis as unknown as ServiceWorkerScope
const NAME = `homeostat-playground-${VERSION}`

scope.addEventListener('install', (event) => {
  const keep = async (): Promise<void> => {
    const cache = await caches.open(NAME)
    await cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' })))
    await scope.skipWaiting()
  }
  event.waitUntil(keep())
})

scope.addEventListener('activate', (event) => {
  const forget = async (): Promise<void> => {
    for (const name of await caches.keys()) {
      if (name.startsWith('homeostat-playground-') && name !== NAME) await caches.delete(name)
    }
    await scope.clients.claim()
  }
  event.waitUntil(forget())
})

scope.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || !request.url.startsWith(scope.registration.scope)) return
  const answer = async (): Promise<Response> => {
    const kept = await (await caches.open(NAME)).match(request, { ignoreSearch: true })
    return kept ?? fetch(request)
  }
  event.respondWith(answer())
})

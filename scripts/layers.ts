/**
 * The one table of who may import whom. A package may import the packages named; inside it a folder may
 * import the folders that stand before it in its list. Files that are adapters may import `node:`
 * modules; everything else is plain ECMAScript, so that it also runs in a browser.
 */
export interface PackageLayers {
  /** The name under which others import it. */
  readonly name: string
  /** Packages of ours that it may import. */
  readonly imports: readonly string[]
  /** Folders of `src/` from the lowest up. `.` stands for the files directly in `src/`; by default they come last. */
  readonly folders: readonly string[]
  /** Files, or folders with a slash at the end, below `src/` that may import `node:` modules. */
  readonly adapters: readonly string[]
}

export const packages: Readonly<Record<string, PackageLayers>> = {
  api: {
    name: '@homeostat/api',
    imports: [],
    folders: [
      'errors',
      'json',
      'names',
      'clock',
      'exchange',
      'selectors',
      'patches',
      'status',
      'schema',
      'kinds',
      'schemas',
    ],
    adapters: [],
  },
  runtime: {
    name: 'homeostat',
    imports: ['@homeostat/api'],
    folders: [
      'telemetry',
      'transport',
      'client',
      'watch',
      'cache',
      'source',
      'predicate',
      'handler',
      'queue',
      'reconcile',
      'controller',
      'ownership',
      'manager',
    ],
    adapters: [
      'transport/configured-credentials.ts',
      'transport/connection-pool.ts',
      'transport/endless-request.ts',
      'transport/environment-proxy.ts',
      'transport/expired-certificate.ts',
      'transport/joined-chunks.ts',
      'transport/load-config.ts',
      'transport/node-modules.ts',
      'transport/open-tunnel.ts',
      'transport/outgoing.ts',
      'transport/pooled-request.ts',
      'transport/run-exec-program.ts',
      'manager/certificate-files.ts',
      'manager/http-pages.ts',
      'manager/process-identity.ts',
      'manager/process-metrics.ts',
      'manager/process-profiles.ts',
      'manager/process-logger.ts',
      'manager/process-signals.ts',
      'manager/young-generation.ts',
    ],
  },
  cel: {
    name: '@homeostat/cel',
    imports: [],
    folders: ['types', 'values', 'syntax', 'libraries', 'check', 'cost', 'evaluate'],
    adapters: [],
  },
  apiserver: {
    name: '@homeostat/apiserver',
    imports: ['@homeostat/api', '@homeostat/cel'],
    folders: [
      'work',
      'storage',
      'schema',
      'native',
      'fields',
      'wire',
      'registry',
      'auth',
      'admission',
      'discovery',
      'http',
      'background',
      '.',
      'testing',
      'process',
    ],
    adapters: [
      'background/thread.ts',
      'background/worker.ts',
      'data-folder.ts',
      'http/client-certificate.ts',
      'http/connections.ts',
      'http/port.ts',
      'http/port-problems.ts',
      'http/streams/',
      'process/',
      'storage/acknowledged-revision.ts',
      'storage/disk-reserve.ts',
      'storage/open-store.ts',
      'storage/salvage.ts',
      'storage/sqlite-form.ts',
      'storage/sqlite-journal.ts',
    ],
  },
  cluster: {
    name: '@homeostat/cluster',
    imports: ['@homeostat/api', '@homeostat/apiserver', 'homeostat'],
    folders: [
      'files',
      'network',
      'shell',
      'images',
      'kubelet',
      'streams',
      'controllers',
      '.',
      'testing',
      'process',
    ],
    adapters: [
      'cluster-folder.ts',
      'files/',
      'images/',
      'network/',
      'kubelet/',
      'process/',
      'shell/applets/digest.ts',
    ],
  },
}

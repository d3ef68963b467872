/** The part of a test's state in vitest's runner that is used here. */
interface VitestWorker {
  readonly current?: {
    readonly type?: string
    readonly context?: { onTestFailed?(handler: () => void): void }
  }
}

/** The part of the context of a `node:test` test that is used here. */
interface NodeTestContext {
  readonly error?: unknown
  after(handler: () => void): void
}

/** The globals that are read here. The package has no dependency on any test runner. */
interface Surroundings {
  readonly __vitest_worker__?: VitestWorker
  readonly process?: {
    getBuiltinModule?(name: string): { getTestContext?(): NodeTestContext | undefined } | undefined
  }
}

/**
 * Calls the handler when the current test fails for any reason, under vitest and under `node:test`. Does
 * nothing outside of a test, such as in `beforeAll`, and under runners that do not say which test runs.
 */
export function onTestFailed(handler: () => void): void {
  const { __vitest_worker__: worker, process } = globalThis as Surroundings
  if (worker) {
    const { current } = worker
    if (current?.type === 'test') current.context?.onTestFailed?.(handler)
    return
  }
  const context = process?.getBuiltinModule?.('node:test')?.getTestContext?.()
  context?.after(() => {
    if (context.error !== undefined && context.error !== null) handler()
  })
}

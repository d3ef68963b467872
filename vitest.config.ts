import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const source = {
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  // The environment that vitest loads `globalSetup` in.
  environments: { __vitest__: { resolve: { conditions: ['source'] } } },
}

/**
 * Three projects. `unit` needs nothing but this process. `ours` and `kubernetes` run the same files,
 * `*.both.test.ts`, on our API server and on a real kube-apiserver.
 */
export default defineConfig({
  ...source,
  test: {
    // Tests that wait for processes, and tests that compute, share a small machine better than one after the other.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A recorded answer that is missing fails everywhere, as it does in CI. `npm run record` writes new ones.
    update: 'none',
    projects: [
      {
        ...source,
        test: {
          name: 'unit',
          globalSetup: 'test/temporary-folder.ts',
          // Nothing is global and nothing starts on import, so that files can share the modules that they load.
          isolate: false,
          // A test that hangs fails; one that shares the machine with others does not.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 90_000 } },
          include: ['{packages/*/{src,test},examples,test,docs/{guide,recipes}}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.both.test.ts', '**/*.kubernetes.test.ts'],
        },
      },
      {
        ...source,
        test: {
          name: 'ours',
          globalSetup: 'test/temporary-folder.ts',
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 90_000 } },
          include: ['test/**/*.both.test.ts', 'examples/*/**/*.both.test.ts'],
          env: { HOMEOSTAT_TEST_SERVER: 'ours' },
        },
      },
      {
        ...source,
        test: {
          name: 'kubernetes',
          include: ['{test,examples}/**/*.both.test.ts', '{test,examples}/**/*.kubernetes.test.ts'],
          env: { HOMEOSTAT_TEST_SERVER: 'kubernetes' },
          globalSetup: 'test/kubernetes/global-setup.ts',
          fileParallelism: false,
          // Tests wait for what a real server does in its own time; `until` of `test/test-server.ts` gives up before that.
          testTimeout: 900_000,
          expect: { poll: { timeout: 90_000 } },
          hookTimeout: 900_000,
        },
      },
    ],
  },
})

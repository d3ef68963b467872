import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { browserProgram } from '../browser.ts'

const root = resolve(import.meta.dirname, '../..')

/** Features that only Node has, in the text of a test. */
const NODE = /['"]node:|\bBuffer\b|\bprocess\.|import\.meta\.dirname|toMatch(?:File)?Snapshot/

/** Tests that open a port, or need something else of Node by way of what they test, such as the metrics of the process. */
const NEEDS_NODE: readonly string[] = [
  'packages/apiserver/src/http/hostile-requests.test.ts',
  'packages/apiserver/src/native/default-objects.test.ts',
  'packages/apiserver/src/process/flags/flags.test.ts',
  'packages/apiserver/src/process/return-memory.test.ts',
  'packages/apiserver/src/registry/read/watch.test.ts',
  'packages/apiserver/src/release-metrics.test.ts',
  'packages/apiserver/src/server.test.ts',
  'packages/apiserver/src/webhooks/admission-webhooks.test.ts',
]

const files = globSync('packages/{api,cel,apiserver}/{src,test}/**/*.test.ts', { cwd: root }).filter(
  (file) => !NEEDS_NODE.includes(file) && !NODE.test(readFileSync(resolve(root, file), 'utf8')),
)

/** `npm test browser`: the tests of the API server and of what it stands on that need no Node, in a browser. */
export default defineConfig({
  root,
  resolve: { conditions: ['source'] },
  test: {
    include: files,
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: { executablePath: browserProgram, args: ['--no-sandbox', '--disable-gpu'] },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
})

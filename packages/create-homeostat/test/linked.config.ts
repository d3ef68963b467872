import { defineConfig } from 'vitest/config'

/** Finds the sources of our packages, of which nothing is built here. */
export default defineConfig({
  // A machine that runs other tests as well may be slow.
  test: { testTimeout: 120_000 },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
})

import { defineConfig } from 'vitest/config'

/** For the files of this folder alone: they fail by design, and a test reads what they print. */
export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: { include: ['vitest-file.ts'], root: import.meta.dirname, testTimeout: 120_000 },
})

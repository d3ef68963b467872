import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from 'homeostat'
import { expect, inject, test, vi } from 'vitest'
import { httpsHandler } from '../conformance/https-handler.ts'
import { checkPolicies } from './checked-policies.ts'
import recorded from './recorded/warnings.json' with { type: 'json' }

const { controllers, kubeconfig } = inject('kubernetes')
/** `npm run record policy-types` writes what was recorded instead of comparing with it. */
const recording = process.env['HOMEOSTAT_RECORD'] === '1'

test.runIf(controllers)('the warnings about types are those that Kubernetes gives', async () => {
  const { server, token = '', tls } = loadConfig({ kubeconfig })
  const { send, close } = httpsHandler({ url: server, token, ca: tls.ca ?? '' })
  try {
    const checked = await checkPolicies(send, (what, holds) =>
      vi.waitFor(async () => expect(await holds(), what).toBe(true), { timeout: 90_000, interval: 100 }),
    )
    if (recording) {
      const file = join(import.meta.dirname, 'recorded/warnings.json')
      writeFileSync(file, `${JSON.stringify(checked, undefined, 2)}\n`)
    } else expect(checked).toEqual(recorded)
  } finally {
    close()
  }
})

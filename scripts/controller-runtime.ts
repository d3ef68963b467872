// Runs the test suites of Go's controller-runtime on our API server. Run by `npm run test:controller-runtime`.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findBinaries } from '../test/kubernetes/binaries.ts'
import { knownFailures } from './controller-runtime/known-failures.ts'
import { runSuite, type Spec } from './controller-runtime/run-suite.ts'
import { CONTROLLER_RUNTIME, copyModule, suitesOf } from './controller-runtime/suites.ts'

const HELP = `Usage: npm run test:controller-runtime -- [options]

Runs the test suites of ${CONTROLLER_RUNTIME} that use envtest, with our stand-ins for its kube-apiserver and
etcd. Go fetches the module; nothing of it is kept here. Ends with 1 when a spec fails that
scripts/controller-runtime/known-failures.ts does not list, or when one that it lists passes.

Options:
  --only <text>   only packages whose path holds this text; may be given several times
  --kubernetes    on a real kube-apiserver and etcd instead ("npm run kubernetes" builds them)
  --verbose       shows what failed specs say
  --help`

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    kubernetes: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
})

function assets(): string {
  if (values.kubernetes) return findBinaries().directory
  const program = resolve(import.meta.dirname, '../packages/apiserver/bin/homeostat-apiserver.mjs')
  return execFileSync(process.execPath, [program, '--print-assets'], { encoding: 'utf8' }).trim()
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-controller-runtime-'))
  const known = values.kubernetes ? {} : knownFailures
  const totals = { passed: 0, failed: 0, skipped: 0 }
  const unexpected: string[] = []
  try {
    copyModule(folder)
    const suites = suitesOf(folder).filter(
      (suite) => values.only.length === 0 || values.only.some((text) => suite.includes(text)),
    )
    const environment = { KUBEBUILDER_ASSETS: assets() }
    for (const suite of suites) {
      const started = performance.now()
      const { specs, output } = await runSuite(folder, suite, environment)
      const count = (state: Spec['state']): number => specs.filter((spec) => spec.state === state).length
      const seconds = ((performance.now() - started) / 1000).toFixed(0)
      for (const state of ['passed', 'failed', 'skipped'] as const) totals[state] += count(state)
      console.log(
        `${suite}: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped in ${seconds} s`,
      )
      if (specs.length === 0) {
        unexpected.push(`${suite}: no spec ran`)
        console.log(output.slice(-4_000))
      }
      for (const { title, state, message } of specs) {
        const name = `${suite}: ${title}`
        const reason = Object.hasOwn(known, name) ? known[name] : undefined
        if (state === 'failed')
          console.log(`  ✗ ${title}${reason === undefined ? '' : ` (known: ${reason})`}`)
        if (state === 'failed' && values.verbose) console.log(message.replaceAll(/^/gm, '      '))
        if (state === 'failed' && reason === undefined) unexpected.push(name)
        if (state === 'passed' && reason !== undefined)
          unexpected.push(`${name}: is listed as failing, and passes`)
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const { passed, failed, skipped } = totals
  console.log(`\n${passed} of ${passed + failed} specs passed, ${skipped} skipped`)
  for (const line of unexpected) console.log(`unexpected: ${line}`)
  if (unexpected.length > 0) process.exitCode = 1
}

if (values.help) console.log(HELP)
else await main()

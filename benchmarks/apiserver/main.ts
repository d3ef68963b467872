/**
 * Measures our API server beside a real etcd and kube-apiserver: `npm run bench apiserver -- --help`. What the numbers
 * mean is in `../README.md`.
 */
import { cpus, loadavg, totalmem } from 'node:os'
import { publish, runBenchmark } from '../run-benchmark.ts'
import { ETCD_VERSION, KUBERNETES_VERSION } from '../../test/kubernetes/binaries.ts'
import { compilePrograms } from './compile-programs.ts'
import { measureInProcess, measureServer, type Measurement } from './measure.ts'
import { measureMemory } from './memory.ts'
import { HELP, readOptions, type Options } from './options.ts'
import { report, type Findings } from './report.ts'
import { TITLES } from './servers.ts'

await runBenchmark({ help: HELP, readOptions, run })

async function run(options: Options, signal: AbortSignal): Promise<void> {
  const before = loadavg()[0] ?? 0
  const date = new Date().toISOString()
  const programs = await compilePrograms(signal)
  if (options.memory > 0) return measureMemory(programs, options, signal)
  console.log('Starting ours in programs of their own …')
  const inProcess = await measureInProcess(programs, options, signal)
  const servers: Measurement[] = []
  for (const name of options.servers) {
    console.log(`Measuring ${TITLES[name]} …`)
    const measured = await measureServer(name, programs, options, signal)
    const { firstAnswer, createsPerSecond, listSeconds } = measured
    const list = listSeconds === undefined ? '' : `, list in ${listSeconds.toFixed(2)} s`
    console.log(
      `  first answer after ${firstAnswer.toFixed(0)} ms, ${createsPerSecond.toFixed(0)} creates a second${list}`,
    )
    servers.push(measured)
  }
  const { out, ...settings } = options
  const findings: Findings = {
    date,
    machine: {
      processor: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryBytes: totalmem(),
    },
    load: { before, after: loadavg()[0] ?? 0 },
    versions: { Kubernetes: KUBERNETES_VERSION, etcd: ETCD_VERSION, Node: process.versions.node },
    options: settings,
    inProcess,
    servers,
  }
  await publish('apiserver', report(findings), findings, out, `-${findings.options.objects}`)
}

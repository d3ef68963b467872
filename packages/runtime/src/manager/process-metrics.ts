import { readdirSync } from 'node:fs'
import process from 'node:process'
import type { Clock } from '@homeostat/api'
import type { MetricsRegistry } from '../telemetry/metrics.ts'

/** What the process itself takes, under the names that Prometheus has for it. It ends with disposal. */
export function processMetrics(registry: MetricsRegistry, clock: Clock): Disposable {
  const started = clock.now() / 1000 - process.uptime()
  const gauge = (name: string, help: string, read: () => number | undefined): Disposable =>
    registry.collect(name, help, 'gauge', (report) => {
      const value = read()
      if (value !== undefined) report(value)
    })
  const collecting = [
    registry.collect(
      'process_cpu_seconds_total',
      'CPU time of the process, its own and the kernel’s.',
      'counter',
      (report) => {
        const { user, system } = process.cpuUsage()
        report((user + system) / 1e6)
      },
    ),
    gauge('process_resident_memory_bytes', 'Memory that the process holds.', () => process.memoryUsage.rss()),
    gauge('process_start_time_seconds', 'When the process started, in seconds since 1970.', () => started),
    gauge('process_open_fds', 'Open files and connections.', openFiles),
    gauge(
      'nodejs_heap_size_used_bytes',
      'Memory that JavaScript objects take.',
      () => process.memoryUsage().heapUsed,
    ),
  ]
  return {
    [Symbol.dispose]() {
      for (const each of collecting) each[Symbol.dispose]()
    },
  }
}

/** Only Linux tells. */
function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return undefined
  }
}

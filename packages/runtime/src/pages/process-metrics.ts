import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import type { Clock } from '@homeostat/api'
import type { MetricsRegistry } from '../telemetry/index.ts'

/**
 * The resources that the process uses, under the usual names of Prometheus client libraries. Disposal removes the
 * metrics.
 */
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
      'CPU time of the process, in user and kernel mode.',
      'counter',
      (report) => {
        const { user, system } = process.cpuUsage()
        report((user + system) / 1e6)
      },
    ),
    gauge('process_resident_memory_bytes', 'Memory that the process holds.', () => process.memoryUsage.rss()),
    gauge('process_start_time_seconds', 'When the process started, in seconds since 1970.', () => started),
    gauge('process_open_fds', 'Open files and connections.', openFiles),
    gauge('process_max_fds', 'How many files and connections may be open.', mostFiles),
    gauge('process_virtual_memory_bytes', 'Virtual memory that the process has reserved.', virtualMemory),
    gauge(
      'nodejs_heap_size_used_bytes',
      'Memory that JavaScript objects take.',
      () => process.memoryUsage().heapUsed,
    ),
    gauge(
      'nodejs_heap_size_total_bytes',
      'Memory that is held for JavaScript objects.',
      () => process.memoryUsage().heapTotal,
    ),
    gauge(
      'nodejs_external_memory_bytes',
      'Memory outside of the heap that JavaScript objects hold.',
      () => process.memoryUsage().external,
    ),
    registry.collect('nodejs_version_info', 'The version of Node.js.', 'gauge', (report) =>
      report(1, { version: process.version }),
    ),
  ]
  return {
    [Symbol.dispose]() {
      for (const each of collecting) each[Symbol.dispose]()
    },
  }
}

function openFiles(): number | undefined {
  return onLinux(() => readdirSync('/proc/self/fd').length)
}

function mostFiles(): number | undefined {
  return onLinux(() => Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]))
}

function virtualMemory(): number | undefined {
  return onLinux(
    () => 1024 * Number(/^VmSize:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]),
  )
}

/** Only Linux reports it. Elsewhere, and where it reports no number, the metric is missing. */
function onLinux(read: () => number): number | undefined {
  try {
    const value = read()
    return Number.isFinite(value) ? value : undefined
  } catch {
    return undefined
  }
}

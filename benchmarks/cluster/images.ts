/** The programs of the benchmark's images: the `--config` of the cluster that it measures. */
import type { ClusterOptions, Container } from '@homeostat/cluster'

const LINE = `${'0123456789'.repeat(12)}abcdefg\n`

function idle({ signal }: Container): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

export default {
  images: {
    'bench/module': { module: idle },
    'bench/process': { command: 'sleep', args: ['100000'] },
    // Two programs write as fast as they can: the log has to keep up, or make them wait.
    'bench/flood': { command: 'sh', args: ['-c', `yes '${LINE.trim()}' | head -c "$BYTES"; echo end`] },
  },
} satisfies ClusterOptions

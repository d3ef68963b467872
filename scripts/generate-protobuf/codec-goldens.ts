import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

/** One object in the three forms in which Kubernetes writes it. */
export interface CodecGolden {
  readonly json: string
  readonly yaml: string
  /** In base64. */
  readonly pb: string
}

/** Packs the samples that Kubernetes keeps of all its kinds, by `group.version.kind`. */
export function packGoldens(folder: string): Buffer {
  const goldens: Record<string, Partial<Record<keyof CodecGolden, string>>> = {}
  for (const file of readdirSync(folder).sort()) {
    const [, kind, form] = /^(.+)\.(json|yaml|pb)$/.exec(file) ?? []
    if (kind === undefined) continue
    const content = readFileSync(join(folder, file))
    const golden = (goldens[kind] ??= {})
    golden[form as keyof CodecGolden] = content.toString(form === 'pb' ? 'base64' : 'utf8')
  }
  return pack(goldens)
}

/** Makes and packs objects with few fields of every kind, by the program in `samples/`. */
export function packSamples(): Buffer {
  const cwd = join(import.meta.dirname, 'samples')
  const output = execFileSync('go', ['run', '.'], { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const samples = output.split('\n').filter((line) => line !== '')
  return pack(samples.map((line) => JSON.parse(line) as unknown))
}

function pack(content: unknown): Buffer {
  return brotliCompressSync(JSON.stringify(content), {
    params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
  })
}

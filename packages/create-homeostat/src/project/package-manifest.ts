import type { Answers } from '../answers/index.ts'

/** The packages of others that a project uses. */
const TOOLS = {
  '@types/node': '^24.0.0',
  typescript: '^7.0.2',
  vitest: '^5.1.0',
} as const

/** The package.json of a project, with our packages in the given version. */
export function packageManifest({ name, kind }: Answers, version: string): string {
  const range = `^${version}`
  const manifest = {
    name,
    version: '0.1.0',
    private: true,
    description: `A Kubernetes operator for ${kind} objects`,
    type: 'module',
    scripts: {
      dev: 'homeostat dev',
      start: 'node main.ts',
      test: 'vitest run',
      types: 'tsc',
      check: 'homeostat check',
      manifests: 'homeostat manifests',
    },
    dependencies: { homeostat: range },
    devDependencies: { '@homeostat/cli': range, '@homeostat/cluster': range, ...TOOLS },
    engines: { node: '>=22.19' },
  }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

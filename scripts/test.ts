// Runs tests. Run by `npm test [suite]`.
import { installFolder } from './install-folder.ts'
import { runScript, runVitest } from './run-program.ts'

interface Suite {
  readonly title: string
  readonly run: (args: readonly string[]) => Promise<number>
}

/** Runs files on a real Kubernetes, which is built first where it is not there. */
async function onKubernetes(
  files: readonly string[],
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  return (await runScript('kubernetes.ts')) || runVitest(['kubernetes'], [...files, ...args], env)
}

const suites: Readonly<Record<string, Suite>> = {
  kubernetes: {
    title: 'the integration tests, and more, on a real kube-apiserver and kube-controller-manager',
    run: (args) => onKubernetes([], args),
  },
  workloads: {
    title: '100 scenarios of workloads on a real kube-controller-manager, compared with what was recorded',
    run: (args) => onKubernetes(['test/workloads'], args, { HOMEOSTAT_WORKLOADS: '1' }),
  },
  rotations: {
    title: 'webhook certificates renewed fifty times on a real kube-apiserver, under load',
    run: (args) => onKubernetes(['test/webhook-certificates/rotation'], args, { HOMEOSTAT_ROTATIONS: '1' }),
  },
  clients: {
    title: "other projects' clients on our API server and on a real one; the first run builds them",
    run: (args) => onKubernetes(['test/clients'], args, { HOMEOSTAT_BUILD_CLIENTS: '1' }),
  },
  manifests: {
    title:
      "what homeostat manifests makes, given to Helm, kustomize, kubeconform, OLM's validators and kubectl; needs Go",
    run: (args) => onKubernetes(['test/manifests'], args, { HOMEOSTAT_MANIFESTS: '1' }),
  },
  journey: {
    title:
      'from an empty folder to production, with packed packages: what each step takes. Run it on a quiet machine',
    run: async () =>
      (await runScript('kubernetes.ts')) || (await runScript('build.ts')) || runScript('journey.ts'),
  },
  runtimes: {
    title: 'an operator on Node 22 and 24, on Bun and on Deno, which npm installs',
    run: async (args) =>
      installFolder('test/runtimes') ||
      (await runScript('build.ts')) ||
      runVitest(['unit'], ['test/runtimes', ...args], { HOMEOSTAT_RUNTIMES: '1' }),
  },
  docs: {
    title: 'the documentation site, built and opened in a browser',
    run: async (args) =>
      (await runScript('docs.ts', ['--build'])) ||
      runVitest(['unit'], ['test/docs', ...args], { HOMEOSTAT_DOCS: '1' }),
  },
  browser: {
    title: 'the tests of the API server that need no Node, in a browser',
    run: (args) => runVitest([], ['--config', 'test/in-browser/vitest.config.ts', ...args]),
  },
  'controller-runtime': {
    title: "Go controller-runtime's own test suites on our API server; needs Go. --help lists its options",
    run: (args) => runScript('controller-runtime.ts', args),
  },
  crds: {
    title:
      "44 projects' definitions and samples on our API server and on a real one. --help lists its options",
    run: (args) => runScript('crds.ts', args),
  },
  'crd-types': {
    title:
      'typed kinds of all definitions of cert-manager, Gateway API, Prometheus operator, Argo CD, Crossplane and Istio; needs Go',
    run: (args) => runVitest(['unit'], ['test/crds/typed-projects', ...args], { HOMEOSTAT_CRD_TYPES: '1' }),
  },
  kills: {
    title: 'a thousand faults of a data folder: kills, damaged files, full disks. --help lists its options',
    run: (args) => runScript('kills.ts', args),
  },
}

const HELP = `Usage: npm test [suite] [-- options]
       npm test -- [part of a path …]

Without a suite, runs the unit tests, and the integration tests on our own API server. They need nothing but this machine.
Parts of paths choose test files; options are those of vitest.

Suites:
${Object.entries(suites)
  .map(([name, { title }]) => `  ${name.padEnd(20)}${title}`)
  .join('\n')}`

const [first = '', ...rest] = process.argv.slice(2)
const suite = Object.hasOwn(suites, first) ? suites[first] : undefined
if (first === '--help' || first === '-h') console.log(HELP)
else if (suite) process.exitCode = await suite.run(rest)
else process.exitCode = await runVitest(['unit', 'ours'], process.argv.slice(2))

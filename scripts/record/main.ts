// Asks the programs that we compare ourselves with again, and writes down what they answer. Run by `npm run record [suite]`.
import { recordWebhooks } from '../../test/oracles/controller-runtime-webhooks/record-webhooks.ts'
import { recordCorpus } from '../../test/oracles/structured-merge-diff/record-corpus.ts'
import { runScript, runVitest } from '../run-program.ts'
import { recordAnswers } from './answers.ts'
import { recordCel } from './cel.ts'
import { recordControllerRuntimeNames } from './controller-runtime-names.ts'
import { recordCrdTypes } from './crd-types.ts'
import { recordConversations } from './conversations.ts'
import { recordShell } from './shell.ts'

interface Suite {
  /** Which program is asked about what. */
  readonly title: string
  /** Where its answers are kept. */
  readonly kept: string
  /** Whether a real Kubernetes is needed, and is built first where it is not there. */
  readonly onKubernetes: boolean
  /** Records all of it, or what holds one of these texts. Returns an exit code, or nothing for success. */
  readonly run: (parts: readonly string[]) => Promise<number> | Promise<void> | void
}

const RECORDING = { HOMEOSTAT_RECORD: '1' }

const suites: Readonly<Record<string, Suite>> = {
  answers: {
    title: 'kube-apiserver: what each native kind defaults and refuses. Parts of file names choose kinds',
    kept: 'packages/apiserver/test/answers/recorded',
    onKubernetes: true,
    run: recordAnswers,
  },
  conversations: {
    title:
      'kube-apiserver: custom resources, native defaults and managed fields. Parts of paths choose files',
    kept: 'packages/apiserver/src/**/recorded',
    onKubernetes: true,
    run: recordConversations,
  },
  comparisons: {
    title: 'kube-apiserver: discovery, OpenAPI, access, tables. Parts of paths choose test files',
    kept: 'test/{compare,openapi-v2}/recorded, packages/apiserver/src/**/recorded',
    onKubernetes: true,
    run: (parts) =>
      runVitest(
        ['kubernetes'],
        [...(parts.length > 0 ? parts : ['test/compare', 'test/openapi-v2']), '--update'],
        RECORDING,
      ),
  },
  conformance: {
    title: 'kube-apiserver: the scenarios of npm run conformance. Parts of titles choose some',
    kept: 'test/conformance/recorded',
    onKubernetes: true,
    run: (parts) => runScript('conformance.ts', ['--record', ...parts.flatMap((part) => ['--only', part])]),
  },
  flags: {
    title: 'kube-apiserver: its messages for flags that it refuses',
    kept: 'packages/apiserver/test/recorded',
    onKubernetes: true,
    run: () => runVitest(['kubernetes'], ['test/envtest/flag-errors'], RECORDING),
  },
  releases: {
    title:
      'kube-apiserver 1.34: discovery, OpenAPI, and fields that it does not have. Needs npm run kubernetes -- --release=1.34',
    kept: 'test/releases/recorded',
    onKubernetes: false,
    run: async () =>
      (await runScript('kubernetes.ts', ['--release=1.34'])) ||
      (await runVitest(['kubernetes'], ['test/releases', '--update'], RECORDING)),
  },
  'admission-webhooks': {
    title: 'kube-apiserver: how it calls webhooks, and what it makes of their answers',
    kept: 'test/webhooks/recorded',
    onKubernetes: true,
    run: () => runVitest(['kubernetes'], ['test/webhooks', '--update']),
  },
  fuzz: {
    title: 'kube-apiserver: the cases that npm run fuzz found, and bounds of every integer field',
    kept: 'test/fuzz/recorded',
    onKubernetes: true,
    run: () => runScript('fuzz.ts', ['--record']),
  },
  apply: {
    title: 'structured-merge-diff: conversations of server-side apply. Needs Go',
    kept: 'test/oracles/structured-merge-diff/recorded',
    onKubernetes: false,
    run: recordCorpus,
  },
  webhooks: {
    title: "Go's controller-runtime: its answers to reviews of webhooks. Needs Go",
    kept: 'test/oracles/controller-runtime-webhooks/recorded',
    onKubernetes: false,
    run: recordWebhooks,
  },
  'crd-types': {
    title:
      'a few definitions of other projects, and samples of their kinds. Parts of names choose projects. Needs Go',
    kept: 'test/crds/recorded',
    onKubernetes: false,
    run: recordCrdTypes,
  },
  'controller-runtime': {
    title: "Go's controller-runtime: every name that it exports, for the guide's comparison. Needs Go",
    kept: 'test/guide/recorded',
    onKubernetes: false,
    run: recordControllerRuntimeNames,
  },
  workloads: {
    title:
      'kube-controller-manager: what it does with 100 workloads, all of them at once. Parts of titles choose some',
    kept: 'test/workloads/recorded',
    onKubernetes: true,
    run: (parts) =>
      runVitest(['kubernetes'], ['test/workloads'], {
        ...RECORDING,
        HOMEOSTAT_SCENARIOS: parts.join('\n'),
      }),
  },
  'policy-types': {
    title: 'kube-controller-manager: what it says about the types in admission policies',
    kept: 'test/policy-types/recorded',
    onKubernetes: true,
    run: () => runVitest(['kubernetes'], ['test/policy-types'], RECORDING),
  },
  kubectl: {
    title: 'kubectl: what it prints on a real Kubernetes',
    kept: 'test/kubectl/recorded',
    onKubernetes: true,
    run: () => runVitest(['kubernetes'], ['test/kubectl/kubectl.kubernetes.test.ts'], RECORDING),
  },
  cel: {
    title: "the CEL specification's cases, and Kubernetes' CEL libraries. Needs Go",
    kept: 'in the tests of CEL',
    onKubernetes: false,
    run: recordCel,
  },
  shell: {
    title: "busybox: what the shell's scripts print. Needs busybox",
    kept: 'in the tests of the shell',
    onKubernetes: false,
    run: recordShell,
  },
  types: {
    title: 'the TypeScript compiler: its messages about wrong uses. Read what changed',
    kept: 'test/types/cases',
    onKubernetes: false,
    run: () => runVitest(['unit'], ['test/types'], RECORDING),
  },
}

const HELP = `Usage: npm run record <suite> [-- part …]

Asks another program again, and writes down what it answers; npm test compares our answers with the recorded ones. Read what changed before you
commit it.

Suites:
${Object.entries(suites)
  .map(([name, { title, kept }]) => `  ${name.padEnd(20)}${title}\n${' '.repeat(22)}${kept}`)
  .join('\n')}

"npm run generate" is for code that is made from Kubernetes' own sources.`

const [name = '--help', ...parts] = process.argv.slice(2)
const suite = Object.hasOwn(suites, name) ? suites[name] : undefined
if (name === '--help' || name === '-h') console.log(HELP)
else if (!suite) {
  console.error(`There is no suite "${name}". There are ${Object.keys(suites).join(', ')}.`)
  process.exitCode = 2
} else {
  const built = suite.onKubernetes ? await runScript('kubernetes.ts') : 0
  process.exitCode = built || (await suite.run(parts)) || 0
}

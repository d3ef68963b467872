import { resolve } from 'node:path'
import { type Command, type CommandCall, optionText, styleOf, usageError } from '../command/index.ts'
import {
  helmChart,
  kustomizeFiles,
  olmBundle,
  operatorManifests,
  outdatedFiles,
  toYaml,
  writeFiles,
  type ManifestFiles,
} from '../manifests/index.ts'
import { loadOperator, operatorOption, type Project } from '../project/index.ts'

const HEADER = '# Made by `homeostat manifests` from the operator. Do not edit.\n'

export const manifests: Command = {
  name: 'manifests',
  summary:
    'writes what a cluster needs to run the operator, as YAML, a kustomization, a Helm chart or a bundle',
  description:
    'Writes the definitions of the kinds, the roles, the account, the Deployment with its Services, the webhook configurations, a PodDisruptionBudget, a NetworkPolicy, the objects of the Prometheus operator (in monitoring/) and the samples. All of it follows from operator.ts: commit the files, and let CI run this command with --check.',
  options: {
    operator: operatorOption,
    out: {
      type: 'string',
      value: 'FOLDER',
      description: 'the output folder (default: manifests; chart with --helm, bundle with --olm)',
    },
    kustomize: {
      type: 'boolean',
      description: 'also write kustomization.yaml, and a component in monitoring/',
    },
    helm: { type: 'boolean', description: 'write a Helm chart, with a schema for its values' },
    olm: {
      type: 'boolean',
      description: 'write a bundle for the Operator Lifecycle Manager, with a Dockerfile for its image',
    },
    channel: {
      type: 'string',
      value: 'NAME',
      description: 'with --olm: the channel that users subscribe to (default: stable)',
    },
    image: {
      type: 'string',
      value: 'IMAGE',
      description: 'the image of the Deployment (default: name and version in package.json)',
    },
    namespace: {
      type: 'string',
      value: 'NAMESPACE',
      description: 'the namespace of the operator (default: its name and -system)',
    },
    replicas: {
      type: 'string',
      value: 'NUMBER',
      description: 'how many processes run, of which one leads (default: 2)',
    },
    check: { type: 'boolean', description: 'write nothing; fail if a file is missing or out of date' },
    print: { type: 'boolean', description: 'write nothing; print all objects except the samples' },
  },
  examples: [
    ['manifests', 'writes manifests/'],
    ['manifests --print | kubectl apply -f -', 'installs the operator'],
    ['manifests --helm --image=example.com/team/operator:1.2.0', 'writes chart/'],
    ['manifests --olm --image=example.com/team/operator:1.2.0', 'writes bundle/'],
    ['manifests --check', 'in CI'],
  ],
  async run({ values, io }: CommandCall): Promise<number> {
    const { helm, kustomize, olm, check, print } = values
    if (helm && kustomize)
      throw usageError('--helm and --kustomize cannot be used together: run the command twice')
    if (olm && (helm || kustomize))
      throw usageError('--olm cannot be used with --helm or --kustomize: run the command twice')
    if (olm && values['namespace'] !== undefined)
      throw usageError('users choose the namespace of a bundle when they install it: leave --namespace out')
    if (!olm && values['channel'] !== undefined)
      throw usageError('only a bundle has a channel: give --olm, or leave --channel out')
    if (check && print) throw usageError('--check and --print cannot be used together')
    if (print && (helm || kustomize || olm))
      throw usageError('--print prints plain YAML only: leave --helm, --kustomize and --olm out')
    if (helm && (values['namespace'] !== undefined || values['replicas'] !== undefined))
      throw usageError(
        'helm sets the namespace and the replicas of a chart, by its own --namespace and --set: leave them out',
      )
    const project = await loadOperator(io.cwd, optionText(values, 'operator'))
    const image = optionText(values, 'image') ?? defaultImage(project)
    if (helm) return finish(chartOf(project, image), 'chart')
    if (olm) {
      const version = project.package.version ?? '0.1.0'
      const channel = optionText(values, 'channel') ?? 'stable'
      const replicas = replicasOf(optionText(values, 'replicas'))
      return finish(olmBundle(project.operator, { version, channel, image, replicas }), 'bundle')
    }
    const files = operatorManifests(project.operator, {
      image,
      namespace: optionText(values, 'namespace') ?? `${project.operator.name}-system`,
      replicas: replicasOf(optionText(values, 'replicas')),
    })
    if (print) {
      const objects = Object.entries(files).filter(([path]) => !path.includes('/'))
      io.out(toYaml(objects.flatMap(([, each]) => each)))
      return 0
    }
    return finish(textOf(kustomize ? kustomizeFiles(files) : files), 'manifests')

    function finish(texts: Readonly<Record<string, string>>, usual: string): number {
      const given = optionText(values, 'out')
      const folder = resolve(io.cwd, given ?? usual)
      if (!check) {
        writeFiles(folder, texts)
        io.out(`${Object.keys(texts).length} files are in ${folder}\n`)
        return 0
      }
      const outdated = outdatedFiles(folder, texts)
      const style = styleOf(io)
      if (outdated.length === 0) {
        io.out(`${style.good('up to date')}: ${folder}\n`)
        return 0
      }
      for (const line of outdated) io.err(`${style.bad(line)}\n`)
      io.err('Run homeostat manifests with the same options, without --check.\n')
      return 1
    }
  },
}

function textOf(files: ManifestFiles): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, objects]) => [path, HEADER + toYaml(objects)]))
}

/** The image of `@team/operator` in version 1.2.0: `team-operator:1.2.0`. */
function defaultImage({ operator, package: { name, version } }: Project): string {
  const image = name?.replace(/^@/, '').replaceAll('/', '-') ?? operator.name
  return `${image}:${version ?? 'latest'}`
}

function chartOf(project: Project, image: string): Record<string, string> {
  if (image.includes('@')) {
    throw usageError(
      `--image=${image} names a digest: give the image with a tag here, and set the digest in the values of the chart`,
    )
  }
  // A colon before the last slash belongs to the port of a registry.
  const colon = image.indexOf(':', image.lastIndexOf('/') + 1)
  const [repository, tag] = colon < 0 ? [image, 'latest'] : [image.slice(0, colon), image.slice(colon + 1)]
  const version = project.package.version ?? '0.1.0'
  return helmChart(project.operator, { name: project.operator.name, version, repository, tag })
}

function replicasOf(text: string | undefined): number {
  if (text === undefined) return 2
  if (/^\d{1,4}$/.test(text)) return Number(text)
  throw usageError(`--replicas=${text} is not a number: give the number of processes, such as 2`)
}

import { operatorManifests } from './operator-manifests.ts'
import type { Operator } from 'homeostat'
import { toYaml } from './yaml.ts'

/** The name, the version and the image of a chart. */
export interface Chart {
  readonly name: string
  readonly version: string
  /** The image without its tag. */
  readonly repository: string
  readonly tag: string
}

/** Placeholders for template expressions, replaced when the objects are text. No operator can have such names. */
const NAMESPACE = 'homeostat-release-namespace'
const IMAGE = 'homeostat-image-value'
const REPLICAS = 918_273_645

/**
 * A Helm chart: its files by path, as text. The namespace is that of the release; values set the image and the number
 * of replicas, and turn parts on and off. Definitions are templates, so that an upgrade brings them up to date, and
 * are kept when the release is uninstalled.
 */
export function helmChart(
  operator: Operator,
  { name, version, repository, tag }: Chart,
): Record<string, string> {
  const files = operatorManifests(operator, { namespace: NAMESPACE, image: IMAGE, replicas: REPLICAS })
  const text = (path: string, select: (object: { kind?: string }) => boolean = () => true): string =>
    template((files[path] ?? []).filter((object) => select(object)))
  const definitions = (files['crd.yaml'] ?? []).map((definition) => withPolicy(definition))
  const templates: Record<string, string> = {
    'crds.yaml': guarded('crds.install', template(definitions)),
    // Helm makes the namespace of a release itself.
    'rbac.yaml': text('access.yaml', ({ kind }) => kind !== 'Namespace'),
    'deployment.yaml': withValues(text('manager.yaml', ({ kind }) => kind === 'Deployment')),
    'metrics-service.yaml': text('manager.yaml', ({ kind }) => kind === 'Service'),
    'pod-disruption-budget.yaml': guarded(
      'podDisruptionBudget.enabled',
      text('manager.yaml', ({ kind }) => kind === 'PodDisruptionBudget'),
    ),
    'webhooks.yaml': text('webhooks.yaml'),
    'network-policy.yaml': guarded('networkPolicy.enabled', text('network-policy.yaml')),
    'monitoring.yaml': guarded('monitoring.enabled', text('monitoring/monitoring.yaml')),
  }
  return {
    'Chart.yaml': toYaml([
      {
        apiVersion: 'v2',
        name,
        description: `The operator ${operator.name}`,
        type: 'application',
        version,
        appVersion: tag,
      },
    ]),
    'values.yaml': toYaml([values(repository)]),
    'values.schema.json': `${JSON.stringify(valuesSchema(), undefined, 2)}\n`,
    ...Object.fromEntries(
      Object.entries(templates)
        .filter(([, content]) => content !== '')
        .map(([path, content]) => [`templates/${path}`, content]),
    ),
  }
}

function values(repository: string): object {
  return {
    replicas: 2,
    image: { repository, tag: '', pullPolicy: 'IfNotPresent' },
    imagePullSecrets: [],
    resources: {},
    nodeSelector: {},
    tolerations: [],
    crds: { install: true },
    podDisruptionBudget: { enabled: true },
    networkPolicy: { enabled: true },
    monitoring: { enabled: false },
  }
}

function valuesSchema(): object {
  const toggle = (field: string, description: string) => ({
    type: 'object',
    description,
    additionalProperties: false,
    properties: { [field]: { type: 'boolean' } },
  })
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    additionalProperties: false,
    properties: {
      global: { type: 'object' },
      replicas: { type: 'integer', minimum: 0, description: 'How many processes run. One of them leads.' },
      image: {
        type: 'object',
        additionalProperties: false,
        properties: {
          repository: { type: 'string', minLength: 1 },
          tag: { type: 'string', description: 'Default: the appVersion of the chart.' },
          pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
        },
      },
      imagePullSecrets: { type: 'array', items: { type: 'object' } },
      resources: { type: 'object' },
      nodeSelector: { type: 'object', additionalProperties: { type: 'string' } },
      tolerations: { type: 'array', items: { type: 'object' } },
      crds: toggle('install', 'Whether the chart brings the definitions of the kinds.'),
      podDisruptionBudget: toggle('enabled', 'Whether one process is kept while nodes are drained.'),
      networkPolicy: toggle('enabled', 'Whether connections to other ports are refused.'),
      monitoring: toggle('enabled', 'Whether the objects of the Prometheus operator are made.'),
    },
  }
}

/** Objects as the text of a template, escaped so that none of their values is read as an expression. */
function template(objects: readonly object[]): string {
  return toYaml(objects)
    .replaceAll('{{', '{{ "{{" }}')
    .replaceAll(NAMESPACE, '{{ .Release.Namespace }}')
    .replaceAll(
      `image: ${IMAGE}`,
      'image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"',
    )
    .replaceAll(String(REPLICAS), '{{ .Values.replicas }}')
}

function guarded(value: string, content: string): string {
  return content === '' ? '' : `{{- if .Values.${value} }}\n${content}{{- end }}\n`
}

/** Adds the settings to the Deployment that the administrator of a cluster makes by values. */
function withValues(deployment: string): string {
  const optional = (value: string, indent: number): string => {
    const space = ' '.repeat(indent)
    return `${space}{{- with .Values.${value} }}\n${space}${value}:\n${space}  {{- toYaml . | nindent ${indent + 2} }}\n${space}{{- end }}\n`
  }
  return deployment
    .replace(
      /^ {6}serviceAccountName:/m,
      (line) =>
        `${optional('imagePullSecrets', 6)}${optional('nodeSelector', 6)}${optional('tolerations', 6)}${line}`,
    )
    .replace(
      /^ {10}ports:/m,
      (line) =>
        `          imagePullPolicy: {{ .Values.image.pullPolicy }}\n${optional('resources', 10)}${line}`,
    )
}

function withPolicy(definition: object): object {
  const { metadata, ...rest } = definition as { metadata: { annotations?: object } }
  const annotations = { ...metadata.annotations, 'helm.sh/resource-policy': 'keep' }
  const { apiVersion, kind, ...others } = rest as Record<string, unknown>
  return { apiVersion, kind, metadata: { ...metadata, annotations }, ...others }
}

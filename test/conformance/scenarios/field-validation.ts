import {
  configMap,
  configMaps,
  deployment,
  deployments,
  widget,
  widgetDefinition,
  widgets,
} from '../objects.ts'
import { scenario, topic } from '../scenario.ts'
import { apply, create, jsonPatch, merge, replace, strategic } from '../steps.ts'

const unknown = { ...configMap('a', { x: '1' }), other: 1, more: { deep: true } }
const deep = deployment(
  'a',
  { paused: true, extra: 1 },
  { image: 'a', oops: true, ports: [{ containerPort: 80, bad: 1 }] },
)
const custom = widget('a', { size: 2, shape: 'round', parts: [{ name: 'p', odd: 1 }] })
const ofAnotherKind = { ...custom, kind: 'Other' }
const withOddMetadata = { ...ofAnotherKind, metadata: { name: 'b', odd: 1 } }
const twice =
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","name":"a"},"data":{"x":"1","x":"2"},"data":{"y":"1"}}'
const customTwice =
  '{"apiVersion":"conformance.example.com/v1","kind":"Widget","metadata":{"name":"a","name":"a"},"spec":{"size":1,"size":2}}'

const quiet = { ignore: ['message', 'details.causes.0.message'] }

/** Fields that no schema knows, or that stand twice. */
export const fieldValidation = topic(
  'field-validation',
  [
    scenario('B field validation', 'warns of unknown fields by default', create(configMaps, unknown)),
    scenario(
      'B field validation',
      'warns, refuses or ignores unknown fields of native kinds',
      create(`${deployments}?fieldValidation=Warn`, deep),
      create(`${deployments}?fieldValidation=Strict`, deep),
      create(`${deployments}?fieldValidation=Ignore`, { ...deep, metadata: { name: 'b' } }),
    ),
    scenario(
      'B field validation',
      'warns, refuses or ignores unknown fields of custom kinds',
      create(`${widgets}?fieldValidation=Warn`, custom),
      create(`${widgets}?fieldValidation=Strict`, custom),
      create(`${widgets}?fieldValidation=Ignore`, { ...custom, metadata: { name: 'b' } }),
    ),
    scenario(
      'B field validation',
      'knows only the metadata of a custom object of another kind',
      create(widgets, widget('a')),
      ...['Strict', 'Warn'].flatMap((mode) => [
        create(`${widgets}?fieldValidation=${mode}`, ofAnotherKind),
        replace(`${widgets}/a?fieldValidation=${mode}`, ofAnotherKind),
        replace(`${widgets}/a?fieldValidation=${mode}`, { ...ofAnotherKind, metadata: {} }),
        create(`${widgets}?fieldValidation=${mode}`, withOddMetadata),
        merge(`${widgets}/a?fieldValidation=${mode}`, { kind: 'Other', spec: { shape: 'round' } }),
      ]),
    ),
    scenario(
      'B field validation',
      'of fields that stand twice',
      create(configMaps, twice),
      create(`${configMaps}?fieldValidation=Strict`, twice),
      create(`${configMaps}?fieldValidation=Ignore`, twice.replaceAll('"a"', '"b"')),
    ),
    scenario(
      'B field validation',
      'of fields that stand twice in custom objects',
      create(widgets, customTwice),
      create(`${widgets}?fieldValidation=Strict`, customTwice),
      create(`${widgets}?fieldValidation=Ignore`, customTwice.replaceAll('"a"', '"b"')),
    ),
    scenario(
      'B field validation',
      'of replaced objects',
      create(configMaps, configMap('a')),
      replace(`${configMaps}/a`, unknown),
      replace(`${configMaps}/a?fieldValidation=Strict`, unknown),
      create(widgets, widget('a'), { as: 'a' }),
      replace(`${widgets}/a?fieldValidation=Strict`, {
        ...custom,
        metadata: { name: 'a', resourceVersion: '{a.metadata.resourceVersion}' },
      }),
    ),
    scenario(
      'B field validation',
      'of merge patches',
      create(configMaps, configMap('a')),
      merge(`${configMaps}/a`, { other: 1 }),
      merge(`${configMaps}/a?fieldValidation=Strict`, { other: 1 }),
      merge(`${configMaps}/a?fieldValidation=Ignore`, { other: 1 }),
      merge(`${configMaps}/a?fieldValidation=Strict`, '{"data":{"x":"1","x":"2"}}'),
      merge(`${configMaps}/a`, '{"data":{"x":"1","x":"2"}}'),
    ),
    scenario(
      'B field validation',
      'of merge patches of custom objects',
      create(widgets, widget('a')),
      merge(`${widgets}/a`, { spec: { shape: 'round' } }),
      merge(`${widgets}/a?fieldValidation=Strict`, { spec: { shape: 'round' } }),
      merge(`${widgets}/a?fieldValidation=Strict`, '{"spec":{"size":1,"size":2}}'),
    ),
    scenario(
      'B field validation',
      'of strategic patches',
      create(deployments, deployment('a')),
      strategic(`${deployments}/a`, { spec: { extra: 1 } }),
      // The message shows the patch as one of Go's maps.
      strategic(`${deployments}/a?fieldValidation=Strict`, { spec: { extra: 1 } }, quiet),
      strategic(`${deployments}/a?fieldValidation=Strict`, '{"spec":{"replicas":1,"replicas":2}}', quiet),
    ),
    scenario(
      'B field validation',
      'of JSON patches',
      create(configMaps, configMap('a')),
      jsonPatch(`${configMaps}/a`, [{ op: 'add', path: '/other', value: 1 }]),
      jsonPatch(`${configMaps}/a?fieldValidation=Strict`, [{ op: 'add', path: '/other', value: 1 }]),
      jsonPatch(
        `${configMaps}/a?fieldValidation=Strict`,
        '[{"op":"add","path":"/data","path":"/data","value":{"x":"1"}}]',
      ),
      jsonPatch(`${configMaps}/a?fieldValidation=Strict`, [
        { op: 'add', path: '/data', value: {}, extra: 1 },
      ]),
    ),
    scenario(
      'B field validation',
      'of what is applied',
      apply(`${configMaps}/a?fieldManager=one&fieldValidation=Strict`, { ...configMap('a'), other: 1 }),
      apply(
        `${configMaps}/a?fieldManager=one&fieldValidation=Strict`,
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: "1"\n  x: "2"\n',
      ),
      apply(
        `${configMaps}/a?fieldManager=one`,
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: "1"\n  x: "2"\n',
      ),
    ),
    scenario(
      'B field validation',
      'of metadata',
      create(configMaps, configMap('a', {}, { color: 'red' })),
      create(`${configMaps}?fieldValidation=Strict`, configMap('a', {}, { color: 'red' })),
      create(widgets, widget('a', {}, { color: 'red' })),
      create(`${widgets}?fieldValidation=Strict`, widget('b', {}, { color: 'red' })),
    ),
    scenario(
      'B field validation',
      'in words that it does not know',
      create(`${configMaps}?fieldValidation=Perhaps`, configMap('a')),
      create(`${configMaps}?fieldValidation=strict`, configMap('a')),
      create(`${configMaps}?fieldValidation=`, configMap('a')),
      merge(`${configMaps}/a?fieldValidation=Perhaps`, {}),
    ),
    scenario(
      'B field validation',
      'keeps what preserves unknown fields',
      create(`${widgets}?fieldValidation=Strict`, widget('a', { raw: { any: { thing: [1] } } })),
    ),
    scenario(
      'B field validation',
      'of objects in YAML',
      create(
        `${configMaps}?fieldValidation=Strict`,
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: "1"\n  x: "2"\nother: 1\n',
        { headers: { 'content-type': 'application/yaml' } },
      ),
      create(configMaps, 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: "1"\n', {
        headers: { 'content-type': 'application/yaml' },
      }),
    ),
  ],
  { definitions: [widgetDefinition] },
)

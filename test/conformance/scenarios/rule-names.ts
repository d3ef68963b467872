import { definition, definitions } from '../objects.ts'
import { scenario, topic, type Step } from '../scenario.ts'
import { create, get, remove } from '../steps.ts'

const text = { type: 'string' }
const words =
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  )
/** Names with characters that an identifier cannot have, names that look escaped, and names that the root of an object has. */
const names =
  'a-b a.b a/b a__b a___b __a a__ _ $ref 1a self oldSelf int __namespace__ namespace__ x__dot__y __dot__ has type size matches'.split(
    ' ',
  )

/** Words after which a parser's message is about the next text, not about the word. */
const literals = new Set(['true', 'false', 'null', 'in'])

/** Whether a server takes a definition with a property of this name and a rule about it. */
function rule(name: string, expression: string): Step {
  const crd = definition(
    'Thing',
    {
      spec: {
        type: 'object',
        properties: { [name]: text },
        'x-kubernetes-validations': [{ rule: expression }],
      },
    },
    { spec: { group: '{ns}.example.com' } },
  )
  const ignore = literals.has(name) ? ['message', 'details.causes.0.message'] : []
  return create(`${definitions}?dryRun=All`, crd, { show: () => `accepts ${expression}`, ignore })
}

const things = '/apis/{ns}.example.com/v1/~/things'
const thing = (name: string, spec: object) => ({
  apiVersion: '{ns}.example.com/v1',
  kind: 'Thing',
  metadata: { name },
  spec,
})
const guarded = definition(
  'Thing',
  {
    spec: {
      type: 'object',
      properties: { namespace: text, package: text, 'a-b': text },
      'x-kubernetes-validations': [
        { rule: "!has(self.namespace) || self.namespace != 'bad'", message: 'bad namespace' },
        { rule: "!has(self.__package__) || self.__package__ != 'bad'", message: 'bad package' },
        { rule: "!has(self.a__dash__b) || self.a__dash__b != 'bad'", message: 'bad a-b' },
      ],
    },
  },
  { spec: { group: '{ns}.example.com' } },
)

const escaped = (name: string): string =>
  name
    .replaceAll('__', '__underscores__')
    .replaceAll('-', '__dash__')
    .replaceAll('.', '__dot__')
    .replaceAll('/', '__slash__')

/** The names by which the rules of a schema refer to properties. */
export const ruleNames = topic('rule-names', [
  scenario('B CRDs', 'reserved words as they are', ...words.map((word) => rule(word, `self.${word} == 'x'`))),
  scenario(
    'B CRDs',
    'reserved words, escaped',
    ...words.map((word) => rule(word, `self.__${word}__ == 'x'`)),
  ),
  scenario('B CRDs', 'has of reserved words', ...words.map((word) => rule(word, `has(self.${word})`))),
  scenario('B CRDs', 'other names as they are', ...names.map((name) => rule(name, `self.${name} == 'x'`))),
  scenario(
    'B CRDs',
    'other names, escaped',
    ...names.map((name) => rule(name, `self.${escaped(name)} == 'x'`)),
  ),
  scenario(
    'B CRDs',
    'names in backquotes',
    ...['a-b', 'a.b', 'namespace', 'in'].map((name) => rule(name, `self.\`${name}\` == 'x'`)),
  ),
  scenario(
    'B CRDs',
    'values of such properties',
    create(definitions, guarded, { show: ({ kind }) => kind }),
    get(things, { until: 200, show: ({ kind }) => kind }),
    { step: 'pass', duration: '700ms' },
    create(things, thing('a', { namespace: 'good', package: 'good', 'a-b': 'good' })),
    create(things, thing('b', { namespace: 'bad' })),
    create(things, thing('b', { package: 'bad' })),
    create(things, thing('b', { 'a-b': 'bad' })),
    remove(`${definitions}/things.{ns}.example.com`, undefined, { show: ({ kind }) => kind }),
    get(`${definitions}/things.{ns}.example.com`, { until: 404 }),
  ),
])

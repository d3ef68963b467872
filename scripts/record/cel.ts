import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { goModule } from '../kubernetes/go-module.ts'
import { recordKubernetes } from './cel/kubernetes.ts'
import { parseTextproto, type Message, type TextValue } from './cel/textproto.ts'

const MODULE = 'cel.dev/expr@v0.25.1'
const KUBERNETES = 'v0.36.3'
const EXPRESSIONS = 'packages/cel/test/recorded/kubernetes-cel.json'
const TARGET = 'packages/cel/test/recorded/cel-spec.json'

/**
 * Writes down what CEL is held to: the conformance cases of the specification, which come with its Go module, and what the
 * libraries of Kubernetes say of the expressions recorded there.
 */
export function recordCel(): void {
  const folder = join(goModule(MODULE), 'tests/simple/testdata')
  const cases = readdirSync(folder)
    .filter((file) => file.endsWith('.textproto'))
    .sort()
    .flatMap((file) =>
      casesOf(parseTextproto(readFileSync(join(folder, file), 'utf8')), file.replace('.textproto', '')),
    )
  writeFileSync(TARGET, `[\n${cases.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`)
  console.log(`${cases.length} cases of the specification`)
  console.log(`${recordKubernetes(EXPRESSIONS, KUBERNETES)} expressions of Kubernetes`)
}

function casesOf(file: Message, name: string): object[] {
  return messages(file['section']).flatMap((section) =>
    messages(section['test']).map((test) => ({
      name: `${name}/${text(section['name'])}/${text(test['name'])}`,
      ...simplified(test),
    })),
  )
}

function text(values: readonly TextValue[] | undefined): string {
  return typeof values?.[0] === 'string' ? values[0] : ''
}

function simplified(test: Message): object {
  const { name: _, description: _text, ...rest } = test
  return Object.fromEntries(Object.entries(rest).map(([field, values]) => [field, plain(values)]))
}

function messages(values: readonly TextValue[] | undefined): Message[] {
  return (values ?? []).filter((value): value is Message => typeof value === 'object' && !('word' in value))
}

/** One value stands for itself, several for a list; names and numbers are texts that begin with `=`. */
function plain(values: readonly TextValue[]): unknown {
  const all = values.map((value) => {
    if (typeof value === 'string') return value
    if ('word' in value && typeof value['word'] === 'string') return `=${value['word']}`
    return Object.fromEntries(Object.entries(value as Message).map(([field, parts]) => [field, plain(parts)]))
  })
  return all.length === 1 ? all[0] : all
}

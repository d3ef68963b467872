import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { localCompletionSource } from '@codemirror/lang-javascript'
import { hoverTooltip } from '@codemirror/view'
import type { Extension } from '@codemirror/state'
import type { NameInfo } from '../types/messages.ts'
import type { Files } from '../worker/messages.ts'
import type { TypesSession } from './types-session.ts'

/** The code as it is now, and the file that is edited. */
export interface EditedCode {
  readonly files: Files
  readonly file: string
}

/** The kinds of names that the editor has icons for, by the compiler's words. */
const ICONS: Readonly<Record<string, string>> = {
  property: 'property',
  getter: 'property',
  setter: 'property',
  method: 'method',
  function: 'function',
  'local function': 'function',
  class: 'class',
  interface: 'interface',
  type: 'type',
  'type parameter': 'type',
  alias: 'variable',
  const: 'constant',
  let: 'variable',
  var: 'variable',
  parameter: 'variable',
  keyword: 'keyword',
  module: 'namespace',
  string: 'text',
}

/** Completes names by their types, and those of the file until the types are loaded. */
export function completionByTypes(types: TypesSession, code: () => EditedCode) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/[\w$]*/)
    const before = context.state.sliceDoc(context.pos - 1, context.pos)
    const isAsked = context.explicit || (word && word.from < word.to) || /[.'"]/.test(before)
    if (!isAsked) return null
    const { files, file } = code()
    const found = await types.completions(files, file, context.pos)
    if (!found) return localCompletionSource(context)
    const options: Completion[] = found.names.map(({ name, kind }) => ({
      label: name,
      type: ICONS[kind] ?? 'text',
      info: async () => {
        const info = await types.completed(files, file, context.pos, name)
        return info ? described(info) : null
      },
    }))
    return { from: found.from, options, validFor: /^[\w$]*$/ }
  }
}

/** Shows the type of the name under the pointer, and what its comment says. */
export function hoverByTypes(types: TypesSession, code: () => EditedCode): Extension {
  return hoverTooltip(async (_, offset) => {
    const { files, file } = code()
    const info = await types.name(files, file, offset)
    if (!info) return null
    return { pos: info.from, end: info.to, above: true, create: () => ({ dom: described(info) }) }
  })
}

function described({ signature, documentation }: NameInfo): HTMLElement {
  const element = document.createElement('div')
  element.className = 'cm-name'
  const type = element.appendChild(document.createElement('code'))
  type.textContent = signature
  for (const paragraph of documentation.split('\n\n').filter(Boolean)) {
    element.appendChild(document.createElement('p')).textContent = paragraph
  }
  return element
}

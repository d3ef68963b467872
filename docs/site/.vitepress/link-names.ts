import type { MarkdownOptions } from 'vitepress'

/** A name, and the page of the reference that describes it. */
export interface DescribedName {
  readonly name: string
  readonly page: string
}

type Transformer = NonNullable<MarkdownOptions['codeTransformers']>[number]

/** Makes a link of each name in the declarations of the reference that the reference describes. */
export function linkNames(names: readonly DescribedName[]): Transformer {
  const homes = new Map<string, string[]>()
  for (const { name, page } of names) homes.set(name, [...(homes.get(name) ?? []), page])
  return {
    name: 'link-names',
    span(node) {
      const page = /reference=(\S+)/.exec(this.options.meta?.__raw ?? '')?.[1]
      const [text] = node.children
      if (page === undefined || text?.type !== 'text') return
      const [, before = '', name = ''] = /^(\s*)([A-Za-z]\w*)$/.exec(text.value) ?? []
      const home = homes.get(name)
      if (!home || this.source.startsWith(`function ${name}`) || isDeclared(this.source, name)) return
      const target = home.includes(page) ? page : (home[0] ?? page)
      node.children = [
        { type: 'text', value: before },
        {
          type: 'element',
          tagName: 'a',
          properties: { class: 'name', href: `/reference/${target}#${name}` },
          children: [{ type: 'text', value: name }],
        },
      ]
    },
  }
}

/** Whether this is the declaration of the name itself, or the name is one of its members or parameters. */
function isDeclared(source: string, name: string): boolean {
  return new RegExp(`(^(class|interface|type|const|function) ${name}\\b)|(\\b${name}\\??[:(])`).test(source)
}

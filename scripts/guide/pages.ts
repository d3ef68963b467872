import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Where the guide is. */
export const GUIDE_FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'guide')

/** A mark, `<!-- from file#region -->`, and the block of code below it. */
const SHOWN = /^<!-- from (?<file>[^\s#]+)(?:#(?<region>\S+))? -->\n```(?<language>[a-z]+)\n[\s\S]*?^```$/gm

/** Where the recipes are. Their marks name files from the guide's folder on, as those of its pages do. */
const RECIPES_FOLDER = join(GUIDE_FOLDER, '..', 'recipes')

/** The pages of the guide in all languages, and the recipes. */
export function guidePages(): string[] {
  return [GUIDE_FOLDER, RECIPES_FOLDER].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .toSorted()
      .map((path) => join(folder, path)),
  )
}

/** The page with the code that its marks name: whole files, or regions of them. */
export function withCode(page: string, read: (file: string) => string): string {
  return page.replace(SHOWN, (_, file: string, region: string | undefined, language: string) => {
    const code = region === undefined ? read(file).trimEnd() : regionOf(read(file), file, region)
    const mark = region === undefined ? file : `${file}#${region}`
    return `<!-- from ${mark} -->\n\`\`\`${language}\n${code}\n\`\`\``
  })
}

/** The lines between `// #region name` and `// #endregion`, moved to the left margin. */
function regionOf(source: string, file: string, region: string): string {
  const lines = source.split('\n')
  const start = lines.findIndex((line) => line.trim() === `// #region ${region}`)
  const end = lines.findIndex((line, index) => index > start && line.trim() === '// #endregion')
  if (start < 0 || end < 0) throw new Error(`${file} has no region ${region}`)
  const margin = /^ */.exec(lines[start] ?? '')?.[0].length ?? 0
  return lines
    .slice(start + 1, end)
    .map((line) => line.slice(margin))
    .join('\n')
}

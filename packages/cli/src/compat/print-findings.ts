import type { CompatibilityFinding, CompatibilityLevel } from './rules.ts'

/** The findings as text, a paragraph for each level. `paint` colours the level. */
export function compatibilityText(
  findings: readonly CompatibilityFinding[],
  paint: (level: CompatibilityLevel, text: string) => string = (_level, text) => text,
): string {
  if (findings.length === 0) return 'nothing changes for stored objects and clients\n'
  const lines = findings.map(({ rule, level, definition, version, path, reason }) => {
    const where = [version === undefined ? definition : `${definition}/${version}`, path].filter(
      (part) => part !== '',
    )
    return `${paint(level, level.padEnd(10))} ${where.join(' ')}: ${reason} (${rule})\n`
  })
  const count = (level: CompatibilityLevel): string =>
    `${findings.filter((finding) => finding.level === level).length} ${level}`
  return `${lines.join('')}${count('breaking')}, ${count('ratcheting')}, ${count('safe')}\n`
}

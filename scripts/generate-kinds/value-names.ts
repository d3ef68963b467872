import type { NativeKind, WantedKind } from './kubernetes-source.ts'

/** The kinds that two groups have under one name, with the name of the value of the older one. */
const IN_TWO_GROUPS: Readonly<Record<string, string>> = { 'v1/Event': 'CoreEvent' }

/** The rule, as the header of the generated file tells it. */
export const NAMING_RULE = `// A value has the name of its kind. Where a group serves a kind in several versions, the newest has the
// plain name and the others their version after it (HorizontalPodAutoscaler, HorizontalPodAutoscalerV1).
// Where two groups have a kind of one name, the group that is still developed has the plain name and the
// other its group before it (Event, CoreEvent). See docs/decisions/0007-names-of-native-kinds.md.
`

/** The name of each kind's value. Throws where two would share one. */
export function valueNames(kinds: readonly NativeKind[]): Map<NativeKind, string> {
  const names = new Map<NativeKind, string>()
  for (const kind of kinds) {
    const name = valueName(kind, kinds)
    const taken = [...names].find(([, other]) => other === name)?.[0]
    if (taken) {
      throw new Error(
        `${kind.kind} is in ${taken.group || 'core'}/${taken.version} and in ${kind.group || 'core'}/${kind.version}: name one of them in IN_TWO_GROUPS`,
      )
    }
    names.set(kind, name)
  }
  return names
}

function valueName({ group, version, kind }: WantedKind, kinds: readonly WantedKind[]): string {
  const exception = IN_TWO_GROUPS[`${group === '' ? '' : `${group}/`}${version}/${kind}`]
  if (exception) return exception
  const newer = kinds.some(
    (other) =>
      other.group === group &&
      other.kind === kind &&
      Number(other.version.slice(1)) > Number(version.slice(1)),
  )
  return newer ? `${kind}${version.toUpperCase()}` : kind
}

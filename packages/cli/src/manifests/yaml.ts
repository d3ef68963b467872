import { stringify } from 'yaml'

/** YAML of objects. Programs that read YAML 1.1 take no text in it for a time, a number or a boolean. */
export function toYaml(objects: readonly object[]): string {
  return objects
    .map((object) => stringify(object, { aliasDuplicateObjects: false, compat: 'yaml-1.1', lineWidth: 0 }))
    .join('---\n')
}

import { stringify } from 'yaml'

/** YAML of objects. Strings that YAML 1.1 would read as a time, a number or a boolean are quoted. */
export function toYaml(objects: readonly object[]): string {
  return objects
    .map((object) => stringify(object, { aliasDuplicateObjects: false, compat: 'yaml-1.1', lineWidth: 0 }))
    .join('---\n')
}

import {
  checkOptionNames,
  HomeostatError,
  milliseconds,
  optionNames,
  type AnyKind,
  type Duration,
} from '@homeostat/api'
import type { PolicyRule } from '../controller/index.ts'
import { messageOf } from '../reconcile/index.ts'
import { KindMigration } from './kind-migration.ts'
import type { MigrationContext } from './migration-context.ts'

/** How stored objects are rewritten. */
export interface StorageMigrationOptions {
  /** How many objects are rewritten in a second at most. Default: 20. */
  readonly perSecond?: number | undefined
  /** How many objects are read at once. Default: 100. */
  readonly pageSize?: number | undefined
  /**
   * How often the definitions are checked, and how long a failed migration waits before it is retried. Default:
   * `'10m'`.
   */
  readonly interval?: Duration | undefined
}

/** A runnable that migrates stored objects, and the rights that it needs. */
export interface StorageMigration {
  /**
   * Runs until the manager stops. It never throws: a failure is logged, and the migration is retried after the
   * interval.
   */
  readonly run: (context: MigrationContext) => Promise<void>
  /** For `manager.addRunnable`. */
  readonly options: { readonly rules: readonly PolicyRule[] }
}

const OPTIONS = optionNames<StorageMigrationOptions>('storageMigration', {
  perSecond: true,
  pageSize: true,
  interval: true,
})

/**
 * Rewrites the stored objects of kinds in the version that their definitions store today, and then drops older
 * versions from `status.storedVersions`: `const migration = storageMigration([Shelf])`, and
 * `manager.addRunnable('storage-migration', migration.run, migration.options)`. It runs in the process that leads.
 * Objects that other clients write or delete meanwhile need no rewrite. The log and
 * `homeostat_storage_migration_objects_total` show the progress; an event on the definition reports the end.
 */
export function storageMigration(
  kinds: readonly AnyKind[],
  options: StorageMigrationOptions = {},
): StorageMigration {
  checkOptionNames(options, OPTIONS)
  const { perSecond = 20, pageSize = 100 } = options
  const interval = milliseconds(options.interval ?? '10m')
  if (!(perSecond > 0 && Number.isInteger(pageSize) && pageSize > 0 && interval > 0)) {
    throw new HomeostatError(
      'STORAGE_MIGRATION_INVALID',
      'the options perSecond, pageSize and interval of storageMigration must be above 0, and pageSize whole',
    )
  }
  return {
    options: { rules: kinds.flatMap(rulesFor) },
    async run(context) {
      const { clock, log, signal } = context
      while (!signal.aborted) {
        for (const kind of kinds) {
          try {
            await new KindMigration(kind, { perSecond, pageSize }, context).run()
          } catch (error) {
            if (signal.aborted) return
            const resource = `${kind.plural}.${kind.group}`
            log.error(
              { resource, error },
              `the storage migration failed and will be retried: ${messageOf(error)}`,
            )
          }
        }
        await clock.sleep(interval, { signal }).catch(() => {})
      }
    },
  }
}

function rulesFor({ group, plural }: AnyKind): PolicyRule[] {
  const definitions = { apiGroups: ['apiextensions.k8s.io'], resourceNames: [`${plural}.${group}`] }
  return [
    { apiGroups: [group], resources: [plural], verbs: ['list', 'patch'] },
    { ...definitions, resources: ['customresourcedefinitions'], verbs: ['get', 'patch'] },
    { ...definitions, resources: ['customresourcedefinitions/status'], verbs: ['patch'] },
  ]
}

/**
 * Storage migration: rewrites the stored objects of a kind in the version that is stored today, so that older
 * versions can be removed from its definition. It can be stopped at any point, and the next process continues.
 */
export { storageMigration, type StorageMigration, type StorageMigrationOptions } from './storage-migration.ts'

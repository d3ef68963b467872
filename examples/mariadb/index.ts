/** The MariaDB operator: its kind and its controller. */
export { mariadb } from './controller.ts'
export { MariaDB } from './mariadb.ts'

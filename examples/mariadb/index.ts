/** The MariaDB operator: the operator itself, its kind and its controller. */
export { mariadb } from './controller.ts'
export { MariaDB } from './mariadb.ts'
export { default } from './operator.ts'

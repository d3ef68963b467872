import { Manager, podOptions } from 'homeostat'
import { mariadb } from './controller.ts'

await new Manager(podOptions('mariadb')).add(mariadb).start()
